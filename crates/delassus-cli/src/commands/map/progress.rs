//! A bar while a map is computed.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A progress bar on a terminal once a second has passed, nothing elsewhere.
pub fn progress(rows: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(rows as u64), ProgressDrawTarget::hidden());
    if !std::io::stderr().is_terminal() {
        return bar;
    }
    let bar = match ProgressStyle::with_template("{bar:30} {percent} % {elapsed}") {
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
