//! Laws scored on impacts that laws made: the one that made them wins.

use delassus::{ContactData, ImpactProblem, LawSpec, Mass, ProblemData, resolve};
use delassus_study::score::{MeasuredImpact, ScoreSettings, score};

struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    /// About normal, with deviation 1.
    fn noise(&mut self) -> f64 {
        (0..12).map(|_| self.next()).sum::<f64>() - 6.0
    }
}

/// What the contacts of the data have.
struct Coefficients {
    friction: f64,
    restitution: f64,
    tangential: f64,
}

/// A body of random shape that falls on one contact; a sphere where normal and tangent must not be coupled.
fn body(random: &mut Random, sphere: bool, c: &Coefficients) -> ProblemData {
    let (mass, radius) = (random.between(0.5, 2.0), random.between(0.5, 1.5));
    let inertia = mass * radius * radius * random.between(0.2, 0.6);
    let angle = if sphere { -std::f64::consts::FRAC_PI_2 } else { random.between(-2.4, -0.7) };
    let (x, y) = (radius * angle.cos(), radius * angle.sin());
    let velocity = [random.between(-2.0, 2.0), random.between(-2.0, -0.5), random.between(-1.0, 1.0)];
    let mut contact = ContactData::new("C", [0.0, 1.0, x]).tangent([1.0, 0.0, -y]);
    contact = contact.friction(c.friction).restitution(c.restitution);
    contact.restitution_tangential = c.tangential;
    ProblemData::new(Mass::diagonal(vec![mass, mass, inertia]).unwrap(), velocity).with_contact(contact)
}

/// A block that stands on corner A and strikes with B, flat or slender.
fn block(random: &mut Random, c: &Coefficients) -> ProblemData {
    let (width, height) = (random.between(0.4, 1.0), random.between(0.4, 2.0));
    let mass = Mass::diagonal(vec![1.0, 1.0, (width * width + height * height) / 12.0]).unwrap();
    let rate = random.between(-3.0, -0.8);
    let velocity = [random.between(-0.5, 0.5), 0.5 * width * rate, rate];
    let corner = |name: &str, x: f64| ContactData::new(name, [0.0, 1.0, x]).restitution(c.restitution);
    let data = ProblemData::new(mass, velocity);
    data.with_contact(corner("B", 0.5 * width)).with_contact(corner("A", -0.5 * width))
}

/// Impacts under a law, velocities after with noise of a part of the speed before.
fn measured(
    law: &LawSpec,
    count: usize,
    noise: f64,
    mut draw: impl FnMut(&mut Random) -> ProblemData,
) -> Vec<MeasuredImpact> {
    let mut random = Random(17);
    let mut impacts = Vec::new();
    while impacts.len() < count {
        let data = draw(&mut random);
        let problem = ImpactProblem::new(data.clone()).unwrap();
        if problem.gamma_minus()[0] > -0.2 {
            continue;
        }
        let Ok(outcome) = resolve(&problem, law) else { continue };
        if !outcome.status().has_answer() {
            continue;
        }
        let (speed, mass) = ((2.0 * problem.energy_minus()).sqrt(), problem.mass().to_dense());
        let n = problem.coordinates();
        let shake =
            |i: usize, u: f64, random: &mut Random| u + noise * random.noise() * speed / mass[i * (n + 1)].sqrt();
        let after = (0..n).map(|i| shake(i, outcome.u_plus[i], &mut random)).collect();
        // What made the data is not known to the score.
        let mut problem = data;
        for contact in &mut problem.contacts {
            (contact.restitution, contact.restitution_tangential) = (0.0, 0.0);
            contact.friction = contact.friction.map(|_| 0.0.into());
        }
        impacts.push(MeasuredImpact { problem, after });
    }
    impacts
}

/// The law wins against its rivals, `nested` ones excepted, which contain it and may do as well; its
/// coefficients are found again.
fn wins(name: &str, rivals: &[&str], nested: &[&str], c: &Coefficients, impacts: &[MeasuredImpact]) {
    let names = [&[name], rivals, nested].concat();
    let laws: Vec<LawSpec> = names.iter().map(|n| LawSpec::by_name(n).unwrap()).collect();
    let scores = score(impacts, &laws, &ScoreSettings { folds: 3, ..ScoreSettings::default() }).unwrap();
    assert_eq!(scores[0].name, "best impulse");
    let of = |name: &str| scores.iter().find(|s| s.name == name).unwrap();
    let own = of(name);
    for rival in rivals {
        // A law that is not scored has no median.
        let median = of(rival).quartiles[1];
        assert!(median.is_nan() || median > own.quartiles[1], "{rival} before {name}: {scores:#?}");
    }
    for other in nested {
        assert!(of(other).quartiles[1] > 0.9 * own.quartiles[1], "{other} long before {name}");
    }
    for other in &scores[1..] {
        assert!(
            other.reason.is_some() || other.quartiles[1] >= scores[0].quartiles[1],
            "{} beats the bound",
            other.name
        );
    }
    for (key, value) in &own.values {
        let truth = match key.as_str() {
            "contact[*].restitution" => c.restitution,
            "contact[*].friction" => c.friction,
            _ => continue,
        };
        assert!((value - truth).abs() < 0.05, "{name}: {key} = {value} instead of {truth}");
    }
}

const NOISE: f64 = 0.005;

#[test]
fn laws_of_one_contact_win_on_their_own_data() {
    let c = Coefficients { friction: 0.35, restitution: 0.6, tangential: 0.3 };
    let made = |name: &str, c: &Coefficients, sphere: bool| {
        measured(&LawSpec::by_name(name).unwrap(), 40, NOISE, |random| body(random, sphere, c))
    };
    wins("newton", &["moreau", "poisson", "chatterjee-ruina"], &[], &c, &made("newton", &c, false));
    wins("poisson", &["moreau", "newton", "chatterjee-ruina"], &[], &c, &made("poisson", &c, false));
    wins("chatterjee-ruina", &["moreau", "newton", "poisson"], &[], &c, &made("chatterjee-ruina", &c, false));
    wins("walton", &["moreau", "stronge"], &["newton"], &c, &made("walton", &c, true));
    // Moreau's law is Newton's with equal coefficients, and next to Poisson's with equal ones.
    wins("moreau", &["chatterjee-ruina"], &["newton", "poisson"], &c, &made("moreau", &c, false));
}

#[test]
fn laws_of_several_contacts_win_on_their_own_data() {
    let smooth = Coefficients { friction: 0.0, restitution: 0.7, tangential: 0.0 };
    let made =
        |name: &str, c: &Coefficients| measured(&LawSpec::by_name(name).unwrap(), 40, NOISE, |random| block(random, c));
    // Without friction and with one coefficient Newton's law and Poisson's are the same.
    let alike = ["newton", "poisson"];
    let all = ["newton", "poisson", "kinematic", "sequential", "reflections"];
    for name in all {
        let same = |other: &&&str| alike.contains(&name) && alike.contains(*other);
        let others = || all.iter().filter(|other| **other != name);
        let (nested, rivals): (Vec<&str>, Vec<&str>) =
            (others().filter(same).copied().collect(), others().filter(|other| !same(other)).copied().collect());
        wins(name, &rivals, &nested, &smooth, &made(name, &smooth));
    }
}

#[test]
fn laws_that_integrate_win_on_their_own_data() {
    let c = Coefficients { friction: 0.35, restitution: 0.6, tangential: 0.0 };
    let lzb = LawSpec::by_name("lzb").unwrap();
    let impacts = measured(&lzb, 16, NOISE, |random| body(random, false, &c));
    wins("lzb", &["newton", "moreau", "chatterjee-ruina"], &[], &c, &impacts);
    // Rougher, so that many impacts neither slide nor stick throughout.
    let c = Coefficients { friction: 0.8, ..c };
    let stronge = LawSpec::by_name("stronge").unwrap();
    let impacts = measured(&stronge, 30, 0.4 * NOISE, |random| body(random, true, &c));
    wins("stronge", &["newton", "poisson", "walton"], &[], &c, &impacts);
}

#[test]
fn the_bound_is_zero_for_what_an_impulse_can_do_and_not_for_more() {
    let c = Coefficients { friction: 0.3, restitution: 0.5, tangential: 0.0 };
    let newton = LawSpec::by_name("newton").unwrap();
    let mut impacts = measured(&newton, 10, 0.0, |random| body(random, false, &c));
    for impact in &mut impacts {
        assert!(delassus_study::score::bound(impact).unwrap() < 1e-12);
        impact.after[0] += 0.1;
        assert!(delassus_study::score::bound(impact).unwrap() > 1e-4);
    }
    impacts[0].after.pop();
    assert!(score(&impacts, &[newton], &ScoreSettings::default()).unwrap_err().to_string().contains("impact[0].after"));
}
