//! What is varied, and the order of cases.

use delassus::ImpactError;

use super::sample::{Distribution, MOST_SOBOL, Sampling, unit};
use crate::number;

/// The values that one parameter takes.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// One after the other.
    Numbers(Vec<f64>),
    /// Names: of laws, of files.
    Words(Vec<String>),
    /// As many as there are samples.
    Sampled(Distribution),
}

/// A parameter and the values it takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Vary {
    /// Path of the parameter.
    pub key: String,
    /// Its values.
    pub values: Values,
}

/// The value of one parameter in one case.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Input {
    /// A number.
    Number(f64),
    /// The word of this index among those of the parameter.
    Word(usize),
}

/// More values of one parameter are a mistake.
const MOST_VALUES: usize = 10_000_000;

impl Vary {
    /// Reads `KEY=FROM:TO:N`, `KEY=log:FROM:TO:N`, `KEY=v1,v2,…`, `KEY=uniform:LOW:HIGH`,
    /// `KEY=loguniform:LOW:HIGH`, `KEY=normal:MEAN:DEVIATION`, `KEY=lognormal:MEDIAN:DEVIATION`;
    /// what is no number is a word.
    ///
    /// ```
    /// use delassus_study::sweep::{Values, Vary};
    /// assert_eq!(Vary::parse("friction=0:1:3")?.values, Values::Numbers(vec![0.0, 0.5, 1.0]));
    /// assert_eq!(Vary::parse("friction=0.3,0.1")?.values, Values::Numbers(vec![0.3, 0.1]));
    /// # Ok::<(), delassus::ImpactError>(())
    /// ```
    ///
    /// # Errors
    /// A text of another form.
    pub fn parse(text: &str) -> Result<Self, ImpactError> {
        let wrong = |problem: String| ImpactError::new("vary", text, problem);
        let form = "needs KEY=FROM:TO:N, KEY=v1,v2,… or KEY=normal:MEAN:DEVIATION";
        let (key, spec) = text.split_once('=').ok_or_else(|| wrong(form.to_owned()))?;
        let (key, spec) = (key.trim(), spec.trim());
        if key.is_empty() || spec.is_empty() {
            return Err(wrong(form.to_owned()));
        }
        let number = |word: &str| {
            let value = number::parse(word.trim()).filter(|v| v.is_finite());
            value.ok_or_else(|| wrong(format!("{word:?} is no finite number")))
        };
        let count = |word: &str| {
            let count = word.trim().parse().ok().filter(|n| (1..=MOST_VALUES).contains(n));
            count.ok_or_else(|| wrong(format!("N must be a whole number from 1 to {MOST_VALUES}")))
        };
        let positive = |low: f64, what: &str| {
            if low > 0.0 { Ok(()) } else { Err(wrong(format!("{what} must be positive"))) }
        };
        // Names of files may hold colons and look like numbers.
        let names = key == "law" || key.ends_with(".file");
        let values = match spec.split(':').collect::<Vec<_>>()[..] {
            _ if names => Values::Words(spec.split(',').map(|word| word.trim().to_owned()).collect()),
            [list] => {
                let words: Vec<&str> = list.split(',').map(str::trim).collect();
                if words.contains(&"") {
                    return Err(wrong("an entry of the list is empty".to_owned()));
                }
                let numbers: Option<Vec<f64>> = words.iter().map(|word| number::parse(word)).collect();
                match numbers {
                    Some(numbers) if numbers.iter().all(|v| v.is_finite()) => Values::Numbers(numbers),
                    _ => Values::Words(words.into_iter().map(str::to_owned).collect()),
                }
            }
            ["log", from, to, n] => {
                let (from, to, n) = (number(from)?, number(to)?, count(n)?);
                positive(from.min(to), "the ends of a logarithmic range")?;
                let (start, end) = (libm::log(from), libm::log(to));
                Values::Numbers(spaced(n, from, to, |part| libm::exp(start + (end - start) * part)))
            }
            ["uniform", low, high] => Values::Sampled(Distribution::Uniform(number(low)?, number(high)?)),
            ["loguniform", low, high] => {
                let (low, high) = (number(low)?, number(high)?);
                positive(low.min(high), "the ends of a logarithmic range")?;
                Values::Sampled(Distribution::LogUniform(low.min(high), low.max(high)))
            }
            ["normal", mean, deviation] => Values::Sampled(Distribution::Normal(number(mean)?, number(deviation)?)),
            ["lognormal", median, deviation] => {
                let median = number(median)?;
                positive(median, "the median")?;
                Values::Sampled(Distribution::LogNormal(median, number(deviation)?))
            }
            [from, to, n] => {
                let (from, to, n) = (number(from)?, number(to)?, count(n)?);
                Values::Numbers(spaced(n, from, to, |part| from + (to - from) * part))
            }
            _ => return Err(wrong(form.to_owned())),
        };
        match values {
            Values::Sampled(Distribution::Normal(_, deviation) | Distribution::LogNormal(_, deviation))
                if deviation < 0.0 =>
            {
                Err(wrong("the deviation must not be negative".to_owned()))
            }
            _ => Ok(Self { key: key.to_owned(), values }),
        }
    }
}

/// `n` values from one end to the other, the ends exactly.
fn spaced(n: usize, from: f64, to: f64, between: impl Fn(f64) -> f64) -> Vec<f64> {
    let value = |k: usize| match k {
        0 => from,
        _ if k == n - 1 => to,
        _ => between(k as f64 / (n - 1) as f64),
    };
    (0..n).map(value).collect()
}

/// All cases of a sweep, numbered from 0. The last parameter runs fastest; those that are sampled
/// go together, in the place of the first of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    vary: Vec<Vary>,
    samples: usize,
    sampling: Sampling,
    seed: u64,
    cases: usize,
}

impl Plan {
    /// The cases of these parameters, with `samples` points of those that are sampled.
    ///
    /// # Errors
    /// A parameter that is given twice; too many cases; samples that are asked for and not used, or
    /// the other way round.
    pub fn new(vary: Vec<Vary>, samples: Option<usize>, sampling: Sampling, seed: u64) -> Result<Self, ImpactError> {
        for (i, one) in vary.iter().enumerate() {
            if vary[..i].iter().any(|other| other.key == one.key) {
                return Err(ImpactError::new("vary", &one.key, "is varied twice"));
            }
        }
        let sampled = vary.iter().filter(|v| matches!(v.values, Values::Sampled(_))).count();
        let samples = match samples {
            None if sampled > 0 => {
                return Err(ImpactError::new("samples", "", "is missing: a distribution needs a number of samples"));
            }
            Some(0) => return Err(ImpactError::new("samples", 0, "must be at least 1")),
            Some(n) if sampled == 0 => {
                return Err(ImpactError::new(
                    "samples",
                    n,
                    "no parameter has a distribution, such as KEY=normal:1:0.1",
                ));
            }
            given => given.unwrap_or(1),
        };
        if sampling == Sampling::Sobol && sampled > MOST_SOBOL {
            let problem = format!("samples at most {MOST_SOBOL} parameters");
            return Err(ImpactError::new("sobol", sampled, problem));
        }
        let mut plan = Self { vary, samples, sampling, seed, cases: 1 };
        let cases = plan.sizes().iter().try_fold(1usize, |all, &size| all.checked_mul(size));
        let cases = cases.filter(|n| u32::try_from(*n).is_ok());
        plan.cases = cases.ok_or_else(|| ImpactError::new("vary", "", "gives more than 4e9 cases"))?;
        Ok(plan)
    }

    /// The parameters in order.
    pub fn vary(&self) -> &[Vary] {
        &self.vary
    }

    /// The number of cases.
    pub fn cases(&self) -> usize {
        self.cases
    }

    /// Values of each parameter; of those that are sampled the first has all and the others one.
    fn sizes(&self) -> Vec<usize> {
        let mut samples = self.samples;
        let size = |vary: &Vary| match &vary.values {
            Values::Numbers(list) => list.len(),
            Values::Words(list) => list.len(),
            Values::Sampled(_) => std::mem::replace(&mut samples, 1),
        };
        self.vary.iter().map(size).collect()
    }

    /// The values of the parameters in a case.
    pub fn inputs(&self, case: usize) -> Vec<Input> {
        let sizes = self.sizes();
        let mut left = case;
        let mut indices: Vec<usize> = sizes
            .iter()
            .rev()
            .map(|size| {
                let index = left % size;
                left /= size;
                index
            })
            .collect();
        indices.reverse();
        let (mut sample, mut dimension) = (None, 0);
        let mut input = |(vary, index): (&Vary, usize)| match &vary.values {
            Values::Numbers(list) => Input::Number(list[index]),
            Values::Words(_) => Input::Word(index),
            Values::Sampled(distribution) => {
                let sample = *sample.get_or_insert(index) as u64;
                let p = unit(self.sampling, self.seed, dimension, sample);
                dimension += 1;
                Input::Number(distribution.quantile(p))
            }
        };
        self.vary.iter().zip(indices).map(&mut input).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(specs: &[&str], samples: Option<usize>) -> Result<Plan, ImpactError> {
        let vary = specs.iter().map(|spec| Vary::parse(spec)).collect::<Result<_, _>>()?;
        Plan::new(vary, samples, Sampling::Random, 3)
    }

    fn number(input: Input) -> f64 {
        match input {
            Input::Number(value) => value,
            Input::Word(index) => index as f64,
        }
    }

    #[test]
    fn the_last_parameter_runs_fastest() {
        let plan = plan(&["a=1,2", "law=newton,lzb,poisson", "b=0:1:2"], None).unwrap();
        assert_eq!(plan.cases(), 12);
        let all: Vec<Vec<f64>> = (0..12).map(|k| plan.inputs(k).into_iter().map(number).collect()).collect();
        assert_eq!(all[0], [1.0, 0.0, 0.0]);
        assert_eq!(all[1], [1.0, 0.0, 1.0]);
        assert_eq!(all[2], [1.0, 1.0, 0.0]);
        assert_eq!(all[6], [2.0, 0.0, 0.0]);
        assert_eq!(all[11], [2.0, 2.0, 1.0]);
    }

    #[test]
    fn sampled_parameters_go_together_and_repeat_over_the_others() {
        let plan = plan(&["a=normal:0:1", "b=1,2", "c=uniform:0:1"], Some(5)).unwrap();
        assert_eq!(plan.cases(), 10);
        let all: Vec<Vec<f64>> = (0..10).map(|k| plan.inputs(k).into_iter().map(number).collect()).collect();
        for sample in 0..5 {
            let [first, second] = [&all[2 * sample], &all[2 * sample + 1]];
            assert_eq!((first[0], first[2]), (second[0], second[2]));
            assert_eq!((first[1], second[1]), (1.0, 2.0));
        }
        assert!(all[0][0] != all[2][0] && all[0][2] != all[2][2]);
    }

    #[test]
    fn ranges_meet_their_ends() {
        let values = |text: &str| match Vary::parse(text).unwrap().values {
            Values::Numbers(list) => list,
            other => panic!("{other:?}"),
        };
        assert_eq!(values("x=3:1:3"), [3.0, 2.0, 1.0]);
        assert_eq!(values("x=0:pi:2")[1], std::f64::consts::PI);
        assert_eq!(values("x=5:7:1"), [5.0]);
        let log = values("x=log:0.001:1000:7");
        assert_eq!((log[0], log[6]), (0.001, 1000.0));
        assert!(log.windows(2).all(|w| (w[1] / w[0] - 10.0).abs() < 1e-12));
        assert_eq!(values("x=30deg,1e-3,-2"), [std::f64::consts::PI / 6.0, 1e-3, -2.0]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (specs, samples, word) in [
            (&["a"][..], None, "needs KEY="),
            (&["a=1:2"], None, "needs KEY="),
            (&["a=1:x:3"], None, "no finite number"),
            (&["a=1:2:0"], None, "N must be"),
            (&["a=log:0:1:3"], None, "must be positive"),
            (&["a=1,,2"], None, "empty"),
            (&["a=normal:0:-1"], Some(3), "negative"),
            (&["a=normal:0:1"], None, "is missing"),
            (&["a=1,2"], Some(3), "no parameter has a distribution"),
            (&["a=1,2", "a=3,4"], None, "varied twice"),
            (&["a=0:1:100000", "b=0:1:100000"], None, "more than 4e9"),
        ] {
            let error = plan(specs, samples).unwrap_err().to_string();
            assert!(error.contains(word), "{specs:?}: {error}");
        }
    }
}
