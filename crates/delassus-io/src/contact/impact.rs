//! Problem files of impacts as contact problems, so that they can be given to other programs.

use std::path::Path;

use delassus::law::{Moreau, Newton, Refusal, contact_problem};
use delassus::{ImpactError, ImpactLaw, ImpactProblem, LawSpec};

use super::{ContactFile, ContactInput};
use crate::error::InputError;
use crate::read::{Entry, Format, ReadOptions, read_problems};
use crate::scenario::is_scenario;

/// The contact problems of the impacts of a file.
pub(super) fn read(name: &str, path: &Path, text: &str) -> Result<Vec<ContactInput>, InputError> {
    let format = Format::detect(path, text);
    if is_scenario(text, format) {
        let reason =
            "is a scenario, a motion to simulate; delassus run --impact N writes one of its impacts as a problem";
        return Err(InputError::new(name, ImpactError::new("", "", reason)));
    }
    let document = read_problems(text, name, format, &ReadOptions::default())?;
    let input = |entry: &Entry| {
        let (file, mut remarks) = convert(&entry.problem, entry.law.as_ref())
            .map_err(|error| InputError::new(name, error.within(&entry.path())))?;
        remarks.extend(entry.remarks.iter().cloned());
        Ok(ContactInput { place: entry.path(), file, start: None, solver: entry.solver, remarks })
    };
    document.entries.iter().map(input).collect()
}

/// The contact problem of an impact, and what of the impact is not in it.
fn convert(problem: &ImpactProblem, law: Option<&LawSpec>) -> Result<(ContactFile, Vec<String>), ImpactError> {
    let mut remarks = Vec::new();
    let contacts = match law {
        Some(LawSpec::Moreau(moreau)) => {
            let e = index(moreau, problem).map_err(refused)?;
            contact_problem(problem, |_| e)
        }
        other => {
            if let Some(law) = other.filter(|law| !matches!(law, LawSpec::Newton(_))) {
                remarks.push(format!(
                    "the law {} is no contact problem; newton with the restitutions of the contacts is taken instead",
                    law.name()
                ));
            }
            Newton::default().check(problem).map_err(refused)?;
            contact_problem(problem, |element| element.restitution)
        }
    }?;
    if problem.contacts().iter().any(|contact| contact.friction_static.is_some()) {
        remarks.push("friction_static is not part of contact problems; the kinetic one is taken".into());
    }
    let file = if contacts.dimension() == 1 {
        ContactFile::Lcp { matrix: contacts.matrix, vector: contacts.vector }
    } else {
        ContactFile::Friction(contacts)
    };
    Ok((file, remarks))
}

fn index(moreau: &Moreau, problem: &ImpactProblem) -> Result<f64, Refusal> {
    moreau.check(problem)?;
    moreau.index(problem)
}

fn refused(refusal: Refusal) -> ImpactError {
    match refusal {
        Refusal::NotApplicable(reason) => ImpactError::new("law", "", reason),
        Refusal::BadInput(error) => error,
    }
}
