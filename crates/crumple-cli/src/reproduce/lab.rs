//! The bench that all experiments share: scenes in place, clocks, contenders in turn.

use anyhow::{Context, Result};
use cpu_time::ThreadTime;
use crumple::{Bodies, Contacts, Detector, Frame, Mesh, Pairs, Positions, Stats};
use crumple_scenes::{Elements, LazyBody, LazyScene};

use super::measure::Span;

/// How much of each experiment is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// As many steps as fit into seconds, spread over the paper's.
    Sample,
    /// As many steps as the paper.
    Full,
}

impl Extent {
    /// How many steps of the paper's are run.
    pub fn steps(self, sample: usize, paper: usize) -> usize {
        match self {
            Self::Sample => sample.min(paper),
            Self::Full => paper,
        }
    }

    /// How often a step is repeated. A thousand steps even out a busy moment by themselves: with all of them, twice.
    pub fn rounds(self, sample: usize) -> usize {
        match self {
            Self::Sample => sample,
            Self::Full => sample.min(2),
        }
    }
}

/// A scene as the engine sees it.
pub struct Stage {
    pub mesh: Bodies,
    /// Its frames, made when they are asked for.
    pub scene: LazyScene,
}

/// Where all bodies are in one frame.
pub struct Pose(pub Vec<Vec<[f64; 3]>>);

impl Pose {
    /// As the engine takes them.
    pub fn slices(&self) -> Vec<Positions<'_>> {
        self.0.iter().map(Positions::from).collect()
    }
}

impl Stage {
    /// One of our scenes by name.
    pub fn named(name: &str) -> Result<Self> {
        Self::of(crumple_scenes::lazy(name).with_context(|| format!("scene {name}"))?)
    }

    /// Any scene.
    pub fn of(scene: LazyScene) -> Result<Self> {
        let body = |b: &LazyBody| match &b.elements {
            Elements::Triangles(t) => Mesh::from_triangles(&b.name, b.vertices, t),
            Elements::Tets(t) => Mesh::from_tets(&b.name, b.vertices, t),
            Elements::Points => Mesh::from_points(&b.name, b.vertices),
        };
        let mesh = Bodies::new(scene.bodies.iter().map(body).collect::<Result<Vec<_>, _>>()?)?;
        Ok(Self { mesh, scene })
    }

    /// Where everything is in a frame.
    pub fn pose(&self, frame: usize) -> Pose {
        Pose(self.scene.bodies.iter().map(|b| b.positions(frame)).collect())
    }

    /// Positions of `count` frames, spread evenly over all.
    pub fn poses(&self, count: usize) -> Vec<Pose> {
        let count = count.min(self.scene.frames);
        (0..count).map(|k| self.pose(k * self.scene.frames / count)).collect()
    }

    /// The same, up to the last frame: what an approach ends with.
    pub fn poses_to_the_end(&self, count: usize) -> Vec<Pose> {
        let count = count.min(self.scene.frames);
        (1..=count).map(|k| self.pose(k * self.scene.frames / count - 1)).collect()
    }

    /// Vertices and tets: the primitives that Teschner counts.
    pub fn primitives(&self) -> usize {
        self.mesh.vertex_count() + self.mesh.tets().len()
    }
}

/// CPU seconds of this thread that some work takes, and its result.
pub fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = ThreadTime::now();
    let result = work();
    (start.elapsed().as_secs_f64(), result)
}

/// The best time of some rounds, and the last result.
pub fn best<T>(rounds: usize, mut work: impl FnMut() -> Result<T>) -> Result<(f64, T)> {
    let (mut least, first) = timed(&mut work);
    let mut last = first?;
    for _ in 1..rounds {
        let (seconds, result) = timed(&mut work);
        least = least.min(seconds);
        last = result?;
    }
    Ok((least, last))
}

/// What one contender took and found.
#[derive(Debug, Clone, Default)]
pub struct Lap {
    /// Best time of each pose: update and contacts.
    pub seconds: Vec<f64>,
    /// The part of it that is the update.
    pub update: Vec<f64>,
    /// What each query counted.
    pub stats: Vec<Stats>,
    /// Seconds of all poses, one sum for each repetition.
    rounds: Vec<f64>,
}

impl Lap {
    /// Mean seconds per pose.
    pub fn mean(&self) -> f64 {
        mean(&self.seconds)
    }

    /// The median of the repetitions: what a ratio to this one is a ratio to.
    pub fn typical(&self) -> f64 {
        Span::of(&self.rounds).mid
    }

    /// The time over another's that ran in turn with it, one ratio for each repetition.
    pub fn against(&self, other: &Self) -> Span {
        ratio(&self.rounds, &other.rounds)
    }

    /// Contacts of all poses.
    pub fn contacts(&self) -> u64 {
        self.stats.iter().map(|s| s.contacts).sum()
    }

    /// A count of the queries, mean per pose.
    pub fn count(&self, of: impl Fn(&Stats) -> u64) -> f64 {
        self.stats.iter().map(|s| of(s) as f64).sum::<f64>() / self.stats.len().max(1) as f64
    }
}

/// Follows the poses with every contender, in turn, for some rounds; a pose's time is its best.
pub fn race<D: Detector>(
    contenders: &mut [D],
    mesh: &Bodies,
    poses: &[Pose],
    pairs: Pairs,
    rounds: usize,
) -> Result<Vec<Lap>> {
    let mut laps = vec![Lap { rounds: vec![0.0; rounds], ..Lap::default() }; contenders.len()];
    let mut contacts = Contacts::default();
    for pose in poses {
        let slices = pose.slices();
        let frame = Frame::new(&slices);
        for (lap, contender) in laps.iter_mut().zip(&mut *contenders) {
            let (mut least, mut update, mut stats) = (f64::INFINITY, 0.0, Stats::default());
            for round in 0..rounds {
                let (follow, ready) = timed(|| contender.update(mesh, frame));
                let mut ready = ready?;
                let (ask, counted) = timed(|| ready.contacts(pairs, &mut contacts));
                lap.rounds[round] += follow + ask;
                if follow + ask < least {
                    (least, update, stats) = (follow + ask, follow, counted);
                }
            }
            lap.seconds.push(least);
            lap.update.push(update);
            lap.stats.push(stats);
        }
    }
    Ok(laps)
}

/// The ratios of two lists of times that were taken in turn: their median and quartiles.
pub fn ratio(a: &[f64], b: &[f64]) -> Span {
    Span::of(&a.iter().zip(b).map(|(a, b)| a / b).collect::<Vec<_>>())
}

/// Seconds of each piece of work in each round, all pieces in turn.
pub fn in_turn<const N: usize>(
    rounds: usize,
    mut work: [&mut dyn FnMut() -> Result<()>; N],
) -> Result<[Vec<f64>; N]> {
    let mut seconds = [const { Vec::new() }; N];
    for _ in 0..rounds {
        for (seconds, work) in seconds.iter_mut().zip(&mut work) {
            let (s, done) = timed(&mut **work);
            done?;
            seconds.push(s);
        }
    }
    Ok(seconds)
}

/// How many of some sorted things are not among others.
pub fn missing<T: Ord>(truth: &[T], seen: &[T]) -> usize {
    truth.iter().filter(|t| seen.binary_search(t).is_err()).count()
}

/// `1 step`, `20 steps`.
pub fn plural(n: usize, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{} {one}s", crate::output::thousands(n)) }
}

/// The mean; 0 of nothing.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The standard deviation.
pub fn deviation(values: &[f64]) -> f64 {
    let m = mean(values);
    mean(&values.iter().map(|v| (v - m) * (v - m)).collect::<Vec<_>>()).sqrt()
}

/// The smallest.
pub fn smallest(values: &[f64]) -> f64 {
    extremes(values).0
}

/// The smallest and the largest.
pub fn extremes(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), &v| (lo.min(v), hi.max(v)))
}

/// The exponent of the power law that fits (x, y) best: the slope of their logarithms.
pub fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<_> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let (mx, my) = (
        logs.iter().map(|p| p.0).sum::<f64>() / logs.len() as f64,
        logs.iter().map(|p| p.1).sum::<f64>() / logs.len() as f64,
    );
    let (top, bottom) =
        logs.iter().fold((0.0, 0.0), |(t, b), (x, y)| (t + (x - mx) * (y - my), b + (x - mx) * (x - mx)));
    top / bottom
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_what_they_say() {
        let values = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0];
        assert_eq!((mean(&values), deviation(&values), smallest(&values)), (5.0, 2.0, 2.0));
        let squares: Vec<_> = (1..9).map(|x| (f64::from(x), 3.0 * f64::from(x * x))).collect();
        assert!((exponent(&squares) - 2.0).abs() < 1e-12);
    }

    #[test]
    fn poses_are_spread_over_the_scene() {
        let stage = Stage::named("T25").unwrap();
        assert_eq!((stage.scene.frames, stage.primitives()), (1000, 2200));
        let poses = stage.poses(4);
        assert_eq!(poses.len(), 4);
        assert_eq!(poses[1].0[0], stage.pose(250).0[0]);
    }
}
