//! `crumple page`: the live page, from memory; on this machine's loopback only, or written to a folder.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io, thread};

use anyhow::{Context, Result, bail};

use crate::args::PageArgs;
use crate::output;

/// The page's files: path and content. Empty when the page was not built before the program.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page_files.rs"));

/// A request line and its headers are shorter than this, or nothing of ours.
const LONGEST_HEAD: u64 = 16 * 1024;
/// How long a browser may keep a connection without asking.
const PATIENCE: Duration = Duration::from_secs(20);

/// Serves the page until it is stopped, or writes it.
pub fn run(args: &PageArgs) -> Result<()> {
    if FILES.is_empty() {
        bail!(
            "this program was built without the page. In the repository: crates/crumple-web/build makes it (and installs the \
             wasm target that it needs), then `cargo run --release -- page` builds it into the program and serves it"
        );
    }
    match &args.to {
        Some(folder) => write(folder),
        None => serve(args.port),
    }
}

/// Writes the page, whole or not at all: a full disk or a stop leaves what was there before.
fn write(folder: &Path) -> Result<()> {
    let is_there = folder.is_dir();
    // A new folder is made beside its place, so that it takes its name at once; one that is there may be all that can be written to.
    let staged = Staged::new(if is_there { folder } else { folder.parent().unwrap_or(folder) })?;
    for (path, bytes) in FILES {
        put(&staged.0.join(path), bytes)?;
    }
    if is_there {
        replace(&staged.0, folder)?;
    } else {
        fs::rename(&staged.0, folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    output::print(&format!("{} files in {}; any static server can serve them", FILES.len(), folder.display()))
}

fn put(file: &Path, bytes: &[u8]) -> Result<()> {
    make_parent(file)?;
    fs::write(file, bytes).with_context(|| format!("cannot write {}", file.display()))
}

fn make_parent(file: &Path) -> Result<()> {
    let Some(parent) = file.parent() else { return Ok(()) };
    fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))
}

/// Moves the files of the page to their places in a folder, once all of them can be.
fn replace(staged: &Path, folder: &Path) -> Result<()> {
    for (path, _) in FILES {
        let file = folder.join(path);
        make_parent(&file)?;
        if file.is_dir() {
            bail!("cannot write {}: it is a folder", file.display());
        }
    }
    for (path, _) in FILES {
        let file = folder.join(path);
        fs::rename(staged.join(path), &file).with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

/// A folder for what is not whole yet; it is removed if it is still there in the end.
struct Staged(PathBuf);

impl Staged {
    fn new(within: &Path) -> Result<Self> {
        let path = within.join(format!(".crumple-page-{}", std::process::id()));
        fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // It is gone if it became the page.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn serve(port: u16) -> Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .with_context(|| format!("cannot listen on 127.0.0.1:{port}; --port 0 takes any free one"))?;
    output::print(&format!("http://{}/  (this machine only; Ctrl-C ends it)", listener.local_addr()?))?;
    for stream in listener.incoming() {
        // A connection that breaks is the browser's affair.
        let Ok(stream) = stream else { continue };
        thread::spawn(move || drop(converse(&stream)));
    }
    Ok(())
}

/// Answers the requests of one connection.
fn converse(stream: &TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut reader = BufReader::new(stream);
    loop {
        let mut head = String::new();
        let mut lines = reader.by_ref().take(LONGEST_HEAD);
        while !head.ends_with("\r\n\r\n") {
            if lines.read_line(&mut head)? == 0 {
                return Ok(());
            }
        }
        let request = head.lines().next().unwrap_or_default();
        answer(stream, request)?;
    }
}

fn answer(mut stream: &TcpStream, request: &str) -> io::Result<()> {
    let mut words = request.split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let found = (method == "GET" || method == "HEAD").then(|| find(target)).flatten();
    let (status, kind, body): (_, _, &[u8]) = match found {
        Some((path, bytes)) => ("200 OK", kind(path), bytes),
        None if method != "GET" && method != "HEAD" => {
            ("405 Method Not Allowed", "text/plain", b"GET only\n")
        }
        None => ("404 Not Found", "text/plain", b"there is no such page\n"),
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\n\
         X-Content-Type-Options: nosniff\r\nContent-Security-Policy: default-src 'self'; \
         script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'\r\n\r\n",
        body.len()
    )?;
    if method != "HEAD" {
        stream.write_all(body)?;
    }
    stream.flush()
}

/// The file that an address names; only the page's own are known.
fn find(target: &str) -> Option<(&'static str, &'static [u8])> {
    let path = target.split(['?', '#']).next().unwrap_or_default().strip_prefix('/')?;
    let path = if path.is_empty() { "index.html" } else { path };
    FILES.iter().find(|(name, _)| *name == path).copied()
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("wasm") => "application/wasm",
        _ => "text/plain; charset=utf-8",
    }
}
