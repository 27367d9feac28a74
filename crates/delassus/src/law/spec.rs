//! The laws that this library holds, and laws from elsewhere.

use std::fmt;

use super::{About, Buffers, Coefficient, Field, ImpactLaw, InMotion, Refusal, Value};
use crate::answer::{LawAnswer, Options};
use crate::claim::Claim;
use crate::error::ImpactError;
use crate::problem::ImpactProblem;

/// The register of laws: from its lines come [`LawSpec`] and all lists of laws, in this order.
macro_rules! register {
    ($($module:ident::$law:ident),* $(,)?) => {
        $(pub use super::$module::$law;)*

        /// A law with its data: what files hold.
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum LawSpec {
            $(
                #[doc = concat!("The law [`", stringify!($law), "`].")]
                $law($law),
            )*
            /// A law that is not part of this library.
            Other(OtherLaw),
        }

        impl LawSpec {
            /// The law at work.
            #[inline]
            pub fn law(&self) -> &dyn ImpactLaw {
                match self {
                    $(Self::$law(law) => law,)*
                    Self::Other(law) => &*law.0,
                }
            }

            /// The law, to change its data.
            pub fn law_mut(&mut self) -> &mut dyn ImpactLaw {
                match self {
                    $(Self::$law(law) => law,)*
                    Self::Other(law) => &mut *law.0,
                }
            }

            /// Every law of this library with its default data, in the order of comparisons.
            pub fn all() -> Vec<LawSpec> {
                vec![$(Self::$law($law::default())),*]
            }
        }

        /// Each method is that of the law inside.
        impl ImpactLaw for LawSpec {
            fn about(&self) -> About {
                self.law().about()
            }

            fn data(&mut self, each: &mut dyn FnMut(Field<'_>)) {
                self.law_mut().data(each);
            }

            // Called for every impact: without a second dispatch, and compiled here, for speed, whoever calls it.
            fn check(&self, problem: &ImpactProblem) -> Result<(), Refusal> {
                match self {
                    $(Self::$law(law) => law.check(problem),)*
                    Self::Other(law) => law.0.check(problem),
                }
            }

            fn claim(&self, problem: &ImpactProblem, claim: &mut Claim) {
                match self {
                    $(Self::$law(law) => law.claim(problem, claim),)*
                    Self::Other(law) => law.0.claim(problem, claim),
                }
            }

            fn impulses(&self, problem: &ImpactProblem, options: &Options, work: &mut Buffers, answer: &mut LawAnswer) {
                match self {
                    $(Self::$law(law) => law.impulses(problem, options, work, answer),)*
                    Self::Other(law) => law.0.impulses(problem, options, work, answer),
                }
            }

            fn needs_friction(&self) -> bool {
                self.law().needs_friction()
            }

            fn in_motion(&self) -> InMotion {
                self.law().in_motion()
            }

            fn coefficients(&self) -> Vec<Coefficient> {
                self.law().coefficients()
            }

            fn why_energy_may_grow(&self, restitutions: &str) -> Option<String> {
                self.law().why_energy_may_grow(restitutions)
            }
        }

        $(
            impl From<$law> for LawSpec {
                fn from(law: $law) -> Self {
                    Self::$law(law)
                }
            }
        )*
    };
}

register! {
    newton::Newton,
    newton::Moreau,
    poisson::Poisson,
    kinematic::Kinematic,
    lzb::Lzb,
    sequential::Sequential,
    walton::Walton,
    stronge::Stronge,
    chatterjee_ruina::ChatterjeeRuina,
    reflections::Reflections,
}

impl LawSpec {
    /// A law that is not part of this library.
    pub fn other(law: impl ImpactLaw + 'static) -> Self {
        Self::Other(OtherLaw(Box::new(law)))
    }

    /// The law's name, as in files.
    pub fn name(&self) -> &'static str {
        self.law().about().name
    }

    /// The law of that name with its default data.
    pub fn by_name(name: &str) -> Option<LawSpec> {
        Self::all().into_iter().find(|law| law.name() == name)
    }

    /// The keys of the law's data, as in files.
    pub fn keys(&self) -> Vec<&'static str> {
        super::data::keys(self.law())
    }

    /// Gives the datum of that key to `act`; `None` where the law has no such key.
    pub fn with_field<T>(&mut self, key: &str, act: impl FnOnce(Field<'_>) -> T) -> Option<T> {
        super::data::with_field(self.law_mut(), key, act)
    }

    /// Sets the datum of that key.
    ///
    /// # Errors
    /// No such key, a value of another kind or out of range.
    pub fn set(&mut self, key: &str, value: Value) -> Result<(), ImpactError> {
        let name = self.name();
        self.with_field(key, |mut field| field.set(value)).unwrap_or_else(|| {
            let problem = format!("the law {name} has no such key (it has: {})", self.keys().join(", "));
            Err(ImpactError::new(format!("law.{key}"), "", problem))
        })
    }
}

/// A law that is not part of this library.
pub struct OtherLaw(Box<dyn ImpactLaw>);

impl Clone for OtherLaw {
    fn clone(&self) -> Self {
        Self(self.0.boxed())
    }
}

impl fmt::Debug for OtherLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Laws are equal if their names and the data they list are.
impl PartialEq for OtherLaw {
    fn eq(&self, other: &Self) -> bool {
        let values = |law: &Self| {
            let mut values = Vec::new();
            law.0.boxed().data(&mut |field| values.push((field.key, field.value())));
            values
        };
        self.0.about() == other.0.about() && values(self) == values(other)
    }
}
