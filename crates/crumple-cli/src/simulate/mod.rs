//! `crumple simulate`: a scene played, frame by frame, and proved free in each.

mod film;
mod frames;
mod report;

use std::path::Path;

use anyhow::{Context, Result, bail};
use crumple::Untangled;
use crumple_sim::script::{Script, Shape};
use crumple_sim::{Mode, Settings, SimError, StepReport, gallery};

use crate::args::{Common, FramesAs, ModeArg, SimulateArgs};
use crate::output;
use crate::stop;
use film::Film;
use frames::Frames;
use report::Report;

/// Plays a scene.
pub fn run(args: &SimulateArgs, common: &Common) -> Result<()> {
    if args.list {
        return list(common);
    }
    if let Some(name) = &args.print {
        let entry = gallery::find(name).with_context(|| format!("no built-in scene {name}; {}", known()))?;
        return output::print(entry.text.trim_end());
    }
    stop::listen();
    let mut script = load(args.scene.as_deref().unwrap_or("drape"))?;
    if let Some(mode) = args.mode {
        let mode = if mode == ModeArg::Free { Mode::Free } else { Mode::NeverCross };
        let settings = Settings { mode, ..script.world().settings().clone() };
        script.world_mut().set_settings(settings)?;
    }
    let wanted = args.frames.unwrap_or(script.frames());
    let mut film = args.film.as_deref().map(|path| Film::new(path, &script, wanted)).transpose()?;
    let folder = common.out.as_deref().filter(|p| !output::has_extension(p, "json"));
    if args.frames_as.is_some() && folder.is_none() {
        bail!("--frames-as says what is written into --out DIR, and there is none");
    }
    let frames_as = args.frames_as.unwrap_or(FramesAs::Ply);
    let mut files = folder.map(|folder| Frames::new(folder, frames_as)).transpose()?;
    let mut report = Report::new(script.name());
    admit(&mut script, args.untangle, common, &mut report)?;
    let failed = play(&mut script, wanted, common, &mut report, &mut film, &mut files);
    report.last_energy = script.world_mut().energy();
    if let Some(film) = film {
        film.save()?;
    }
    if let Some(folder) = folder {
        report.save(folder)?;
    }
    failed?;
    output::emit(common, &report, || report.text())
}

/// The frames, until one fails or Ctrl-C is pressed; what was written by then stays.
fn play(
    script: &mut Script,
    wanted: usize,
    common: &Common,
    report: &mut Report,
    film: &mut Option<Film>,
    files: &mut Option<Frames>,
) -> Result<()> {
    let bar = output::progress(common, wanted, "frame");
    report.first_energy = script.world_mut().energy();
    for frame in 0..=wanted {
        if frame > 0 {
            let step: StepReport = script.step()?;
            report.add(&step);
            bar.inc(1);
        }
        if let Some(film) = film {
            film.shoot(script, frame);
        }
        if let Some(files) = files {
            files.write(script, frame)?;
        }
        if stop::is_asked() {
            break;
        }
    }
    bar.finish_and_clear();
    Ok(())
}

/// A built-in scene, or a file.
fn load(scene: &str) -> Result<Script> {
    let path = Path::new(scene);
    if let Some(entry) = gallery::find(scene).filter(|_| !path.is_file()) {
        return Script::parse(entry.text).with_context(|| format!("built-in scene {scene}"));
    }
    if !path.exists() && path.extension().is_none() {
        bail!("no built-in scene {scene}, and no such file; {}", known());
    }
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {scene}"))?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let read = |name: &str| -> Result<Shape, String> {
        let data = crumple_io::read(&folder.join(name)).map_err(|e| e.to_string())?;
        let mut shape = Shape { positions: data.positions, tets: data.tets, ..Shape::default() };
        for polygon in data.polygons.iter() {
            shape.triangles.extend((2..polygon.len()).map(|i| [polygon[0], polygon[i - 1], polygon[i]]));
        }
        Ok(shape)
    };
    Script::parse_with(&text, &read).with_context(|| scene.to_owned())
}

fn known() -> String {
    let names: Vec<&str> = gallery::ENTRIES.iter().map(|e| e.name).collect();
    format!("built in are {}", names.join(", "))
}

fn list(common: &Common) -> Result<()> {
    let mut rows = Vec::new();
    for entry in gallery::ENTRIES {
        let script = Script::parse(entry.text).with_context(|| format!("built-in scene {}", entry.name))?;
        rows.push((entry.name, script.frames(), script.about().to_owned()));
    }
    let document: Vec<_> = rows
        .iter()
        .map(|(name, frames, about)| serde_json::json!({"name": name, "frames": frames, "about": about}))
        .collect();
    output::emit(common, &document, || {
        let mut table = output::table(["scene", "frames", "what happens"]);
        for (name, frames, about) in &rows {
            table.add_row([(*name).to_owned(), frames.to_string(), about.clone()]);
        }
        table.to_string()
    })
}

/// Tells what crosses at the start; refuses it where nothing may, unless it can be taken apart.
fn admit(script: &mut Script, untangle: bool, common: &Common, report: &mut Report) -> Result<()> {
    let is_strict = script.world().settings().mode == Mode::NeverCross;
    let count = script.world_mut().scene()?.contacts()?.len();
    if count == 0 {
        return Ok(());
    }
    if untangle {
        let done = script.world_mut().untangle()?;
        let left = done.after;
        report.untangled = Some(count - left.min(count));
        output::remark(common, || {
            let Untangled { moved, largest, .. } = &done;
            format!(
                "{count} pairs crossed at the start, {left} are left; {moved} vertices moved, by {largest:.3e} at most"
            )
        });
        if left == 0 {
            return Ok(());
        }
        if is_strict {
            bail!("{}; untangling left {left} of them", crossing(script, left)?);
        }
    }
    if is_strict {
        bail!("{}; --untangle takes them apart, --mode free lets them be", crossing(script, count)?);
    }
    output::note(common, || crossing(script, count).unwrap_or_default());
    Ok(())
}

/// What crosses, in words.
fn crossing(script: &mut Script, count: usize) -> Result<String, SimError> {
    const SHOWN: usize = 4;
    let contacts = script.world_mut().scene()?.contacts()?;
    let world = script.world();
    let mut pairs = Vec::new();
    for c in contacts.iter().take(SHOWN) {
        let [a, b] = [world.mesh(c.a.body)?.name(), world.mesh(c.b.body)?.name()];
        pairs.push(format!("triangle {} of {a} and triangle {} of {b}", c.a.id, c.b.id));
    }
    let more = if contacts.len() > SHOWN { ", …" } else { "" };
    Ok(format!("{count} pairs of triangles cross at the start: {}{more}", pairs.join(", ")))
}
