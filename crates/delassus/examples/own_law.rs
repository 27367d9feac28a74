//! A law of one's own, in a crate of one's own: data with a key in files,
//! impulses, and a claim that the library checks.
//!
//! ```sh
//! cargo run -p delassus --example own_law
//! ```
//!
//! Hard spheres lose the more the faster they collide. The law here takes
//! e = 1 − loss · v^(1/5) for one frictionless contact that approaches with v.

use std::error::Error;

use delassus::claim::{Claim, ElementClaim, EnergyClaim};
use delassus::law::{About, Buffers, Field, Refusal, data};
use delassus::{ImpactLaw, ImpactProblem, LawAnswer, LawSpec, Options, Uniqueness, resolve};
use delassus_io::{Format, ReadOptions, read_problems};

/// The data of the law are its fields.
#[derive(Debug, Clone, PartialEq)]
struct Viscous {
    loss: f64,
}

impl Viscous {
    fn restitution(&self, problem: &ImpactProblem) -> f64 {
        let approach = (-problem.gamma_minus()[0]).max(0.0);
        (1.0 - self.loss * approach.powf(0.2)).max(0.0)
    }
}

impl ImpactLaw for Viscous {
    fn about(&self) -> About {
        About { name: "viscous", summary: "One smooth contact that loses more when it is faster", citation: "" }
    }

    // The key in files, what is allowed, what it means: readers and messages take it from here.
    fn data(&mut self, each: &mut dyn FnMut(Field<'_>)) {
        each(Field::number("loss", &mut self.loss).at_least(0.0).doc("Loss at 1 m/s."));
    }

    fn check(&self, problem: &ImpactProblem) -> Result<(), Refusal> {
        data::check_ranges(self)?;
        if problem.rows() != 1 || problem.contacts().len() != 1 {
            return Err(Refusal::NotApplicable("viscous is a law for one smooth contact".into()));
        }
        Ok(())
    }

    // What the answer must satisfy: Newton's inclusion with this coefficient. The library
    // evaluates it from the impulses; it does not ask the law again.
    fn claim(&self, problem: &ImpactProblem, claim: &mut Claim) {
        let restitution = self.restitution(problem);
        claim.each(problem, |_| ElementClaim::Newton { restitution });
        claim.energy = EnergyClaim::Newton;
    }

    fn impulses(&self, problem: &ImpactProblem, _options: &Options, _work: &mut Buffers, answer: &mut LawAnswer) {
        let approach = -problem.gamma_minus()[0];
        if approach > 0.0 {
            answer.impulses[0] = (1.0 + self.restitution(problem)) * approach / problem.operator().get(0, 0);
        }
        answer.uniqueness = Uniqueness::Proved("the law is an explicit formula");
    }
}

const FILE: &str = r#"
mass = [2.0]            # kg
velocity = [-3.0]       # m/s
law = { name = "viscous", loss = 0.3 }
[[contact]]
name = "floor"
normal = [1.0]
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let options = ReadOptions { laws: vec![LawSpec::other(Viscous { loss: 0.1 })], ..ReadOptions::default() };
    let entry = read_problems(FILE, "ball.toml", Format::Toml, &options)?.entries.remove(0);
    let law = entry.law.ok_or("the file names a law")?;
    let outcome = resolve(&entry.problem, &law)?;
    let certificate = outcome.certificate;
    println!("{}: u⁺ = {:.6} m/s, {}", law.name(), outcome.u_plus[0], outcome.status().as_str());
    println!("law satisfied to {:?}; energy: {}", certificate.inclusion, certificate.theorem.as_str());
    assert!((outcome.u_plus[0] - 3.0 * (1.0 - 0.3 * 3f64.powf(0.2))).abs() < 1e-12);
    assert!(certificate.satisfies_law() && certificate.is_consistent());

    // The key has its range and its name in messages, as if the law were one of the library's.
    for (data, message) in [("loss = -1", "law.loss = -1: must be a finite number of at least 0"), ("los = 1", "loss")]
    {
        let text = FILE.replace("loss = 0.3", data);
        let error = read_problems(&text, "ball.toml", Format::Toml, &options).err().ok_or("must be refused")?;
        assert!(error.to_string().contains(message), "{error}");
        println!("{error}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn runs() {
        super::main().unwrap();
    }
}
