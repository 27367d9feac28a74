//! A line on a terminal that shows how far something is.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Short work shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// Milliseconds between two lines.
const OFTEN: u64 = 100;
/// Back to the beginning of the line, which is emptied.
const EMPTIED: &str = "\r\x1b[2K";

/// How far something is. It appears once a second has passed, on a terminal only, and may be moved by any thread.
pub struct ProgressBar {
    /// 0: nobody knows.
    total: u64,
    /// What is counted; empty: parts that mean nothing to a reader.
    what: &'static str,
    done: AtomicU64,
    message: Mutex<String>,
    start: Instant,
    terminal: bool,
    /// Milliseconds from the start to the last line.
    last: AtomicU64,
    shown: AtomicBool,
}

impl ProgressBar {
    /// A bar over `total` of what is counted.
    pub fn new(total: usize, what: &'static str) -> Self {
        Self {
            total: total as u64,
            what,
            done: AtomicU64::new(0),
            message: Mutex::default(),
            start: Instant::now(),
            terminal: std::io::stderr().is_terminal(),
            last: AtomicU64::new(0),
            shown: AtomicBool::new(false),
        }
    }

    /// One more is done.
    pub fn inc(&self, more: u64) {
        self.done.fetch_add(more, Ordering::Relaxed);
        self.draw();
    }

    /// So many are done.
    pub fn set_position(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.draw();
    }

    /// What is said after the numbers.
    pub fn set_message(&self, message: String) {
        if self.terminal
            && let Ok(mut said) = self.message.lock()
        {
            *said = message;
        }
        self.draw();
    }

    /// Removes the line.
    pub fn finish_and_clear(&self) {
        if self.shown.swap(false, Ordering::Relaxed) {
            // What cannot be shown is no failure of the work.
            let _ = std::io::stderr().write_all(EMPTIED.as_bytes());
        }
    }

    fn draw(&self) {
        if !self.terminal {
            return;
        }
        let passed = self.start.elapsed();
        let (now, last) = (passed.as_millis() as u64, self.last.load(Ordering::Relaxed));
        let due = passed >= PATIENCE && now >= last + OFTEN;
        // Of threads that come together one draws.
        if !due || self.last.compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed).is_err() {
            return;
        }
        let Ok(message) = self.message.lock() else { return };
        let text = line(self.done.load(Ordering::Relaxed), self.total, self.what, passed.as_secs_f64(), &message);
        let width = terminal_size::terminal_size_of(std::io::stderr()).map_or(80, |(width, _)| usize::from(width.0));
        let text: String = text.chars().take(width.saturating_sub(1)).collect();
        self.shown.store(true, Ordering::Relaxed);
        let _ = write!(std::io::stderr(), "{EMPTIED}{text}");
    }
}

/// What is shown after some seconds.
fn line(done: u64, total: u64, what: &str, seconds: f64, message: &str) -> String {
    let passed = clock(seconds);
    if total == 0 {
        return format!("{done} {what}, {:.0}/s, {passed}  {message}", done as f64 / seconds);
    }
    let part = (done as f64 / total as f64).min(1.0);
    let full = (30.0 * part) as usize;
    let bar = "█".repeat(full) + &"░".repeat(30 - full);
    let count = if what.is_empty() { format!("{:.0} %", 100.0 * part) } else { format!("{done}/{total} {what}") };
    let left = if part > 0.0 { format!(", {} left", clock(seconds * (1.0 - part) / part)) } else { String::new() };
    format!("{bar} {count}, {passed}{left}  {message}")
}

/// Seconds as a clock shows them.
fn clock(seconds: f64) -> String {
    let whole = seconds as u64;
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_say_how_far_it_is() {
        let bar = |full: usize| "█".repeat(full) + &"░".repeat(30 - full);
        assert_eq!(line(10, 40, "cases", 5.0, ""), format!("{} 10/40 cases, 0:05, 0:15 left  ", bar(7)));
        assert_eq!(line(500, 1000, "", 4000.0, "x"), format!("{} 50 %, 1:06:40, 1:06:40 left  x", bar(15)));
        assert_eq!(line(0, 40, "cases", 5.0, ""), format!("{} 0/40 cases, 0:05  ", bar(0)));
        // More than was foreseen.
        assert_eq!(line(50, 40, "cases", 5.0, ""), format!("{} 50/40 cases, 0:05, 0:00 left  ", bar(30)));
        assert_eq!(line(10, 0, "values tried", 5.0, ""), "10 values tried, 2/s, 0:05  ");
    }
}
