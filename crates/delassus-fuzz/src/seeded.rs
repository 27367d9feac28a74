//! The targets without a fuzzer: input drawn from a seed, the same everywhere.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::Target;

/// An input that takes more processor time than this hangs; without Linux, more time.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Processor time of a thread, by the name of its folder in /proc; on other systems the time.
/// A loaded machine makes every input slow, but none of them costly.
#[derive(Clone)]
struct Clock {
    file: Option<PathBuf>,
    begin: Instant,
}

impl Clock {
    fn of_this_thread() -> Self {
        let folder = fs::read_link("/proc/thread-self").ok();
        let file = folder.map(|folder| Path::new("/proc").join(folder).join("schedstat"));
        Self { file: file.filter(|file| file.exists()), begin: Instant::now() }
    }

    fn now(&self) -> Duration {
        let text = self.file.as_ref().and_then(|file| fs::read_to_string(file).ok());
        let spent = text.and_then(|text| text.split(' ').next()?.parse().ok());
        spent.map_or_else(|| self.begin.elapsed(), Duration::from_nanos)
    }
}

/// A small deterministic generator.
pub struct Random(u64);

impl Random {
    /// From any seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    fn next(&mut self) -> u64 {
        // splitmix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `end`; zero where that is zero.
    fn below(&mut self, end: usize) -> usize {
        if end == 0 { 0 } else { (self.next() % end as u64) as usize }
    }
}

/// Pieces that mean something to one reader or another.
const WORDS: [&str; 56] = [
    "0",
    "-1",
    "1e308",
    "-1e-308",
    "1e999",
    "nan",
    "inf",
    "-inf",
    "NaN",
    "1e9",
    "1e-9",
    "999999999",
    "18446744073709551616",
    "-9223372036854775809",
    "0x10",
    "1_000",
    "true",
    "null",
    "[]",
    "{}",
    "[[",
    "]]",
    "[",
    "]",
    "{",
    "}",
    "=",
    ":",
    ",",
    "\"",
    "\\u0000",
    "\u{feff}",
    "\n",
    "\r\n",
    "\t",
    "#",
    "é",
    "t",
    "pi",
    "sin(",
    ")",
    "(",
    "^",
    "*",
    "/",
    "-",
    "+",
    "e",
    ".",
    "NPTS",
    "DT",
    "name",
    "contact",
    "friction",
    "velocity[0]",
    "*",
];

/// The input of that number: a sound one with a few changes, or any bytes where there is no sound one.
pub fn input(seeds: &[Vec<u8>], seed: u64, number: u64) -> Vec<u8> {
    let mut random = Random::new(seed.wrapping_mul(1_000_003).wrapping_add(number));
    if seeds.is_empty() {
        let length = [40, 150, 400, 1000][random.below(4)];
        return (0..1 + random.below(length)).map(|_| random.next() as u8).collect();
    }
    let mut bytes = seeds[random.below(seeds.len())].clone();
    for _ in 0..1 + random.below(5) {
        let (at, span) = (random.below(bytes.len()), 1 + random.below(12));
        let end = (at + span).min(bytes.len());
        match random.below(9) {
            0 => drop(bytes.drain(at..end)),
            1 => bytes.truncate(at),
            2 => drop(bytes.splice(at..at, bytes[at..end].to_vec())),
            3 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
            4 => drop(bytes.splice(at..at, WORDS[random.below(WORDS.len())].bytes())),
            5 => {
                // A number becomes another.
                let digit = |b: &u8| b.is_ascii_digit() || matches!(b, b'.' | b'-');
                let places: Vec<usize> = (0..bytes.len()).filter(|&k| bytes[k].is_ascii_digit()).collect();
                if let Some(&place) = places.get(random.below(places.len())) {
                    let start = bytes[..place].iter().rposition(|b| !digit(b)).map_or(0, |k| k + 1);
                    let end = bytes[place..].iter().position(|b| !digit(b)).map_or(bytes.len(), |k| place + k);
                    drop(bytes.splice(start..end, WORDS[random.below(16)].bytes()));
                }
            }
            6 => {
                // A line goes elsewhere, or comes twice.
                let lines: Vec<Vec<u8>> = bytes.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
                let (from, to) = (random.below(lines.len()), random.below(lines.len()));
                let mut all = lines.clone();
                if let Some(line) = lines.get(from) {
                    all.insert(to, line.clone());
                }
                bytes = all.concat();
            }
            7 => {
                let other = &seeds[random.below(seeds.len())];
                let start = random.below(other.len());
                let piece = &other[start..(start + 1 + random.below(60)).min(other.len())];
                drop(bytes.splice(at..end, piece.iter().copied()));
            }
            _ => drop(bytes.splice(at..end, (0..random.below(4)).map(|_| random.next() as u8).collect::<Vec<_>>())),
        }
    }
    bytes
}

/// What was found.
#[derive(Debug, Default)]
pub struct Report {
    /// Inputs that were run.
    pub runs: u64,
    /// Inputs that panicked, with their number and words of the panic.
    pub failures: Vec<(u64, Vec<u8>, String)>,
    /// The slowest input and its processor time.
    pub slowest: (u64, Duration),
}

/// Runs the inputs of these numbers, until time is over. A hang ends the process with the input's number.
pub fn run(target: Target, seed: u64, numbers: std::ops::Range<u64>, time: Duration) -> Report {
    let seeds = (target.seeds)();
    let (begin, mut report) = (Instant::now(), Report::default());
    let clock = Clock::of_this_thread();
    let current = Arc::new((AtomicU64::new(u64::MAX), Mutex::new(clock.now())));
    watch(target, seed, clock.clone(), Arc::downgrade(&current));
    // Reading the clock costs more than many an input: it is read now and then.
    let (mut read, mut spent) = (Instant::now(), clock.now());
    for number in numbers {
        if begin.elapsed() >= time {
            break;
        }
        let bytes = input(&seeds, seed, number);
        current.0.store(number, Ordering::Relaxed);
        let start = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| (target.run)(&bytes)));
        let mut taken = start.elapsed();
        if read.elapsed() > Duration::from_millis(50) {
            let now = clock.now();
            taken = taken.min(now - spent);
            (read, spent) = (Instant::now(), now);
            if let Ok(mut since) = current.1.lock() {
                *since = now;
            }
        }
        if taken > report.slowest.1 {
            report.slowest = (number, taken);
        }
        if let Err(panic) = result {
            let words = panic.downcast_ref::<String>().cloned();
            let words = words.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned())).unwrap_or_default();
            report.failures.push((number, bytes, words));
        }
        report.runs += 1;
    }
    report
}

/// Ends the process where one input takes too long, and writes it into the working folder.
fn watch(target: Target, seed: u64, clock: Clock, current: std::sync::Weak<(AtomicU64, Mutex<Duration>)>) {
    std::thread::spawn(move || {
        while let Some(current) = current.upgrade() {
            let late = current.1.lock().is_ok_and(|since| clock.now().saturating_sub(*since) > PATIENCE);
            if late {
                let (name, number) = (target.name, current.0.load(Ordering::Relaxed));
                let file = format!("{name}-{seed}-{number}.bin");
                let written = fs::write(&file, input(&(target.seeds)(), seed, number)).map_or(String::new(), |()| file);
                eprintln!("{name}: input {number} of seed {seed} hangs {written}");
                std::process::exit(3);
            }
            drop(current);
            std::thread::sleep(Duration::from_millis(500));
        }
    });
}
