//! Which laws a problem or scenario is computed under.

use delassus::LawSpec;
use delassus::law::Newton;

/// The laws for one problem.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// In the order asked for.
    pub laws: Vec<LawSpec>,
    /// Whether they were named; else all are tried, and data that a law
    /// cannot take only makes that law not applicable.
    pub named: bool,
}

/// Named laws with the file's data where it is of that name.
fn with_data_of(own: Option<&LawSpec>, named: &[LawSpec]) -> Vec<LawSpec> {
    named.iter().map(|law| own.filter(|own| own.name() == law.name()).unwrap_or(law).clone()).collect()
}

/// The laws of an impact: those named, with the file's `own` data where it is of that name; else
/// the file's law; else every law.
///
/// ```
/// use delassus::LawSpec;
/// use delassus_study::laws::for_impact;
/// assert_eq!(for_impact(None, &[]).laws.len(), LawSpec::all().len());
/// let own = LawSpec::by_name("lzb").unwrap();
/// assert_eq!(for_impact(Some(&own), &[]).laws, [own]);
/// ```
pub fn for_impact(own: Option<&LawSpec>, named: &[LawSpec]) -> Choice {
    match (own, named) {
        (_, [_, ..]) => Choice { laws: with_data_of(own, named), named: true },
        (Some(law), []) => Choice { laws: vec![law.clone()], named: true },
        (None, []) => Choice { laws: LawSpec::all(), named: false },
    }
}

/// The laws of a motion: those named, with the file's `own` data where it is of that name; else
/// the file's law; else Newton's.
pub fn for_motion(own: Option<&LawSpec>, named: &[LawSpec]) -> Vec<LawSpec> {
    match (own, named) {
        (_, [_, ..]) => with_data_of(own, named),
        (Some(law), []) => vec![law.clone()],
        (None, []) => vec![LawSpec::Newton(Newton::default())],
    }
}

/// The laws of a study that needs them named: in the file or beside it; `None` where neither does.
pub fn for_study(own: Option<&LawSpec>, named: &[LawSpec]) -> Option<Vec<LawSpec>> {
    match (own, named) {
        (None, []) => None,
        (Some(own), []) => Some(vec![own.clone()]),
        _ => Some(with_data_of(own, named)),
    }
}
