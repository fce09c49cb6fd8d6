//! Frames that are read while others are checked.
//!
//! A few threads read frames ahead, each every n-th one, and hand them over through channels that hold one frame: the check
//! takes them in order, and memory holds at most two frames a thread beside the one at hand.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Instant;

use anyhow::{Context, Result};
use crumple_io::{ReadError, Sequence};

/// The positions of each moving body in one frame.
type FramePositions = Vec<Vec<[f64; 3]>>;

/// Frames in the order in which they were asked for.
pub struct Prefetch {
    readers: Vec<Receiver<Result<FramePositions, ReadError>>>,
    next: usize,
    /// Nanoseconds that all threads spent reading.
    reading: Arc<AtomicU64>,
    waited: f64,
}

impl Prefetch {
    /// Begins to read `frames` of all sequences.
    pub fn new(sequences: Vec<Arc<Sequence>>, frames: Vec<usize>) -> Self {
        // Checking wants cores too; more than four readers of one disk gain nothing.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = (cores / 2).clamp(1, 4).min(frames.len().max(1));
        let (sequences, frames) = (Arc::new(sequences), Arc::new(frames));
        let reading = Arc::new(AtomicU64::new(0));
        let readers = (0..threads).map(|first| {
            let (sender, receiver) = sync_channel(1);
            let (sequences, frames) = (Arc::clone(&sequences), Arc::clone(&frames));
            let reading = Arc::clone(&reading);
            std::thread::spawn(move || {
                for &frame in frames.iter().skip(first).step_by(threads) {
                    let start = Instant::now();
                    let read = sequences.iter().map(|sequence| {
                        let mut positions = Vec::new();
                        sequence.read_frame(frame, &mut positions).map(|()| positions)
                    });
                    let read = read.collect();
                    reading.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
                    // Nobody waits any more: the check was stopped.
                    if sender.send(read).is_err() {
                        return;
                    }
                }
            });
            receiver
        });
        let readers = readers.collect();
        Self { readers, next: 0, reading, waited: 0.0 }
    }

    /// The next frame.
    pub fn next(&mut self) -> Result<FramePositions> {
        let start = Instant::now();
        let reader = &self.readers[self.next % self.readers.len()];
        self.next += 1;
        let frame = reader.recv().context("the thread that reads frames has ended")?;
        self.waited += start.elapsed().as_secs_f64();
        Ok(frame?)
    }

    /// Seconds spent reading, and seconds that [`Prefetch::next`] waited.
    pub fn seconds(&self) -> [f64; 2] {
        [self.reading.load(Ordering::Relaxed) as f64 * 1e-9, self.waited]
    }
}
