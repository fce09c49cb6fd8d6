//! How long a pass may be, and how far it must look.
//!
//! The longer a pass, the further things may go in it, and the further it must look for what they may meet. A pass ends where two
//! clusters that may meet would go further against each other than a part of their edges.

use glam::DVec3;

use crate::World;
use crate::clusters::Group;

/// How much further things may go than their speed at the beginning says.
const MARGIN: f64 = 1.4;
/// How far things may go against each other in a pass, in edges of the finer body.
const REACH: f64 = 0.4;
/// What is looked at beyond that anyway, in edges.
const SLACK: f64 = 0.08;

/// A pass: how long, and what it looks at.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// Its length.
    pub time: f64,
    /// The search radius of every body; two bodies are searched within the mean of theirs.
    pub radii: Vec<f64>,
    /// Two groups, and how much their displacements may differ.
    bounds: Vec<(u32, u32, f64)>,
    /// All other pairs of groups are further apart than this.
    far: f64,
}

impl World {
    /// Plans the next pass, of at most `remaining`, in substeps of `nominal`.
    pub(crate) fn plan(&mut self, remaining: f64, nominal: f64) -> Plan {
        let gravity = DVec3::from_array(self.settings.gravity) * remaining;
        let state = &self.state;
        let mut rate: Vec<DVec3> = (0..state.x.len())
            .map(|v| if state.w[v] > 0.0 { state.v[v] + gravity } else { DVec3::ZERO })
            .collect();
        for body in &self.bodies {
            for (v, goal) in body.range().zip(body.goal.iter().flatten()) {
                rate[v] = (*goal - state.x[v]) / remaining;
            }
        }
        self.clusters.enclose(&state.x);
        self.clusters.measure(|v| rate[v]);
        let pairs = self.group_pairs(remaining);
        let mut time = remaining;
        for &(a, b, distance) in &pairs {
            let [a, b] = [a, b].map(|g| &self.clusters.groups[g as usize]);
            let speed = MARGIN * a.difference(b);
            let allowed = distance.max(self.reach(a, b));
            if speed * time > allowed {
                time = allowed / speed;
            }
        }
        if time < remaining {
            time =
                if time >= nominal { (time / nominal).floor() * nominal } else { time.max(nominal / 256.0) };
        }
        self.plan_radii(time, &pairs)
    }

    /// Pairs of groups that are to be watched, and how far their boxes are apart: two bodies that cannot meet as they are, the
    /// others by their clusters.
    fn group_pairs(&self, remaining: f64) -> Vec<(u32, u32, f64)> {
        let groups = &self.clusters.groups;
        let mut pairs = Vec::new();
        let is_still = |b: usize| self.bodies[b].is_led() && self.bodies[b].goal.is_none();
        for b in 0..self.bodies.len() {
            for a in 0..=b {
                let (of_a, of_b) = (&self.clusters.of_body[a], &self.clusters.of_body[b]);
                if is_still(a) && is_still(b) || of_a.is_empty() || of_b.is_empty() {
                    continue;
                }
                let [i, j] = [a, b].map(|k| self.clusters.count + k);
                let distance = groups[i].distance(&groups[j]);
                if a != b && distance > 2.0 * MARGIN * groups[i].difference(&groups[j]) * remaining {
                    pairs.push((i as u32, j as u32, distance));
                    continue;
                }
                for j in of_b.clone() {
                    let end = if a == b { j + 1 } else { of_a.end };
                    pairs.extend(
                        (of_a.start..end).map(|i| (i as u32, j as u32, groups[i].distance(&groups[j]))),
                    );
                }
            }
        }
        pairs
    }

    fn reach(&self, a: &Group, b: &Group) -> f64 {
        let [a, b] = [a, b].map(|g| self.bodies[g.body as usize].edge);
        REACH * a.min(b)
    }

    fn plan_radii(&self, time: f64, pairs: &[(u32, u32, f64)]) -> Plan {
        let mut radii: Vec<f64> = self.bodies.iter().map(|b| b.thickness).collect();
        for &(i, j, distance) in pairs {
            let [a, b] = [i, j].map(|g| &self.clusters.groups[g as usize]);
            let way = MARGIN * a.difference(b) * time + SLACK / REACH * self.reach(a, b);
            if way >= distance {
                for body in [a.body, b.body].map(|b| b as usize) {
                    radii[body] = radii[body].max(self.bodies[body].thickness + way);
                }
            }
        }
        let longest =
            self.clusters.groups[..self.clusters.count].iter().map(Group::longest).fold(0.0, f64::max);
        let far = 4.0 * longest * time + radii.iter().copied().fold(0.0, f64::max);
        let mut bounds = Vec::new();
        for &(i, j, distance) in pairs {
            let [a, b] = [i, j].map(|g| self.clusters.groups[g as usize].body as usize);
            // What is looked at is closer than the mean of the radii, exactly.
            let bound = distance.max(0.5 * radii[a] + 0.5 * radii[b]);
            if bound < far {
                bounds.push((i, j, bound * (1.0 - 1e-9)));
            }
        }
        Plan { time, radii, bounds, far: far * (1.0 - 1e-9) }
    }

    /// Whether nothing can have come near that was not when the pass began at `anchor`.
    pub(crate) fn is_within(&mut self, plan: &Plan, anchor: &[DVec3]) -> bool {
        let x = &self.state.x;
        self.clusters.measure(|v| x[v] - anchor[v]);
        let groups = &self.clusters.groups;
        let longest = groups[..self.clusters.count].iter().map(Group::longest).fold(0.0, f64::max);
        2.0 * longest < plan.far
            && plan
                .bounds
                .iter()
                .all(|&(a, b, bound)| groups[a as usize].difference(&groups[b as usize]) < bound)
    }
}
