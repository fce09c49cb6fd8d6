//! A start that crosses, taken apart before anything moves.

use crumple::{Element, UntangleOptions, Untangled, VertexId};
use glam::DVec3;

use crate::plan::Watch;
use crate::{Mode, Settings, SimError, World};

/// Steps in which closed bodies are pushed out of each other where moving surfaces did not do.
const STEPS: usize = 100;

/// Sweeps in which the inside of tetrahedral bodies follows its surface.
const SWEEPS: usize = 40;

impl World {
    /// Takes apart what crosses, as geometry ([`crumple::Scene::untangle`]): surfaces move as little as possible, pins and what is led stay,
    /// the inside of tetrahedral bodies follows. Closed bodies of which something is left are pushed out of each other by the volume
    /// that they share, and surfaces are untangled once more. The rest shapes stay what they were.
    pub fn untangle(&mut self) -> Result<Untangled, SimError> {
        self.build();
        let mut done = self.untangle_surfaces()?;
        if done.after > 0 && self.expel()? < done.after {
            let first = std::mem::replace(&mut done, self.untangle_surfaces()?);
            done.before = first.before;
            done.rounds += first.rounds;
        }
        (self.watch, self.is_admitted) = (Watch::default(), false);
        Ok(done)
    }

    fn untangle_surfaces(&mut self) -> Result<Untangled, SimError> {
        self.show()?;
        let mut options = UntangleOptions::default();
        options.fixed = self.pins().collect();
        let mut done = self.scene.untangle(&options)?;
        for id in self.bodies() {
            let body = &self.bodies[id.index()];
            let (range, at) = (body.range(), self.scene.positions(id)?);
            let ways: Vec<DVec3> =
                self.state.x[range.clone()].iter().zip(at).map(|(x, p)| DVec3::from_array(*p) - *x).collect();
            if ways.iter().any(|w| *w != DVec3::ZERO) {
                let ways = self.inside_follows(id.index(), ways);
                self.state.x[range].iter_mut().zip(ways).for_each(|(x, way)| *x += way);
            }
        }
        // Sums are rounded: what is shown is what counts.
        self.show()?;
        done.after = self.scene.contacts()?.len();
        self.is_crossed = done.after > 0;
        Ok(done)
    }

    /// Vertices inside a body of tets go the mean of their neighbours' ways.
    fn inside_follows(&self, body: usize, mut ways: Vec<DVec3>) -> Vec<DVec3> {
        let body = &self.bodies[body];
        if !body.mesh.is_solid() {
            return ways;
        }
        let mut is_outside = vec![false; ways.len()];
        body.mesh.triangles().iter().flatten().for_each(|v| is_outside[v.index()] = true);
        let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); ways.len()];
        for &[a, b] in body.mesh.tet_topology().edges() {
            neighbours[a.index()].push(b.0);
            neighbours[b.index()].push(a.0);
        }
        let is_held = |v: usize| self.state.w[body.first + v] == 0.0;
        for _ in 0..SWEEPS {
            for v in (0..ways.len()).filter(|&v| !is_outside[v] && !is_held(v)) {
                let sum: DVec3 = neighbours[v].iter().map(|n| ways[*n as usize]).sum();
                ways[v] = sum / neighbours[v].len().max(1) as f64;
            }
        }
        ways
    }

    /// Steps without speed and gravity in which only contacts and shared volumes push; how many pairs are left.
    fn expel(&mut self) -> Result<usize, SimError> {
        let settings = self.settings.clone();
        let velocities = self.state.v.clone();
        self.settings = Settings { mode: Mode::Free, gravity: [0.0; 3], ..settings.clone() };
        let (frame, time) = (self.frame, self.time);
        let mut left = Ok(0);
        for _ in 0..STEPS {
            self.state.v.fill(DVec3::ZERO);
            left = self.step(1.0 / 60.0).map(|report| report.intersections);
            if !matches!(left, Ok(n) if n > 0) {
                break;
            }
        }
        (self.settings, self.state.v) = (settings, velocities);
        (self.frame, self.time) = (frame, time);
        left
    }

    /// The vertices that are pinned.
    pub fn pins(&self) -> impl Iterator<Item = Element<VertexId>> + '_ {
        self.handles.pins.iter().map(|&v| {
            let (body, id) = self.locate(v);
            Element { body, id }
        })
    }
}
