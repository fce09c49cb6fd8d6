//! The image in parts that fit the device's buffers.

/// Pixels whose columns follow each other: whole rows, or a part of one row. Ends are included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Band {
    pub first: [u32; 2],
    pub last: [u32; 2],
}

impl Band {
    /// The whole of an image.
    pub fn whole(resolution: [u32; 2]) -> Self {
        Self { first: [0, 0], last: resolution.map(|n| n - 1) }
    }

    /// Number of pixels.
    pub fn columns(&self) -> u64 {
        (0..2).map(|k| u64::from(self.last[k] - self.first[k] + 1)).product()
    }

    /// Two halves, the first one first; `None` for a single pixel.
    pub fn split(self) -> Option<[Self; 2]> {
        let k = if self.first[1] < self.last[1] { 1 } else { 0 };
        if self.first[k] == self.last[k] {
            return None;
        }
        let middle = self.first[k] + (self.last[k] - self.first[k]) / 2;
        let (mut low, mut high) = (self, self);
        low.last[k] = middle;
        high.first[k] = middle + 1;
        Some([low, high])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitting_visits_every_column_once_and_in_order() {
        let across = 5;
        let mut columns = Vec::new();
        let mut stack = vec![Band::whole([across, 7])];
        while let Some(band) = stack.pop() {
            match band.split() {
                Some([low, high]) => stack.extend([high, low]),
                None => columns.push(band.first[1] * across + band.first[0]),
            }
            // Whole rows, or part of one.
            assert!(band.first[1] == band.last[1] || (band.first[0], band.last[0]) == (0, across - 1));
        }
        assert_eq!(columns, (0..35).collect::<Vec<_>>());
    }
}
