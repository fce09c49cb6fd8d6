//! `crumple check`: what touches, in one frame or in many.

mod baseline;
mod page;
mod report;
mod text;

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use crumple::{Budget, BudgetedContacts, Drawing, Question, Scene, SolidMethod, SurfaceMethod};
use crumple_io::ReadOptions;

use self::baseline::Baseline;
use self::page::PageSink;
pub use self::report::FrameRow;
use self::report::{BodyRow, FrameSeconds, ImpactRows, LoadSeconds, Report};
use crate::args::{CheckArgs, Common, FrameRange, LIMIT, MethodArg, Split};
use crate::output;
use crate::world::World;
use crate::{cut, hints, marked, stop, tile, views};

/// Checks the files; true when something collides.
pub fn run(args: &CheckArgs, common: &Common) -> Result<bool> {
    let start = Instant::now();
    if let Some(tile) = as_tile(args)? {
        return tiled(&tile, args, common, output::seconds(start));
    }
    let busy = output::busy("reading");
    let mut world = load(args, common)?;
    let baseline = args.baseline.as_deref().map(|path| Baseline::read(path, &world)).transpose()?;
    let load = output::seconds(start);
    drop(busy);
    let frames = chosen(args.range, world.frames())?;
    if args.range.every > 1 && world.frames() == 1 && args.sequences.is_empty() {
        bail!("--every takes only some frames of a --sequence; there is only one frame");
    }
    if args.continuous && frames.len() == 1 {
        bail!("--continuous checks between the frames of a --sequence; there is only one frame");
    }
    choose(&mut world, args.method);
    world.scene.limit_rows(args.limit);
    let has_tets = !world.scene.bodies().tets().is_empty();
    let about_tets = [("--touch", args.touch.is_some()), ("--weld", args.weld.is_some())];
    if let Some((option, _)) = about_tets.into_iter().find(|&(_, is_given)| is_given && !has_tets) {
        bail!("{option} is about vertices in tets, and {} has none", views::names(&world.scene));
    }
    world.scene.set_touch(args.touch.unwrap_or_default(), args.weld)?;
    if let Some(path) = &args.cut {
        note_cut(&mut world, path, args.cut_depth)?;
    }
    let (start, busy) = (Instant::now(), output::busy("building"));
    let budget = output::budget(args.budget_ms, args.budget_visits)?;
    let mut questions = vec![Question::Contacts, Question::Penetrations];
    questions.truncate(if has_tets { 2 } else { 1 });
    let questions = &questions[usize::from(budget.is_some())..];
    let prepare = if frames.len() > 1 { Scene::prepare } else { Scene::prepare_frame };
    questions.iter().try_for_each(|&q| prepare(&mut world.scene, q)).map_err(|e| world.blame(0, e))?;
    let build = output::seconds(start);
    drop(busy);
    output::explain(common, &world.scene, questions);
    let bar = output::progress(common, frames.len(), "frame");
    let mut rows: Vec<FrameRow> = Vec::new();
    let mut sink = marked::Sink::new(common, world.frames());
    let mut page = args.report.as_ref().map(|path| PageSink::new(path, common, &world, &frames));
    let mut worst: Option<Worst> = None;
    if frames.len() > 1 {
        stop::listen();
    }
    world.read_ahead(&frames);
    for &f in &frames {
        if stop::is_asked() {
            break;
        }
        if let Err(error) = world.advance(f) {
            // On a page a frame that cannot be read is a row; without one it ends the check.
            let Some(page) = &mut page else { return Err(error) };
            page.problem(&world, f, error);
            bar.inc(1);
            continue;
        }
        // Before the contacts, which open the cuts that have parted at the end of the step.
        let is_step = args.continuous && !rows.is_empty();
        let impacts = is_step.then(|| world.scene.impacts()).transpose().map_err(|e| world.blame(f, e))?;
        let mut row = frame(&mut world, f, has_tets, budget).map_err(|e| blame(&world, f, e))?;
        row.impacts = impacts.map(ImpactRows::new);
        if let Some(baseline) = &baseline {
            baseline.part(&mut row);
            row.places = world.scene.places_of(&row.triangle_pairs)?;
        }
        sink.frame(&world, &row)?;
        if let Some(page) = &mut page {
            page.frame(&mut world, &row).map_err(|e| world.blame(f, e))?;
        }
        if common.picture.is_some() && worst.as_ref().is_none_or(|w| row.hits() > w.hits) {
            let drawing = if args.structure { world.scene.draw()? } else { Drawing::default() };
            worst = Some(Worst { hits: row.hits(), row: rows.len(), drawing });
        }
        rows.push(row);
        bar.inc(1);
    }
    bar.finish_and_clear();
    sink.finish()?;
    if let (Some(path), Some(worst)) = (&common.picture, &worst) {
        let row = &rows[worst.row];
        world.go_to(row.frame)?;
        let title = title(&world, row);
        let image = if args.structure {
            views::structure(common, &world.scene, &worst.drawing, &title)
        } else {
            views::check(common, &world.scene, row, &title)
        };
        image.save(path).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let bodies = world.scene.bodies().meshes().iter().map(BodyRow::new).collect();
    let [read, wait] = world.read_seconds();
    let report = Report {
        schema: "crumple.check/1",
        bodies,
        frames: rows,
        hints: hints(args, &world)?,
        seconds: LoadSeconds { load, build, read, wait },
    };
    for note in world.notes() {
        output::remark(common, || note.clone());
    }
    let page = page.map_or(Ok(()), |page| page.finish(&report));
    output::emit(common, &report, || report.text())?;
    if stop::is_asked() {
        eprintln!("crumple: stopped after {} of {} frames", report.frames.len(), frames.len());
    }
    page?;
    let collides = report.frames.iter().any(FrameRow::collides);
    let undecided: usize = report.frames.iter().map(FrameRow::undecided).sum();
    // "Nothing collides" is not said of what was not looked at.
    ensure!(
        collides || undecided == 0,
        "nothing was found within the budget, but {undecided} pairs of regions are undecided: allow more"
    );
    Ok(collides)
}

/// Tells the scene of the cut that its first body has had.
fn note_cut(world: &mut World, path: &Path, depth: Option<f64>) -> Result<()> {
    let Some(first) = world.scene.ids().next() else { return Ok(()) };
    if let Some(depth) = depth {
        world.scene.set_cut_depth(output::length("--cut-depth", depth)?);
    }
    let noted = world.scene.add_seam(first, &cut::read_seam(path)?);
    noted.with_context(|| format!("{}: of {}", path.display(), views::names(&world.scene)))
}

/// Names the frame that cannot be answered, and what to do where the answer is too long.
fn blame(world: &World, frame: usize, error: crumple::Error) -> anyhow::Error {
    let crumple::Error::TooManyPairs { most } = error else { return world.blame(frame, error) };
    let most = output::thousands(most);
    let place = match world.frames() {
        1 => views::names(&world.scene),
        _ => format!("frame {frame} ({})", output::file_name(world.frame_file(frame))),
    };
    anyhow::anyhow!(
        "{place}: more than {most} pairs collide: are the files what you think they are? If so, raise --limit"
    )
}

/// What a picture shows: the frame and its file, or the bodies where nothing moves.
fn title(world: &World, row: &FrameRow) -> String {
    match &row.name {
        Some(_) => row.title(),
        None if world.frames() > 1 => {
            format!("{} of {}", row.title(), output::file_name(world.frame_file(row.frame)))
        }
        None => views::names(&world.scene),
    }
}

/// Where the caller may have gone wrong.
fn hints(args: &CheckArgs, world: &World) -> Result<Vec<String>> {
    let bodies = if args.sequences.is_empty() { output::expand(&args.files)? } else { Vec::new() };
    Ok(hints::frames(&bodies, world).into_iter().chain(hints::units(world)).collect())
}

/// The tile that the one file is, if it is one.
fn as_tile(args: &CheckArgs) -> Result<Option<tile::Tile>> {
    match &output::expand(&args.files)?[..] {
        [file] if args.sequences.is_empty() && args.fixed.is_empty() => tile::read(file),
        _ => Ok(None),
    }
}

/// Checks a tile: the rows that are its own, under the numbers of the whole mesh.
fn tiled(tile: &tile::Tile, args: &CheckArgs, common: &Common, load: f64) -> Result<bool> {
    let refused = match () {
        () if args.report.is_some() => Some("--report"),
        () if common.picture.is_some() => Some("--picture"),
        () if marked::mesh_file(common).is_some() => Some("--out of a mesh"),
        () if args.continuous => Some("--continuous"),
        () if args.budget_ms.is_some() => Some("--budget-ms"),
        () if args.budget_visits.is_some() => Some("--budget-visits"),
        () if args.baseline.is_some() => Some("--baseline"),
        () if args.cut.is_some() => Some("--cut"),
        () if args.split.is_some() => Some("--split"),
        () if args.touch.is_some() => Some("--touch"),
        () if args.weld.is_some() => Some("--weld"),
        () if args.limit != LIMIT => Some("--limit"),
        () if args.format.is_some() => Some("--format"),
        () if args.range != FrameRange::default() => Some("--from, --to, --every"),
        () => None,
    };
    if let Some(option) = refused {
        bail!("{option}: a tile is checked with --json and --out PART.json; merge tells about the whole");
    }
    let part = tile::check(tile, load, surface_method(args.method))?;
    output::emit(common, &part, || part.text())?;
    Ok(part.collides())
}

/// The frames that were asked for, of so many.
fn chosen(range: FrameRange, frames: usize) -> Result<Vec<usize>> {
    if range.from >= frames {
        bail!("--from {}: the last of {frames} frames is {}", range.from, frames - 1);
    }
    match range.to {
        Some(to) if to >= frames => bail!("--to {to}: the last of {frames} frames is {}", frames - 1),
        Some(to) if to < range.from => bail!("--to {to} comes before --from {}", range.from),
        to => Ok((range.from..=to.unwrap_or(frames - 1)).step_by(range.every as usize).collect()),
    }
}

/// The frame with the most hits so far, to be drawn at the end.
struct Worst {
    hits: usize,
    row: usize,
    drawing: Drawing,
}

/// The bodies in the order of the command line: files, sequences, fixed files.
fn load(args: &CheckArgs, common: &Common) -> Result<World> {
    let mut options = ReadOptions::default();
    options.format = args.format;
    if marked::mesh_file(common).is_some() || args.report.is_some() {
        options = options.with_uvs();
    }
    let mut world = World::with_options(options);
    let files = output::expand(&args.files)?;
    if args.sequences.iter().any(Vec::is_empty) {
        // A bare --sequence: the files are the frames.
        if files.is_empty() {
            bail!("--sequence needs the frames of a body");
        }
        world.add_sequence(&files)?;
    } else {
        for file in &files {
            match args.split {
                Some(Split::Objects) => world.add_objects(file).map(drop)?,
                None => world.add_file(file).map(drop)?,
            }
        }
    }
    for files in args.sequences.iter().filter(|files| !files.is_empty()) {
        world.add_sequence(&output::expand(files)?)?;
    }
    for file in &output::expand(&args.fixed)? {
        let body = world.add_file(file)?;
        world.scene.set_fixed(body, true)?;
    }
    if !args.fixed.is_empty() && world.scene.ids().all(|id| world.scene.is_fixed(id).unwrap_or(false)) {
        bail!(
            "--fixed: all bodies are fixed, and those are not tested against each other; name what moves before it"
        );
    }
    Ok(world)
}

/// The method that was asked for: of surfaces, of tets, or of both.
fn choose(world: &mut World, method: MethodArg) {
    let surfaces = surface_method(method);
    let solids = match method {
        MethodArg::SpatialHash => Some(SolidMethod::SpatialHash),
        MethodArg::BruteForce => Some(SolidMethod::BruteForce),
        _ => None,
    };
    world.scene.use_surface_method(surfaces);
    world.scene.use_solid_method(solids);
}

fn surface_method(method: MethodArg) -> Option<SurfaceMethod> {
    match method {
        MethodArg::Regularity => Some(SurfaceMethod::Regularity),
        MethodArg::BucketTree => Some(SurfaceMethod::BucketTree),
        MethodArg::BruteForce => Some(SurfaceMethod::BruteForce),
        MethodArg::SpatialHash => Some(SurfaceMethod::SpatialHash),
        MethodArg::Auto => None,
    }
}

/// Everything that touches in one frame.
fn frame(
    world: &mut World,
    frame: usize,
    has_tets: bool,
    budget: Option<Budget>,
) -> Result<FrameRow, crumple::Error> {
    let name = world.has_frame_files().then(|| output::file_name(world.frame_file(frame)));
    let scene = &mut world.scene;
    let start = Instant::now();
    if budget.is_none() {
        scene.prepare_frame(Question::Contacts)?;
    }
    if has_tets {
        scene.prepare_frame(Question::Penetrations)?;
    }
    let update = output::seconds(start);
    let start = Instant::now();
    let (triangle_pairs, undecided) = match budget {
        None => (scene.contacts()?, None),
        Some(budget) => {
            let BudgetedContacts { contacts, undecided, .. } = scene.contacts_budgeted(budget)?;
            (contacts, Some(undecided))
        }
    };
    // Edges first: they find the vertices too.
    let edge_tets = scene.edge_penetrations()?;
    let vertex_tets = scene.penetrations()?;
    let query = output::seconds(start);
    Ok(FrameRow {
        frame,
        name,
        method: triangle_pairs.method,
        guarantee: triangle_pairs.guarantee,
        places: scene.places_of(&triangle_pairs)?,
        triangle_pairs,
        complete: undecided.as_ref().map(Vec::is_empty),
        undecided,
        tet_method: vertex_tets.method,
        tet_guarantee: vertex_tets.guarantee,
        vertex_tets,
        edge_tets,
        diagnostics: scene.diagnose()?,
        impacts: None,
        known: None,
        fresh_cut: scene.has_fresh_cuts().then_some(true),
        seconds: FrameSeconds { update, query },
    })
}
