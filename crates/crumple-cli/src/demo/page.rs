//! The demonstration's report: pictures, plots and tables on one page.

use anyhow::Result;
use crumple::{BodyId, Contact, Frame, Question, Resolution, Scene};
use crumple_io::picture::{Image, Legend, Lines, Picture, Points, Surface, View, palette};
use crumple_io::report::{Card, Plot, Report, Scale, Section, Series, Table, Verdict, count, seconds};

use super::stage::{BALL, BODY, CLOTH, CONFETTI, FRAMES, Pose, RING, Stage};
use super::tunnel::Tunnel;
use super::{Answers, Proof, QUESTIONS, RAYS, mean};
use crate::views::{corners, swollen};

/// Triangles of one body that collide with another, or with itself.
fn marks(answers: &Answers, body: BodyId) -> Vec<u32> {
    let mut out: Vec<u32> = (answers.contacts.iter())
        .flat_map(|c| [c.a, c.b])
        .filter(|t| t.body == body)
        .map(|t| t.id.0)
        .collect();
    out.sort_unstable();
    out.dedup();
    out
}

fn surface<'a>(stage: &'a Stage, pose: &'a Pose, body: BodyId) -> Surface<'a> {
    Surface::new(&pose.0[body.index()], corners(stage.mesh.mesh(body))).color(palette::body(body.index()))
}

/// The stage stands upright along z.
fn canvas<'a>() -> Picture<'a> {
    Picture::new(1200, 800).view(View::auto().up([0.0, 0.0, 1.0]))
}

/// Every picture of the report, by name.
pub fn pictures(stage: &Stage, frames: &[Answers], tunnel: &Tunnel) -> Result<Vec<(&'static str, Image)>> {
    let pose = stage.pose(FRAMES - 1);
    let last = &frames[FRAMES - 1];
    Ok(vec![
        ("stage", whole(stage, &pose, last)),
        ("cloth", cloth(stage, &pose, last)),
        ("ball", ball(stage, &pose, last)),
        ("shared", shared(stage, &pose)?),
        ("inside", inside(stage, &pose, last)),
        ("confetti", confetti(stage, &pose, last)),
        ("distance", distance(stage, &pose, last)),
        ("tunnel", tunnel.picture.clone()),
    ])
}

fn whole(stage: &Stage, pose: &Pose, last: &Answers) -> Image {
    let marked: Vec<Vec<u32>> = stage.mesh.body_ids().map(|b| marks(last, b)).collect();
    let mut picture = canvas();
    for b in stage.mesh.body_ids() {
        picture = picture.surface(surface(stage, pose, b).highlight(&marked[b.index()]));
    }
    let keys =
        stage.mesh.body_ids().map(|b| (palette::body(b.index()), stage.mesh.mesh(b).name().to_owned()));
    picture.legend(Legend::keys(keys.chain([(palette::HIGHLIGHT, "touching".to_owned())]))).render()
}

fn cloth(stage: &Stage, pose: &Pose, last: &Answers) -> Image {
    let marked = [CLOTH, BODY].map(|b| marks(last, b));
    canvas()
        .surface(surface(stage, pose, CLOTH).highlight(&marked[0]))
        .surface(surface(stage, pose, BODY).highlight(&marked[1]))
        .render()
}

fn ball(stage: &Stage, pose: &Pose, last: &Answers) -> Image {
    let inside: Vec<[f64; 3]> =
        last.penetrations.iter().map(|p| pose.0[p.vertex.body.index()][p.vertex.id.index()]).collect();
    canvas()
        .surface(surface(stage, pose, BALL).opacity(0.35))
        .surface(surface(stage, pose, BODY).opacity(0.35))
        .points(Points::new(&inside).color(palette::HIGHLIGHT))
        .render()
}

fn shared(stage: &Stage, pose: &Pose) -> Result<Image> {
    let mut scene = stage.scene()?;
    scene.set_all_positions(Frame::from(&pose.0))?;
    let volume = swollen(&scene.intersection_surface(&[BODY, BALL], Resolution::rays(RAYS))?);
    let picture = canvas()
        .surface(Surface::new(&volume.positions, &volume.triangles).color(palette::HIGHLIGHT))
        .surface(surface(stage, pose, BALL).opacity(0.35))
        .surface(surface(stage, pose, BODY).opacity(0.35));
    Ok(picture.render())
}

fn inside(stage: &Stage, pose: &Pose, last: &Answers) -> Image {
    let points: Vec<[f64; 3]> = last
        .inside
        .iter()
        .zip(&pose.0[CLOTH.index()])
        .filter(|(inside, _)| **inside)
        .map(|(_, p)| *p)
        .collect();
    canvas()
        .surface(surface(stage, pose, BODY).opacity(0.5))
        .points(Points::new(&points).color(palette::HIGHLIGHT_B))
        .render()
}

fn confetti(stage: &Stage, pose: &Pose, last: &Answers) -> Image {
    let marked = marks(last, CONFETTI);
    canvas().surface(surface(stage, pose, CONFETTI).highlight(&marked)).render()
}

fn distance(stage: &Stage, pose: &Pose, last: &Answers) -> Image {
    let ends = [last.near.a.point, last.near.b.point];
    let line = [ends];
    canvas()
        .surface(surface(stage, pose, RING))
        .surface(surface(stage, pose, CLOTH).opacity(0.6))
        .lines(Lines::new(&line).color(palette::HIGHLIGHT).see_through(1.0))
        .points(Points::new(&ends).color(palette::HIGHLIGHT).see_through(1.0))
        .render()
}

/// The report.
pub fn report(
    stage: &Stage,
    scene: &Scene,
    frames: &[Answers],
    proof: &Proof,
    tunnel: &Tunnel,
    pictures: &[(&'static str, Image)],
) -> Report {
    let image = |name: &str| &pictures.iter().find(|(n, _)| *n == name).expect("drawn above").1;
    let pairs: usize = frames.iter().map(|f| f.contacts.len()).sum();
    let glance = Section::new("At a glance")
        .text("A cloth lies over a body that breathes, a soft ball is pressed against the body from below, a ring sinks towards the cloth, and confetti drifts beside them. Nothing here is a file: the program makes the scene, asks every question in every frame, and writes this page.")
        .cards([
            Card::new("Triangles", count(stage.mesh.triangles().len() as u64)),
            Card::new("Tets", count(stage.mesh.tets().len() as u64)),
            Card::new("Frames", FRAMES.to_string()),
            Card::new("Intersecting pairs", count(pairs as u64)).note("all frames"),
            proof_card(proof),
        ])
        .picture(image("stage"), "The last frame. Triangles that touch another are vermilion.");
    Report::new("Crumple: the demonstration")
        .subtitle("Collision detection for meshes that change shape, every question at a time.")
        .fact("Version", env!("CARGO_PKG_VERSION"))
        .fact("Threads", rayon::current_num_threads().to_string())
        .section(glance)
        .section(cost(scene, frames))
        .section(touching(frames, image("cloth")))
        .section(passing(frames, tunnel, image("tunnel")))
        .section(penetrating(frames, image("ball")))
        .section(volume(frames, [image("shared"), image("inside")]))
        .section(soup(frames, image("confetti")))
        .section(near(frames, image("distance")))
        .footer("Made by `crumple`. Run `crumple --help` for what it does with your own meshes.")
}

fn proof_card(proof: &Proof) -> Card {
    let (word, verdict) = if proof.equal { ("equal", Verdict::Good) } else { ("not equal", Verdict::Bad) };
    let note = format!("{} frames, {} pairs, {} vertices", proof.frames.len(), proof.pairs, proof.vertices);
    Card::new("Against brute force", word).verdict(verdict).note(note)
}

fn cost(scene: &Scene, frames: &[Answers]) -> Section {
    let mut table = Table::new(["question", "method", "mean time per frame"]);
    let asked = [
        Question::Contacts,
        Question::Impacts,
        Question::Distance,
        Question::Penetrations,
        Question::Inside,
        Question::Overlap,
        Question::Distance,
    ];
    let choices = scene.explain();
    for (q, question) in asked.into_iter().enumerate() {
        let method = choices.iter().find(|c| c.question == question).map_or("", |c| c.method);
        table = table.row([QUESTIONS[q].to_owned(), method.to_owned(), seconds(mean(frames, q))]);
    }
    Section::new("What it costs").table(table.caption("Wall time, update and query, on this machine, now."))
}

fn over_time(title: &str, unit: &str, series: Vec<(&str, Vec<f64>)>) -> Plot {
    let plot = Plot::new(title).x("frame", Scale::Linear).y(unit, Scale::Linear);
    series.into_iter().fold(plot, |plot, (name, values)| {
        plot.series(Series::line(name, values.into_iter().enumerate().map(|(f, v)| (f as f64, v))))
    })
}

fn touching(frames: &[Answers], image: &Image) -> Section {
    let pairs = frames.iter().map(|f| f.contacts.len() as f64).collect();
    Section::new("Where does the surface hit itself, or another?")
        .text("Every pair of triangles with a common point outside the simplex of their shared vertices, decided by exact signs.")
        .picture(image, "Cloth and body in the last frame.")
        .plot(over_time("Intersecting pairs", "pairs", vec![("all bodies", pairs)]))
}

fn passing(frames: &[Answers], tunnel: &Tunnel, image: &Image) -> Section {
    let impacts = frames.iter().map(|f| f.impacts as f64).collect();
    Section::new("What passed through what between two frames?")
        .text(format!(
            "All vertices move on straight lines from frame to frame; every vertex that hits a triangle and every edge that hits an edge on the way is found, exactly, with its time. {}",
            tunnel.text()
        ))
        .picture(image, "A ball before and after one step, and the cloth triangles that it passed through.")
        .plot(over_time("Impacts since the frame before", "impacts", vec![("all bodies", impacts)]))
}

fn penetrating(frames: &[Answers], image: &Image) -> Section {
    let vertices = frames.iter().map(|f| f.penetrations.len() as f64).collect();
    Section::new("Which vertices are inside which tetrahedra?")
        .text("Vertices of the body's surface inside tets of the ball, with their barycentric weights.")
        .picture(image, "The ball and the body, ghosted, with the penetrating vertices.")
        .plot(over_time("Vertices inside tets", "vertices", vec![("all bodies", vertices)]))
}

fn volume(frames: &[Answers], [shared_image, inside_image]: [&Image; 2]) -> Section {
    let band = frames.iter().enumerate().map(|(f, a)| (f as f64, a.overlap.lower, a.overlap.upper));
    let series = Series::line("volume", frames.iter().enumerate().map(|(f, a)| (f as f64, a.overlap.volume)))
        .band(band);
    let shared = Plot::new("Volume shared by ball and body")
        .x("frame", Scale::Linear)
        .y("volume", Scale::Linear)
        .series(series);
    let inside = frames.iter().map(|f| f.inside.iter().filter(|i| **i).count() as f64).collect();
    Section::new("How much volume do they share? Is this point inside?")
        .text("The volume comes with a lower and an upper bound that hold whatever the resolution; the band shows them. Inside flags are exact.")
        .pictures([
            (shared_image, "What ball and body share in the last frame, as a closed surface."),
            (inside_image, "Cloth vertices that are inside the body."),
        ])
        .plots([shared, over_time("Cloth vertices inside the body", "vertices", vec![("cloth", inside)])])
}

fn soup(frames: &[Answers], image: &Image) -> Section {
    let within = |a: &Answers| {
        let is_confetti = |c: &&Contact| c.a.body == CONFETTI && c.b.body == CONFETTI;
        a.contacts.iter().filter(is_confetti).count() as f64
    };
    Section::new("Which pieces of this soup touch?")
        .text(
            "Confetti has no topology: loose triangles that drift. The answer is as exact as on a manifold.",
        )
        .picture(image, "Confetti in the last frame.")
        .plot(over_time("Touching pieces", "pairs", vec![("confetti", frames.iter().map(within).collect())]))
}

fn near(frames: &[Answers], image: &Image) -> Section {
    let distance = frames.iter().map(|f| f.near.distance).collect();
    Section::new("How close are they, and where?")
        .text("The ring sinks towards the cloth. The distance is that of the surfaces, with the points and features that realise it.")
        .picture(image, "The shortest connection of ring and cloth in the last frame.")
        .plot(over_time("Distance of ring and cloth", "distance", vec![("ring to cloth", distance)]))
}
