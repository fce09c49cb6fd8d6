//! What each sample of a band of rows sees: the nearest solid, ghosts before it, what shines through.

use super::projection::Projection;
use super::raster::{ROOKS, SAMPLES, Window, triangle};
use super::stage::Stage;

/// Names a primitive: 0 is none, then all triangles, then all rods.
pub(super) type Id = u32;

/// Ghosted layers kept per sample, nearest first; those beyond are not seen.
pub(super) const GHOSTS: usize = 4;

/// One sample's ghosted layers.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ghosts {
    depth: [f32; GHOSTS],
    pub(super) id: [Id; GHOSTS],
}

impl Ghosts {
    fn insert(&mut self, mut depth: f32, mut id: Id) {
        for k in 0..GHOSTS {
            if depth > self.depth[k] {
                std::mem::swap(&mut depth, &mut self.depth[k]);
                std::mem::swap(&mut id, &mut self.id[k]);
            }
        }
    }
}

/// The nearest primitive at each sample of some rows.
#[derive(Debug)]
pub(super) struct Nearest {
    pub(super) depth: Vec<f32>,
    pub(super) id: Vec<Id>,
}

impl Nearest {
    fn new(samples: usize) -> Self {
        Self { depth: vec![0.0; samples], id: vec![0; samples] }
    }

    fn clear(&mut self) {
        self.depth.fill(0.0);
        self.id.fill(0);
    }

    #[inline]
    fn test(&mut self, at: usize, depth: f32, id: Id) {
        if depth > self.depth[at] {
            self.depth[at] = depth;
            self.id[at] = id;
        }
    }
}

/// Some rows of the picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Band {
    /// Counted from the top.
    pub(super) number: usize,
    /// First row.
    pub(super) top: usize,
    /// Row after the last.
    pub(super) bottom: usize,
}

/// Which primitives touch which band.
pub(super) struct Bins {
    /// `starts[b]..starts[b + 1]` of `ids` are in band `b`, in the order of the stage.
    starts: Vec<u32>,
    ids: Vec<Id>,
}

impl Bins {
    pub(super) fn new(stage: &Stage, projection: &Projection, height: usize, rows: usize) -> Self {
        let bands = height.div_ceil(rows);
        let triangles = stage.triangles.iter().map(|t| {
            let y = projection.corners(t).map(|c| c.y);
            [y[0].min(y[1]).min(y[2]), y[0].max(y[1]).max(y[2])]
        });
        let extents: Vec<_> = triangles.chain(projection.rods.iter().map(|r| r.rows())).collect();
        // One pixel of slack covers the snapping of corners.
        let reach = |[low, high]: [f32; 2]| {
            let band = |y: f32| (y / rows as f32).clamp(0.0, bands as f32) as usize;
            if high < -1.0 || low > height as f32 + 1.0 {
                0..0
            } else {
                band(low - 1.0)..(band(high + 1.0) + 1).min(bands)
            }
        };
        let mut starts = vec![0_u32; bands + 1];
        for e in &extents {
            reach(*e).for_each(|b| starts[b + 1] += 1);
        }
        for b in 0..bands {
            starts[b + 1] += starts[b];
        }
        let mut next = starts.clone();
        let mut ids = vec![0; starts[bands] as usize];
        for (k, e) in extents.iter().enumerate() {
            reach(*e).for_each(|b| {
                ids[next[b] as usize] = k as Id + 1;
                next[b] += 1;
            });
        }
        Self { starts, ids }
    }

    fn band(&self, b: usize) -> &[Id] {
        &self.ids[self.starts[b] as usize..self.starts[b + 1] as usize]
    }
}

/// The samples of one band, reused from band to band.
#[derive(Debug)]
pub(super) struct Layers {
    width: usize,
    /// Whether marked triangles show through what hides them.
    marks_shine: bool,
    pub(super) solid: Nearest,
    /// Empty when nothing is ghosted.
    pub(super) ghosts: Vec<Ghosts>,
    /// What shines through; empty when nothing does.
    pub(super) through: Nearest,
}

impl Layers {
    pub(super) fn new(stage: &Stage, width: usize, rows: usize, marks_shine: bool) -> Self {
        let samples = width * rows * SAMPLES;
        let any_ghost = stage.triangles.iter().any(|t| t.is_ghost());
        let any_through = stage.rods.iter().any(|r| r.see_through > 0.0)
            || marks_shine && stage.triangles.iter().any(|t| t.is_marked());
        Self {
            width,
            marks_shine,
            solid: Nearest::new(samples),
            ghosts: vec![Ghosts::default(); if any_ghost { samples } else { 0 }],
            through: Nearest::new(if any_through { samples } else { 0 }),
        }
    }

    /// The first sample of a pixel; `y` counts from the band's first row.
    #[inline]
    pub(super) fn at(&self, x: usize, y: usize) -> usize {
        (y * self.width + x) * SAMPLES
    }

    /// Fills the band.
    pub(super) fn draw(&mut self, stage: &Stage, projection: &Projection, bins: &Bins, band: Band) {
        let Band { number, top, bottom } = band;
        self.solid.clear();
        self.through.clear();
        self.ghosts.fill(Ghosts::default());
        let window = Window { x: [0, self.width as i32], y: [top as i32, bottom as i32] };
        let width = self.width;
        let place = move |x: usize, y: usize, s: usize| ((y - top) * width + x) * SAMPLES + s;
        let count = stage.triangles.len();
        let Self { solid, ghosts, through, marks_shine, .. } = self;

        for id in bins.band(number) {
            let k = *id as usize - 1;
            if k < count {
                let t = &stage.triangles[k];
                if t.is_ghost() {
                    continue;
                }
                let shines = *marks_shine && t.is_marked();
                triangle(projection.corners(t), window, &ROOKS, |hit| {
                    let at = place(hit.x, hit.y, hit.sample);
                    solid.test(at, hit.depth, *id);
                    if shines {
                        through.test(at, hit.depth, *id);
                    }
                });
            } else {
                let rod = &stage.rods[k - count];
                let shines = rod.see_through > 0.0 || *marks_shine && rod.is_mark();
                projection.rods[k - count].scan(window, &ROOKS, |hit| {
                    let at = place(hit.x, hit.y, hit.sample);
                    solid.test(at, hit.depth, *id);
                    if shines {
                        through.test(at, hit.depth, *id);
                    }
                });
            }
        }
        if ghosts.is_empty() {
            return;
        }
        for id in bins.band(number) {
            let Some(t) = stage.triangles.get(*id as usize - 1).filter(|t| t.is_ghost()) else { continue };
            triangle(projection.corners(t), window, &ROOKS, |hit| {
                let at = place(hit.x, hit.y, hit.sample);
                if hit.depth > solid.depth[at] {
                    ghosts[at].insert(hit.depth, *id);
                }
            });
        }
    }
}
