//! `crumple step`: what passes through what between two frames, and when.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use crumple::narrow::continuous::{self, ImpactTime};
use crumple::{Answer, EdgeEdgeImpact, Guarantee, Question, StepMethod, VertexTriangleImpact};
use serde::Serialize;

use crate::args::{Common, QueryKind, StepArgs, StepMethodArg};
use crate::output::{self, duration, thousands};
use crate::views;
use crate::world::World;

/// The JSON document.
#[derive(Serialize)]
pub struct Report {
    schema: &'static str,
    collides: bool,
    time: Option<[f64; 2]>,
    pub vertex_triangles: Answer<VertexTriangleImpact>,
    pub edge_edges: Answer<EdgeEdgeImpact>,
    guarantee: Guarantee,
    seconds: Seconds,
}

#[derive(Serialize)]
struct Seconds {
    load: f64,
    update: f64,
    query: f64,
}

/// The JSON document of single queries.
#[derive(Serialize)]
struct QueryReport {
    schema: &'static str,
    verdicts: Vec<u8>,
    times: Vec<Option<[f64; 2]>>,
    /// Verdicts that the file states otherwise; absent when it states none.
    disagreements: usize,
    seconds: QuerySeconds,
}

#[derive(Serialize)]
struct QuerySeconds {
    load: f64,
    query: f64,
}

/// Finds the impacts; true when something hits.
pub fn run(args: &StepArgs, common: &Common) -> Result<bool> {
    if let Some(file) = &args.queries {
        return queries(file, args.kind.context("--queries needs --kind")?, common);
    }
    // The parser does not ask for --queries where it excludes what is there.
    if args.kind.is_some() {
        bail!("--kind says what --queries are about; there are none");
    }
    let (from, to) = match &args.files[..] {
        [] => (&args.from[..], &args.to[..]),
        [_, _] if args.from.is_empty() && args.to.is_empty() => (&args.files[..1], &args.files[1..]),
        _ => bail!("a step needs two files, FROM and TO, or --from and --to"),
    };
    if from.is_empty() || from.len() != to.len() {
        bail!("--from names {} bodies, --to {}: a step needs both ends of each", from.len(), to.len());
    }
    let start = Instant::now();
    let mut world = World::empty();
    for (from, to) in from.iter().zip(to) {
        world.add_sequence(&[from.clone(), to.clone()])?;
    }
    world.scene.use_step_method(match args.method {
        StepMethodArg::Auto => None,
        StepMethodArg::Regularity => Some(StepMethod::Regularity),
        StepMethodArg::SweptBvh => Some(StepMethod::SweptBvh),
    });
    world.scene.begin_step();
    world.go_to(1)?;
    let load = output::seconds(start);
    output::explain(common, &world.scene, &[Question::Impacts]);
    let start = Instant::now();
    world.scene.prepare(Question::Impacts)?;
    let update = output::seconds(start);
    let start = Instant::now();
    let found = world.scene.impacts()?;
    let query = output::seconds(start);
    let report = Report {
        schema: "crumple.step/1",
        collides: !found.is_empty(),
        time: found.first.map(interval),
        vertex_triangles: found.vertex_triangles,
        edge_edges: found.edge_edges,
        guarantee: Guarantee::Proved,
        seconds: Seconds { load, update, query },
    };
    if let Some(path) = &common.picture {
        let ends = world.positions();
        world.go_to(0)?;
        views::step(common, &world.scene, &ends, &report)
            .save(path)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    output::emit(common, &report, || report.text(&world))?;
    Ok(report.collides)
}

fn interval(time: ImpactTime) -> [f64; 2] {
    [time.after, time.by]
}

impl Report {
    /// What a picture says.
    pub fn caption(&self) -> String {
        let (v, e) = (thousands(self.vertex_triangles.len()), thousands(self.edge_edges.len()));
        match self.time {
            None => "nothing hits between the two frames".to_owned(),
            Some([t, _]) => format!("{v} vertices hit triangles, {e} edges hit edges, first at t = {t:.6}"),
        }
    }

    fn text(&self, world: &World) -> String {
        let Seconds { load, update, query } = self.seconds;
        let times = output::in_all(&[("reading", load), ("building", update), ("searching", query)]);
        let Some([lo, hi]) = self.time else {
            return format!("nothing hits ({})\n{times}", self.guarantee);
        };
        let first = if lo == hi { format!("{lo}") } else { format!("{lo:.9} (within {:.0e})", hi - lo) };
        let mut lines = vec![
            format!(
                "{} vertices hit triangles, {} edges hit edges ({})",
                thousands(self.vertex_triangles.len()),
                thousands(self.edge_edges.len()),
                self.guarantee
            ),
            format!("  first at t = {first}, where 0 is the first frame and 1 the second"),
        ];
        let name = |b: crumple::BodyId| world.scene.mesh(b).map_or("", |m| m.name()).to_owned();
        let mut early: Vec<&VertexTriangleImpact> = self.vertex_triangles.iter().collect();
        early.sort_by(|a, b| a.time.after.total_cmp(&b.time.after));
        for hit in early.iter().take(SHOWN) {
            let (v, t) = (hit.vertex, hit.triangle);
            let (a, b) = (name(v.body), name(t.body));
            lines.push(format!(
                "  t = {:.6}: vertex {} of {a} hits triangle {} of {b}",
                hit.time.after, v.id, t.id
            ));
        }
        if self.vertex_triangles.len() > SHOWN {
            lines.push("  … (--json lists all)".to_owned());
        }
        lines.push(times);
        lines.join("\n")
    }
}

/// How many hits are shown to people.
const SHOWN: usize = 8;

/// Single queries in the published format.
fn queries(file: &Path, kind: QueryKind, common: &Common) -> Result<bool> {
    let start = Instant::now();
    let queries = crumple_io::read_queries(file)?;
    let load = output::seconds(start);
    let start = Instant::now();
    let ask = match kind {
        QueryKind::VertexFace => continuous::vertex_triangle,
        QueryKind::EdgeEdge => continuous::edge_edge,
    };
    let found: Vec<Option<ImpactTime>> = queries.iter().map(|q| ask(&q.start, &q.end, 1.0)).collect();
    let report = QueryReport {
        schema: "crumple.queries/1",
        disagreements: queries.iter().zip(&found).filter(|(q, f)| q.collides != f.is_some()).count(),
        verdicts: found.iter().map(|f| u8::from(f.is_some())).collect(),
        times: found.iter().map(|f| f.map(interval)).collect(),
        seconds: QuerySeconds { load, query: output::seconds(start) },
    };
    let hits = report.verdicts.iter().filter(|v| **v == 1).count();
    output::emit(common, &report, || {
        format!(
            "{} of {} queries hit ({}); {} verdicts differ from the file's",
            thousands(hits),
            thousands(queries.len()),
            duration(report.seconds.query),
            report.disagreements
        )
    })?;
    Ok(hits > 0)
}
