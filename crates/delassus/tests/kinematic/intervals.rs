//! Each end of each admissible interval: the law's own outcome changes sign there.

use delassus::law::kinematic::block::{HomogeneousBlock, Interval, Slide};
use delassus::law::{Form, Kinematic};

use crate::support::{Strike, energies, form, matrix, rocking, solved};

/// What an end is the limit of.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Check {
    /// Λ_B ≥ 0.
    Striking,
    /// Λ_A ≥ 0.
    Resting,
    /// γ_N⁺ ≥ 0.
    Velocity,
    /// T⁺ ≤ T⁻.
    Energy,
}

/// Values that must not be negative, as fractions of the pre-impact ones.
fn margin(strike: Strike, law: &Kinematic, check: Check) -> f64 {
    let problem = strike.problem();
    let outcome = solved(&problem, law);
    let (before, after) = energies(&problem, &outcome);
    let impulse = strike.mass * strike.block.width * strike.rate.abs();
    match check {
        Check::Striking => outcome.impulses()[0] / impulse,
        Check::Resting => outcome.impulses()[2] / impulse,
        Check::Velocity => outcome.gamma_plus[0].min(outcome.gamma_plus[2]) / (strike.block.width * strike.rate.abs()),
        Check::Energy => (before - after) / before,
    }
}

const ALL: [Check; 4] = [Check::Striking, Check::Resting, Check::Velocity, Check::Energy];
const STEP: f64 = 1e-6;

/// At `end` the margin of `check` vanishes; `outward` of it that margin is
/// negative, and just inside all of `others` are kept.
#[track_caller]
fn end(strike: Strike, law: impl Fn(f64) -> Kinematic, end: f64, outward: f64, check: Check, others: &[Check]) {
    assert!(margin(strike, &law(end), check).abs() < 1e-12, "{check:?} does not vanish at {end}");
    assert!(margin(strike, &law(end + outward * STEP), check) < -1e-9, "{check:?} holds beyond {end}");
    for &other in others {
        let inside = margin(strike, &law(end - outward * STEP), other);
        assert!(inside >= -1e-12, "{other:?} is broken inside of {end}: {inside}");
    }
}

/// Aspect ratios on both sides of every critical one.
fn blocks() -> Vec<HomogeneousBlock> {
    [0.2, 0.5, 1.0, 1.3, 1.5, 3.0, 8.0].map(|a| HomogeneousBlock { height: 0.3 * a, width: 0.3 }).to_vec()
}

fn strike(block: HomogeneousBlock) -> Strike {
    Strike { block, mass: 2.0, rate: -1.5, ..Strike::new(1.0, 1.0) }
}

/// The lower end is where A starts to pull, or zero, where A penetrates.
#[track_caller]
fn lower(s: Strike, law: impl Fn(f64) -> Kinematic, interval: Interval, others: &[Check]) {
    let check = if interval.from > 0.0 { Check::Resting } else { Check::Velocity };
    end(s, law, interval.from, -1.0, check, others);
}

#[test]
fn rocking_without_friction() {
    for block in blocks() {
        let interval = block.rocking_sliding();
        for law in [rocking as fn(f64) -> Kinematic, |e| form(Form::RockingSliding, e)] {
            lower(strike(block), law, interval, &ALL);
            end(strike(block), law, interval.to, 1.0, Check::Energy, &ALL);
        }
        // The angular coefficient r = −e ∈ [−1, min(0, r_sli)].
        assert_eq!(interval.from, -block.sliding_ratio().min(0.0));
    }
}

#[test]
fn rocking_with_sticking_corners() {
    for block in blocks() {
        let s = Strike { sliding: 0.5 * block.height * 1.5, ..strike(block) };
        let interval = block.rocking_sticking();
        lower(s, |e| form(Form::RockingSticking, e), interval, &ALL);
        end(s, |e| form(Form::RockingSticking, e), interval.to, 1.0, Check::Energy, &ALL);
    }
}

#[test]
fn half_rocking_without_friction() {
    for block in blocks() {
        let law = |e| form(Form::HalfRocking, e);
        match block.half_rocking() {
            Some(interval) => {
                end(strike(block), law, interval.from, -1.0, Check::Velocity, &ALL);
                end(strike(block), law, interval.to, 1.0, Check::Energy, &ALL);
            }
            None => assert!((0..=10).all(|k| margin(strike(block), &law(0.1 * f64::from(k)), Check::Resting) < 0.0)),
        }
    }
}

/// (30): beyond the limit the corners slide.
#[test]
fn rocking_with_held_corners() {
    for (block, friction) in blocks().into_iter().flat_map(|b| [0.05, 0.3, 0.9].map(|mu| (b, mu))) {
        let s = Strike { friction, sliding: 0.5 * block.height * 1.5, ..strike(block) };
        let interval = block.rocking_held(friction);
        let slips = |e: f64| {
            let outcome = solved(&s.problem(), &rocking(e));
            outcome.gamma_plus[1].abs() > 1e-9
        };
        assert!(!slips(interval.from + STEP) && !slips(1.0 - STEP));
        ALL.iter().for_each(|&check| assert!(margin(s, &rocking(interval.from + STEP), check) >= -1e-12));
        if interval.from > block.rocking_sticking().from {
            assert!(slips(interval.from - STEP));
        } else if interval.from > 0.0 {
            assert!(margin(s, &rocking(interval.from - STEP), Check::Resting) < 0.0);
        }
    }
}

/// e_c1^± and Λ_B to the left; the corners slide fast enough not to stop.
#[test]
fn rocking_with_sliding_corners() {
    let mut counts = [0; 4];
    for (block, friction) in blocks().into_iter().flat_map(|b| [0.05, 0.3, 0.9, 2.5].map(|mu| (b, mu))) {
        for slide in [Slide::Right, Slide::Left] {
            let s = Strike { friction, sliding: 100.0 * slide.sign(), ..strike(block) };
            let kinetic = [Check::Striking, Check::Resting, Check::Velocity];
            let Some(interval) = block.rocking_rough(friction, slide) else {
                counts[0] += 1;
                if slide == Slide::Right {
                    assert!(friction > block.width / block.height);
                }
                for k in 0..=20 {
                    let law = rocking(0.05 * f64::from(k));
                    assert!(kinetic[..2].iter().any(|&c| margin(s, &law, c) < 0.0));
                }
                continue;
            };
            counts[1] += 1;
            lower(s, rocking, interval, &kinetic);
            if interval.from > 0.0 {
                assert_eq!(interval.from, block.critical_rocking(friction, slide));
            }
            if interval.to < 1.0 {
                counts[2] += 1;
                assert_eq!(slide, Slide::Left);
                end(s, rocking, interval.to, 1.0, Check::Striking, &kinetic);
            } else {
                counts[3] += 1;
                kinetic.iter().for_each(|&c| assert!(margin(s, &rocking(1.0), c) >= -1e-12));
            }
        }
    }
    assert!(counts.iter().all(|&c| c > 0), "{counts:?}");
}

/// e_c2 and e_c3 with the pre-impact ratio: the energy changes sign there.
#[test]
fn energy_with_sliding_corners() {
    let block = HomogeneousBlock { height: 0.5, width: 1.0 };
    let half = |e: f64| matrix([[e, 0.0], [0.0, 0.0]]);
    let mut counts = [0; 2];
    for friction in [0.1, 0.4, 1.0] {
        for (slide, ratio) in
            [Slide::Right, Slide::Left].into_iter().flat_map(|s| [0.05, 0.2, 0.3, 0.5].map(|r| (s, r)))
        {
            let ratio = slide.sign() * ratio;
            let s = Strike { friction, sliding: ratio * 1.5, ..strike(block) };
            let limit = block.energetic_limit(friction, slide, ratio);
            assert!(limit > block.energetic_limit(friction, slide, 0.0));
            for (kind, law) in [rocking as fn(f64) -> Kinematic, half].into_iter().enumerate() {
                // Only where the corners do slide that way at the limit.
                if solved(&s.problem(), &law(limit)).gamma_plus[1] * slide.sign() > 1e-3 {
                    counts[kind] += 1;
                    end(s, law, limit, 1.0, Check::Energy, &[Check::Energy]);
                }
            }
        }
    }
    assert!(counts.iter().all(|&c| c > 0), "{counts:?}");
    for (height, width) in [(1.0, 1.0), (2.4, 0.6), (0.3, 5.0)] {
        let block = HomogeneousBlock { height, width };
        for slide in [Slide::Right, Slide::Left] {
            assert!(block.energetic_limit(block.critical_friction(), slide, 0.0).abs() < 1e-15);
        }
    }
}

/// (36): half-rocking is possible for friction up to the limit.
#[test]
fn half_rocking_with_sliding_corners() {
    let law = matrix([[0.4, 0.0], [0.0, 0.0]]);
    for block in blocks() {
        for slide in [Slide::Right, Slide::Left] {
            let at = |friction: f64| Strike { friction, sliding: 100.0 * slide.sign(), ..strike(block) };
            let kept = |friction: f64| {
                margin(at(friction), &law, Check::Striking) >= 0.0 && margin(at(friction), &law, Check::Resting) >= 0.0
            };
            match block.half_rocking_friction(slide) {
                None => assert!([0.0, 0.1, 1.0, 3.0].iter().all(|&mu| !kept(mu))),
                Some(interval) => {
                    assert!(kept(interval.from + STEP) && kept(interval.to - STEP));
                    assert!(!kept(interval.to + STEP));
                    assert!(interval.from == 0.0 || !kept(interval.from - STEP));
                }
            }
        }
    }
}

/// The four critical aspect ratios of BZL §4.
#[test]
fn critical_aspect_ratios() {
    let block = |a: f64| HomogeneousBlock { height: a, width: 1.0 };
    let mu = 0.37_f64;
    let root = (9.0 * mu * mu + 8.0).sqrt();
    assert!(block(0.5_f64.sqrt()).housner_ratio().abs() < 1e-15);
    assert!(block(2.0_f64.sqrt()).sliding_ratio().abs() < 1e-15);
    assert!(block((-3.0 * mu + root) / 2.0).critical_rocking(mu, Slide::Right).abs() < 1e-15);
    assert!(block((3.0 * mu + root) / 2.0).critical_rocking(mu, Slide::Left).abs() < 1e-15);
}
