//! Runs scenes on threads, each within a limit of processor time, and sums up.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

use delassus::simulate::{Control, End, Trajectory, simulate};

use crate::check::check;
use crate::generate::{Kind, Scene, scene};

/// How one scene went.
pub struct Report {
    pub name: String,
    pub law: &'static str,
    /// The word of its end, or `refused`, `unsolved`, `bad-input`, `panicked`, `hung`.
    pub status: String,
    /// Time reached \[s\].
    pub time: f64,
    /// Processor time \[s\].
    pub seconds: f64,
    pub impacts: usize,
    pub steps: usize,
    pub faults: Vec<(&'static str, String)>,
    /// For runs that did not finish: what they were doing.
    pub remark: String,
}

impl Report {
    /// Whether it ran to its end; a law that says it does not cover the scene counts.
    pub fn finished(&self) -> bool {
        matches!(&*self.status, "completed" | "at-rest" | "refused")
    }

    pub fn line(&self) -> String {
        let faults: Vec<String> = self.faults.iter().map(|(what, how)| format!("{what} ({how})")).collect();
        format!(
            "{:<12} {:<10} {:<12} t = {:<8.4} cpu {:>6.2} s, {:>6} impacts, {:>7} steps  {}  [{}]",
            self.name,
            self.law,
            self.status,
            self.time,
            self.seconds,
            self.impacts,
            self.steps,
            faults.join("; "),
            self.remark
        )
    }
}

/// Processor time of a thread \[s\] where the system tells it; elsewhere the time since it began.
struct Clock {
    file: Option<PathBuf>,
    begin: Instant,
}

impl Clock {
    fn of_this_thread() -> Self {
        let folder = std::fs::read_link("/proc/thread-self").ok();
        Self { file: folder.map(|folder| Path::new("/proc").join(folder).join("schedstat")), begin: Instant::now() }
    }

    /// A thread that has ended has no time.
    fn now(&self) -> Option<f64> {
        let Some(file) = &self.file else { return Some(self.begin.elapsed().as_secs_f64()) };
        let text = std::fs::read_to_string(file).ok()?;
        text.split_whitespace().next()?.parse::<f64>().ok().map(|nanoseconds| 1e-9 * nanoseconds)
    }
}

/// Simulates and checks a scene; the observer stops it after `limit` seconds of processor time.
pub fn run(scene: &Scene, limit: f64) -> Report {
    let (wall, clock) = (Instant::now(), Clock::of_this_thread());
    let begin = clock.now().unwrap_or_default();
    let spent = || clock.now().unwrap_or_default() - begin;
    // Processor time is asked for only when the wall clock leaves a doubt.
    let mut watch = |_: &_| {
        let over = wall.elapsed().as_secs_f64() > limit && spent() > limit;
        if over { Control::Stop } else { Control::Continue }
    };
    let answer = scene.scenario.build().and_then(|built| {
        simulate(&built.system, &built.q, &built.u, &scene.law, &built.settings, &built.until, &mut watch)
    });
    let seconds = spent();
    let base = |status: String| Report {
        name: scene.name.clone(),
        law: scene.law.name(),
        status,
        time: 0.0,
        seconds,
        impacts: 0,
        steps: 0,
        faults: Vec::new(),
        remark: String::new(),
    };
    match answer {
        Err(error) => Report { faults: vec![("bad-input", error.to_string())], ..base("bad-input".to_owned()) },
        Ok(run) => Report {
            time: run.time,
            impacts: run.impacts.len(),
            steps: run.stats.steps,
            faults: untold(scene, &run),
            remark: remark(&run),
            ..base(status(scene, &run))
        },
    }
}

/// What is wrong and the run does not say itself.
fn untold(scene: &Scene, run: &Trajectory) -> Vec<(&'static str, String)> {
    let mut faults = check(scene, run).0;
    faults.retain(|(what, _)| *what != "overlap" || run.end.as_str() != "penetration");
    faults
}

/// Where a run was when it ended: its work, and what its last events were.
fn remark(run: &Trajectory) -> String {
    if run.is_solved() {
        return String::new();
    }
    let last = &run.events[run.events.len().saturating_sub(100)..];
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    last.iter().for_each(|e| *kinds.entry(e.kind.as_str()).or_default() += 1);
    let span = last.first().map_or(0.0, |e| run.time - e.time);
    let counters = &run.stats;
    let work = format!(
        "{} rejected, {} selections, {} evaluations; last {} events in {span:.1e} s: {kinds:?}",
        counters.rejected,
        counters.selections,
        counters.evaluations,
        last.len()
    );
    match &run.end {
        End::NoAnswer(reason) => format!("{reason}; {work}"),
        _ => work,
    }
}

/// The end in a word. The kinematic law is not defined for redundant contacts: saying
/// so is no fault. A run that goes on after an impact without an answer is `unsolved`.
fn status(scene: &Scene, run: &Trajectory) -> String {
    match &run.end {
        End::NoAnswer(_) if scene.law.name() == "kinematic" => "refused".to_owned(),
        end if end.is_regular() && !run.is_solved() => "unsolved".to_owned(),
        end => end.as_str().to_owned(),
    }
}

/// The same on a thread of its own: a scene that never comes back to the observer,
/// or panics, is reported and left behind.
pub fn run_apart(scene: Scene, limit: f64) -> Report {
    let lost = |status: &str| Report {
        name: scene.name.clone(),
        law: scene.law.name(),
        status: status.to_owned(),
        time: f64::NAN,
        seconds: f64::NAN,
        impacts: 0,
        steps: 0,
        faults: Vec::new(),
        remark: String::new(),
    };
    let [panicked, hung] = [lost("panicked"), lost("hung")];
    let (send, receive) = mpsc::channel();
    let (send_clock, receive_clock) = mpsc::channel();
    // Nobody listens any more when the scene was given up: then the report is dropped.
    std::thread::spawn(move || {
        drop(send_clock.send(Clock::of_this_thread()));
        drop(send.send(run(&scene, limit)));
    });
    let Ok(clock) = receive_clock.recv() else { return panicked };
    // The machine may be busy: only processor time counts here as well.
    loop {
        match receive.recv_timeout(Duration::from_millis(500)) {
            Ok(report) => return report,
            Err(mpsc::RecvTimeoutError::Disconnected) => return panicked,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                if clock.now().is_some_and(|spent| spent > 10.0 + 3.0 * limit) {
                    return hung;
                }
            }
        }
    }
}

/// Runs the scenes `from..to` of a kind on `threads` threads, in order of seeds.
/// `tell` sees each report as it comes.
pub fn search(
    kind: Kind,
    from: u64,
    to: u64,
    limit: f64,
    threads: usize,
    tell: impl Fn(&Report) + Sync,
) -> Vec<Report> {
    let next = AtomicU64::new(from);
    let found = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= to {
                        break;
                    }
                    let scene = scene(kind, seed);
                    if std::env::var("LAW").is_ok_and(|law| law != scene.law.name()) {
                        continue;
                    }
                    let report = run_apart(scene, limit);
                    tell(&report);
                    found.lock().expect("no thread panics with it").insert(seed, report);
                }
            });
        }
    });
    found.into_inner().expect("no thread panics with it").into_values().collect()
}

/// A table: how many ended how, what was wrong, and how long they took.
pub fn summary(reports: &[Report]) -> String {
    let mut ends: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut faults: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut laws: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for report in reports {
        let word = report.status.split(':').next().unwrap_or_default();
        ends.entry(word).or_default().push(&report.name);
        report.faults.iter().for_each(|(what, _)| faults.entry(what).or_default().push(&report.name));
        let law = laws.entry(report.law).or_default();
        law[0] += 1;
        law[1] += usize::from(!report.finished());
        law[2] += usize::from(!report.faults.is_empty());
    }
    let seeds = |names: &[&str]| {
        let seeds: Vec<&str> = names.iter().take(40).filter_map(|n| n.split(' ').next_back()).collect();
        seeds.join(" ") + if names.len() > 40 { " …" } else { "" }
    };
    let wrong = reports.iter().filter(|r| !r.faults.is_empty()).count();
    let unfinished = reports.iter().filter(|r| !r.finished()).count();
    let mut text = format!("{} scenes: {wrong} wrong, {unfinished} not finished\n", reports.len());
    for (word, names) in &ends {
        let which = if matches!(*word, "completed" | "at-rest") { String::new() } else { seeds(names) };
        text += &format!("  end    {word:<18} {:>5}  {which}\n", names.len());
    }
    for (what, names) in &faults {
        text += &format!("  wrong  {what:<18} {:>5}  {}\n", names.len(), seeds(names));
    }
    for (law, [all, late, bad]) in &laws {
        text += &format!("  law    {law:<18} {all:>5}  {late} not finished, {bad} wrong\n");
    }
    let mut times: Vec<f64> = reports.iter().map(|r| r.seconds).filter(|t| t.is_finite()).collect();
    times.sort_by(f64::total_cmp);
    if let Some(last) = times.last() {
        let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
        let (half, most) = (at(0.5), at(0.9));
        text += &format!("  processor time: median {half:.3} s, 90 % below {most:.3} s, longest {last:.1} s\n");
    }
    text
}
