//! Scratch.
mod lzb_support;
use delassus::resolve;
use lzb_support::*;
#[test]
fn scratch() {
    for n in [10usize, 50, 100, 1000] {
        let o = resolve(&equal_chain(n, 1.0), &lzb(1.5)).unwrap();
        println!("{n} {:?} {:?} {:?} {:?}", o.status(), o.answer.stats, o.answer.warnings, &o.u_plus[n - 3..]);
    }
}
#[test]
fn blocks() {
    if std::env::var("ONE").is_ok() {
        println!("{}", dispersion(0.3, 0.3, 0.5, 0.0));
        return;
    }
    for a in [0.3, 0.5, 0.7, 0.9, 1.0, 1.2, 1.3, 1.5, 2.0, 3.0] {
        let d = dispersion(a, 0.0, 0.0, 1.0);
        let cos = ((a * a - 2.0) / (a * a + 4.0f64)).abs();
        println!("a {a} d {d} ratio {}", d / cos);
    }
    for (mu, mus) in [(0.0, 0.0), (0.01, 0.02), (0.15, 0.3), (0.3, 0.5), (0.45, 0.9), (0.6, 1.0)] {
        for e in [1.0, 0.8, 0.5, 0.0] {
            let v: Vec<String> = [0.3, 0.5, 0.7071, 1.0, 1.3, 1.4142, 2.0, 2.5]
                .iter()
                .map(|&a| format!("{:.6}", dispersion(a, mu, mus, e)))
                .collect();
            println!("({mu},{mus}) e={e}: {}", v.join(" "));
        }
    }
    for a in [0.8, 1.0, 2.0] {
        println!("stick {} vs {}", dispersion(a, 5.0, 5.0, 0.7), 1.7 * (2.0 * a * a - 1.0) / (2.0 * a * a + 2.0));
    }
}
