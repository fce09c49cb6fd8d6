//! PVD: the list of files that ParaView plays as one animation.

use std::io::{self, Write};

use quick_xml::escape::escape;

/// Writes a list of frames, each with its time and its file (relative to the list).
pub fn pvd<'a>(out: &mut dyn Write, frames: impl IntoIterator<Item = (f64, &'a str)>) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\"?>")?;
    writeln!(out, "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">")?;
    writeln!(out, "  <Collection>")?;
    for (time, file) in frames {
        let file = escape(file);
        writeln!(out, "    <DataSet timestep=\"{time}\" group=\"\" part=\"0\" file=\"{file}\"/>")?;
    }
    writeln!(out, "  </Collection>")?;
    writeln!(out, "</VTKFile>")
}
