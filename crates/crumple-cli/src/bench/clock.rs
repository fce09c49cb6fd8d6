//! Time: the process's CPU time on one thread, else the wall's.

use std::time::Instant;

use cpu_time::ProcessTime;

/// Which clock to read. With one thread CPU time is what the work costs, whatever else the machine does; with
/// more it would add up the threads, so the wall clock is read.
#[derive(Debug, Clone, Copy)]
pub enum Clock {
    /// CPU time of the process.
    Process,
    /// Wall time.
    Wall,
}

/// A moment on a [`Clock`].
#[derive(Debug, Clone, Copy)]
pub enum Moment {
    Process(ProcessTime),
    Wall(Instant),
}

impl Clock {
    /// The clock for this many threads.
    pub fn new(threads: usize) -> Self {
        if threads == 1 { Self::Process } else { Self::Wall }
    }

    /// Now.
    pub fn now(self) -> Moment {
        match self {
            Self::Process => Moment::Process(ProcessTime::now()),
            Self::Wall => Moment::Wall(Instant::now()),
        }
    }

    /// Seconds since a moment of this clock.
    pub fn since(self, moment: Moment) -> f64 {
        match moment {
            Moment::Process(start) => start.elapsed().as_secs_f64(),
            Moment::Wall(start) => start.elapsed().as_secs_f64(),
        }
    }
}
