//! Layers: the crossings of one body's surface with the centre rays of a window, sorted.

/// One crossing of a centre ray and a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Fragment {
    /// Depth in lattice units.
    pub z: f64,
    pub triangle: u32,
    pub column: u16,
    /// The slice, as a bit of the window.
    pub bit: u8,
    /// 1 where the ray enters, −1 where it leaves.
    pub step: i8,
}

/// The layers of one body in one window, column after column.
#[derive(Debug, Default)]
pub(super) struct Layers {
    /// First layer of each column, and the total last.
    pub starts: Vec<u32>,
    /// Sorted by column, depth, entries before exits, triangle.
    pub fragments: Vec<Fragment>,
    unsorted: Vec<Fragment>,
}

impl Layers {
    pub fn clear(&mut self) -> &mut Vec<Fragment> {
        self.unsorted.clear();
        &mut self.unsorted
    }

    /// Sorts what was drawn: by counting into columns, then each short list on its own.
    pub fn sort(&mut self, columns: usize) {
        self.starts.clear();
        self.starts.resize(columns + 1, 0);
        for f in &self.unsorted {
            self.starts[f.column as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += std::mem::replace(start, sum);
        }
        self.fragments.clear();
        self.fragments
            .resize(self.unsorted.len(), Fragment { z: 0.0, triangle: 0, column: 0, bit: 0, step: 0 });
        for f in &self.unsorted {
            let place = &mut self.starts[f.column as usize];
            self.fragments[*place as usize] = *f;
            *place += 1;
        }
        // Every start has moved to the end of its column, which is the start of the next one.
        self.starts.rotate_right(1);
        self.starts[0] = 0;
        for c in 0..columns {
            let column = &mut self.fragments[self.starts[c] as usize..self.starts[c + 1] as usize];
            if column.len() > 1 {
                column.sort_unstable_by(|a, b| {
                    a.z.total_cmp(&b.z).then(b.step.cmp(&a.step)).then(a.triangle.cmp(&b.triangle))
                });
            }
        }
    }

    /// The layers of a column, lowest first.
    #[inline(always)]
    pub fn column(&self, column: usize) -> &[Fragment] {
        &self.fragments[self.starts[column] as usize..self.starts[column + 1] as usize]
    }
}
