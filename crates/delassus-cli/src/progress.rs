//! Progress on a terminal, and Ctrl-C.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use delassus::simulate::{Control, Progress};

use crate::bar::ProgressBar;
use crate::failure::INTERRUPTED;

/// A flag that Ctrl-C sets. A second Ctrl-C ends the program at once.
pub fn interruption() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let shared = Arc::clone(&flag);
    // Without a handler Ctrl-C ends the program, which is the next best thing.
    let _ = ctrlc::set_handler(move || {
        if shared.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    });
    flag
}

/// Steps between two looks at the clock: a step of a large pile takes a millisecond.
const RARELY: u64 = 64;

/// A bar over all runs; it appears only on a terminal and after a while.
pub struct Bar {
    bar: ProgressBar,
    runs: usize,
    wanted: bool,
    steps: AtomicU64,
}

impl Bar {
    /// A bar over `runs` simulations.
    pub fn new(runs: usize, wanted: bool) -> Self {
        // Of one run the time passes, of several each is one part.
        let bar = ProgressBar::new(1000 * runs, "");
        let wanted = wanted && std::io::stderr().is_terminal();
        Self { bar, runs, wanted, steps: AtomicU64::new(0) }
    }

    /// Called after every step of a run.
    pub fn step(&self, progress: &Progress, stop: &AtomicBool) -> Control {
        if stop.load(Ordering::Relaxed) {
            return Control::Stop;
        }
        if self.wanted && self.steps.fetch_add(1, Ordering::Relaxed).is_multiple_of(RARELY) {
            self.draw(progress);
        }
        Control::Continue
    }

    fn draw(&self, progress: &Progress) {
        if self.runs == 1 {
            self.bar.set_position((1000.0 * progress.time / progress.end) as u64);
            let Progress { time, end, impacts } = progress;
            self.bar.set_message(format!("t = {time:.6} of {end} s, {impacts} impacts (Ctrl-C keeps what there is)"));
        }
    }

    /// Called at the end of a run.
    pub fn finished(&self) {
        if self.wanted && self.runs > 1 {
            self.bar.inc(1000);
        }
    }

    /// Removes the bar.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
