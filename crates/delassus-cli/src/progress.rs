//! Progress on a terminal, and Ctrl-C.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use delassus::simulate::{Control, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

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

/// A progress bar on a terminal once a second has passed, nothing elsewhere.
pub fn late_bar(length: usize, template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(length as u64), ProgressDrawTarget::hidden());
    if !std::io::stderr().is_terminal() {
        return bar;
    }
    let bar = match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    };
    let late = bar.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(1));
        if !late.is_finished() {
            late.set_draw_target(ProgressDrawTarget::stderr());
        }
    });
    bar
}

/// Short runs show nothing.
const PATIENCE: Duration = Duration::from_millis(700);
/// Steps between two looks at the clock: a step of a large pile takes a millisecond.
const RARELY: u64 = 64;

/// A bar over all runs; it appears only on a terminal and after a while.
pub struct Bar {
    bar: ProgressBar,
    runs: usize,
    start: Instant,
    shown: AtomicBool,
    wanted: bool,
    steps: AtomicU64,
}

impl Bar {
    /// A bar over `runs` simulations.
    pub fn new(runs: usize, wanted: bool) -> Self {
        let bar = ProgressBar::with_draw_target(Some(1000 * runs as u64), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {percent:>3} %  {elapsed}  {msg}") {
            bar.set_style(style);
        }
        let wanted = wanted && std::io::stderr().is_terminal();
        Self { bar, runs, start: Instant::now(), shown: AtomicBool::new(false), wanted, steps: AtomicU64::new(0) }
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
        if self.start.elapsed() < PATIENCE {
            return;
        }
        if !self.shown.swap(true, Ordering::Relaxed) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        if self.runs == 1 {
            self.bar.set_position((1000.0 * progress.time / progress.end) as u64);
            let Progress { time, end, impacts } = progress;
            self.bar.set_message(format!("t = {time:.6} of {end} s, {impacts} impacts (Ctrl-C keeps what there is)"));
        }
    }

    /// Called at the end of a run.
    pub fn finished(&self) {
        if self.runs > 1 {
            self.bar.inc(1000);
        }
    }

    /// Removes the bar.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
