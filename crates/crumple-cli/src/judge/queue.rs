//! Units judged by several threads, their rows handed over in order.
//!
//! Threads take units one after the other, so that a long unit holds up nobody: the others go on, until they are a fixed number of
//! units ahead of the first that is not ready. What is found waits here until its turn.
//!
//! Whether a unit is work depends on those before it (a limit counts the units that were judged anew), so that units are *classified*
//! strictly in order: cheap, and before the work.

use std::collections::BTreeMap;
use std::sync::mpsc::channel;
use std::sync::{Condvar, Mutex, PoisonError};

use anyhow::Result;

/// So many units per thread may be ahead of the first that is not ready.
const AHEAD: usize = 8;

#[derive(Default)]
struct Progress {
    /// The next unit to be taken.
    next: usize,
    classified: usize,
    handed_over: usize,
    is_over: bool,
}

/// What is done with each unit.
pub trait Work: Sync {
    /// What tells whether a unit is work.
    type Key: Send;
    type Plan: Send;
    type Answer: Send;

    /// On any thread, in any order.
    fn key(&self, unit: usize) -> Self::Key;
    /// One unit after the other, in order.
    fn classify(&self, unit: usize, key: Self::Key) -> Self::Plan;
    /// On any thread, in any order.
    fn judge(&self, unit: usize, plan: Self::Plan) -> Self::Answer;
    /// Whether no further unit shall be begun.
    fn is_stopped(&self) -> bool;
}

/// Judges `units` units on so many threads, and hands over every answer in order. Returns how many were handed over: less than all
/// when the work was stopped.
pub fn in_order<W: Work>(
    work: &W,
    units: usize,
    threads: usize,
    mut each: impl FnMut(W::Answer) -> Result<()>,
) -> Result<usize> {
    let (progress, changed) = (Mutex::new(Progress::default()), Condvar::new());
    let lock = || progress.lock().unwrap_or_else(PoisonError::into_inner);
    let wait = |guard| changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
    let take = || {
        let mut now = lock();
        while !now.is_over && now.next < units && now.next >= now.handed_over + AHEAD * threads {
            now = wait(now);
        }
        if now.is_over || now.next >= units || work.is_stopped() {
            now.is_over = true;
            changed.notify_all();
            return None;
        }
        now.next += 1;
        Some(now.next - 1)
    };
    let classify = |unit: usize, key: W::Key| {
        let mut now = lock();
        while now.classified < unit {
            now = wait(now);
        }
        let plan = work.classify(unit, key);
        now.classified += 1;
        changed.notify_all();
        plan
    };
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, units.max(1)) {
            let (sender, take, classify) = (sender.clone(), &take, &classify);
            scope.spawn(move || {
                while let Some(unit) = take() {
                    let plan = classify(unit, work.key(unit));
                    if sender.send((unit, work.judge(unit, plan))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let (mut waiting, mut handed_over) = (BTreeMap::new(), 0);
        for (unit, answer) in &receiver {
            waiting.insert(unit, answer);
            while let Some(answer) = waiting.remove(&handed_over) {
                if let Err(error) = each(answer) {
                    // Whoever waits for room must not wait for ever.
                    lock().is_over = true;
                    changed.notify_all();
                    return Err(error);
                }
                handed_over += 1;
                lock().handed_over = handed_over;
                changed.notify_all();
            }
        }
        Ok(handed_over)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    /// Unit 3 takes long; unit 40 asks to stop.
    struct Uneven {
        classified: AtomicUsize,
        stop_at: usize,
    }

    impl Work for Uneven {
        type Key = usize;
        type Plan = usize;
        type Answer = usize;

        fn key(&self, unit: usize) -> usize {
            unit * 10
        }

        fn classify(&self, unit: usize, key: usize) -> usize {
            assert_eq!(self.classified.fetch_add(1, Ordering::SeqCst), unit, "in order");
            key
        }

        fn judge(&self, unit: usize, plan: usize) -> usize {
            std::thread::sleep(Duration::from_millis(if unit == 3 { 50 } else { 1 }));
            plan
        }

        fn is_stopped(&self) -> bool {
            self.classified.load(Ordering::SeqCst) >= self.stop_at
        }
    }

    #[test]
    fn answers_come_in_order_whoever_is_ready_first() {
        for threads in [1, 2, 5] {
            let work = Uneven { classified: AtomicUsize::new(0), stop_at: usize::MAX };
            let mut seen = Vec::new();
            let done = in_order(&work, 100, threads, |answer| {
                seen.push(answer);
                Ok(())
            });
            assert_eq!(done.unwrap(), 100);
            assert_eq!(seen, (0..100).map(|k| k * 10).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_stop_and_an_error_end_it() {
        let work = Uneven { classified: AtomicUsize::new(0), stop_at: 20 };
        let done = in_order(&work, 100, 3, |_| Ok(())).unwrap();
        assert!((20..=23).contains(&done), "{done}");
        let work = Uneven { classified: AtomicUsize::new(0), stop_at: usize::MAX };
        let failed =
            in_order(&work, 100, 3, |answer| if answer == 70 { anyhow::bail!("full") } else { Ok(()) });
        assert_eq!(failed.unwrap_err().to_string(), "full");
        assert_eq!(in_order(&work, 0, 3, |_| Ok(())).unwrap(), 0);
    }
}
