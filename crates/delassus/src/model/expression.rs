//! Expressions of time, for applied forces and moving supports: `3*sin(2*pi*t) - 0.5`.

use std::fmt;

use super::jet::Jet;
use crate::elementary::Elementary;
use crate::error::ImpactError;

/// A number or an expression of time `t`.
///
/// Operators `+ - * / ^`, parentheses, `pi`, `t`, and the functions sin, cos,
/// tan, exp, ln, sqrt, abs, sign, and step (0 before 0, else 1).
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    text: String,
    root: Node,
}

#[derive(Debug, Clone, PartialEq)]
enum Node {
    Number(f64),
    Time,
    Negative(Box<Node>),
    Binary(char, Box<Node>, Box<Node>),
    Call(Function, Box<Node>),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Function {
    Sin,
    Cos,
    Tan,
    Exp,
    Ln,
    Sqrt,
    Abs,
    Sign,
    Step,
}

/// Nesting deeper than this is refused.
const DEPTH: usize = 100;

impl Expression {
    /// Reads an expression.
    ///
    /// # Errors
    /// What was not understood and where, with the text as value.
    pub fn parse(text: &str) -> Result<Self, ImpactError> {
        let fail = |problem: String| ImpactError::new("", format!("{text:?}"), problem);
        let mut parser = Parser { rest: text, length: text.len() };
        let root = parser.sum(0).map_err(fail)?;
        parser.skip_space();
        if !parser.rest.is_empty() {
            return Err(fail(parser.unexpected()));
        }
        Ok(Self { text: text.to_owned(), root })
    }

    /// A constant.
    pub fn constant(value: f64) -> Self {
        Self { text: format!("{value}"), root: Node::Number(value) }
    }

    /// Its value at time `t`.
    pub fn at(&self, t: f64) -> f64 {
        self.root.at(t)
    }

    /// Its value and its first two derivatives at time `t`.
    pub fn derivatives(&self, t: f64) -> [f64; 3] {
        self.root.jet(t).0
    }

    /// Whether it does not depend on time.
    pub fn is_constant(&self) -> bool {
        self.root.is_constant()
    }

    /// Whether it has no function with jumps or corners: abs, sign, step.
    pub fn is_smooth(&self) -> bool {
        self.root.is_smooth()
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Node {
    fn at(&self, t: f64) -> f64 {
        match self {
            Self::Number(value) => *value,
            Self::Time => t,
            Self::Negative(a) => -a.at(t),
            Self::Binary(operator, a, b) => {
                let (a, b) = (a.at(t), b.at(t));
                match operator {
                    '+' => a + b,
                    '-' => a - b,
                    '*' => a * b,
                    '/' => a / b,
                    _ => a.power(b),
                }
            }
            Self::Call(function, a) => {
                let a = a.at(t);
                match function {
                    Function::Sin => a.sine(),
                    Function::Cos => a.cosine(),
                    Function::Tan => a.tangent(),
                    Function::Exp => a.exponential(),
                    Function::Ln => a.logarithm(),
                    Function::Sqrt => a.sqrt(),
                    Function::Abs => a.abs(),
                    Function::Sign => sign(a),
                    Function::Step => f64::from(u8::from(a >= 0.0)),
                }
            }
        }
    }

    fn jet(&self, t: f64) -> Jet {
        match self {
            Self::Number(value) => Jet::constant(*value),
            Self::Time => Jet([t, 1.0, 0.0]),
            Self::Negative(a) => a.jet(t).negative(),
            Self::Binary(operator, a, b) => {
                let (a, b) = (a.jet(t), b.jet(t));
                match operator {
                    '+' => a.plus(b),
                    '-' => a.plus(b.negative()),
                    '*' => a.times(b),
                    '/' => a.over(b),
                    _ => a.power(b),
                }
            }
            Self::Call(function, a) => {
                let a = a.jet(t);
                let x = a.0[0];
                let (sin, cos) = x.sine_cosine();
                a.through(match function {
                    Function::Sin => [sin, cos, -sin],
                    Function::Cos => [cos, -sin, -cos],
                    Function::Tan => {
                        let (tan, slope) = (x.tangent(), 1.0 / (cos * cos));
                        [tan, slope, 2.0 * tan * slope]
                    }
                    Function::Exp => [x.exponential(); 3],
                    Function::Ln => [x.logarithm(), 1.0 / x, -1.0 / (x * x)],
                    Function::Sqrt => [x.sqrt(), 0.5 / x.sqrt(), -0.25 / (x * x.sqrt())],
                    Function::Abs => [x.abs(), sign(x), 0.0],
                    Function::Sign => [sign(x), 0.0, 0.0],
                    Function::Step => [f64::from(u8::from(x >= 0.0)), 0.0, 0.0],
                })
            }
        }
    }

    fn is_smooth(&self) -> bool {
        match self {
            Self::Number(_) | Self::Time => true,
            Self::Negative(a) => a.is_smooth(),
            Self::Call(function, a) => {
                !matches!(function, Function::Abs | Function::Sign | Function::Step) && a.is_smooth()
            }
            Self::Binary(_, a, b) => a.is_smooth() && b.is_smooth(),
        }
    }

    fn is_constant(&self) -> bool {
        match self {
            Self::Number(_) => true,
            Self::Time => false,
            Self::Negative(a) | Self::Call(_, a) => a.is_constant(),
            Self::Binary(_, a, b) => a.is_constant() && b.is_constant(),
        }
    }
}

/// −1, 0 or 1.
fn sign(x: f64) -> f64 {
    f64::from(i8::from(x > 0.0) - i8::from(x < 0.0))
}

struct Parser<'a> {
    rest: &'a str,
    length: usize,
}

impl Parser<'_> {
    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, options: &[char]) -> Option<char> {
        self.skip_space();
        let c = self.rest.chars().next().filter(|c| options.contains(c))?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    fn unexpected(&self) -> String {
        let place = self.length - self.rest.len() + 1;
        match self.rest.chars().next() {
            Some(c) => format!("unexpected {c:?} at character {place}"),
            None => "ends too early".to_owned(),
        }
    }

    fn sum(&mut self, depth: usize) -> Result<Node, String> {
        let mut left = self.product(depth)?;
        while let Some(operator) = self.take(&['+', '-']) {
            left = Node::Binary(operator, Box::new(left), Box::new(self.product(depth)?));
        }
        Ok(left)
    }

    fn product(&mut self, depth: usize) -> Result<Node, String> {
        let mut left = self.signed(depth)?;
        while let Some(operator) = self.take(&['*', '/']) {
            left = Node::Binary(operator, Box::new(left), Box::new(self.signed(depth)?));
        }
        Ok(left)
    }

    /// A sign binds weaker than a power: −t^2 = −(t^2), and 2^-1 is allowed.
    fn signed(&mut self, depth: usize) -> Result<Node, String> {
        if depth > DEPTH {
            return Err(format!("is nested more than {DEPTH} deep"));
        }
        match self.take(&['-', '+']) {
            Some('-') => Ok(Node::Negative(Box::new(self.signed(depth + 1)?))),
            Some(_) => self.signed(depth + 1),
            None => {
                let base = self.atom(depth + 1)?;
                match self.take(&['^']) {
                    Some(_) => Ok(Node::Binary('^', Box::new(base), Box::new(self.signed(depth + 1)?))),
                    None => Ok(base),
                }
            }
        }
    }

    fn atom(&mut self, depth: usize) -> Result<Node, String> {
        if self.take(&['(']).is_some() {
            let inner = self.sum(depth)?;
            return self.take(&[')']).map(|_| inner).ok_or_else(|| self.unexpected());
        }
        self.skip_space();
        if self.rest.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            return self.number();
        }
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        let function = match word {
            "t" | "pi" => {
                self.rest = rest;
                return Ok(if word == "t" { Node::Time } else { Node::Number(std::f64::consts::PI) });
            }
            "sin" => Function::Sin,
            "cos" => Function::Cos,
            "tan" => Function::Tan,
            "exp" => Function::Exp,
            "ln" => Function::Ln,
            "sqrt" => Function::Sqrt,
            "abs" => Function::Abs,
            "sign" => Function::Sign,
            "step" => Function::Step,
            "" => return Err(self.unexpected()),
            _ => {
                let known = "t, pi, sin, cos, tan, exp, ln, sqrt, abs, sign, step";
                return Err(format!("{word:?} is not known; allowed are {known}"));
            }
        };
        self.rest = rest;
        if self.take(&['(']).is_none() {
            return Err(format!("{word} needs its argument in parentheses"));
        }
        let inner = self.sum(depth)?;
        self.take(&[')']).ok_or_else(|| self.unexpected())?;
        Ok(Node::Call(function, Box::new(inner)))
    }

    fn number(&mut self) -> Result<Node, String> {
        let bytes = self.rest.as_bytes();
        let digits = |mut i: usize| {
            while i < bytes.len() && (bytes[i].is_ascii_digit() || bytes[i] == b'.') {
                i += 1;
            }
            i
        };
        let mut end = digits(0);
        if end < bytes.len() && matches!(bytes[end], b'e' | b'E') {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let exponent = digits(end + 1 + sign);
            if exponent > end + 1 + sign {
                end = exponent;
            }
        }
        let (word, rest) = self.rest.split_at(end);
        let value: f64 = word.parse().map_err(|_| format!("{word:?} is not a number"))?;
        self.rest = rest;
        Ok(Node::Number(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, t: f64) -> f64 {
        Expression::parse(text).unwrap().at(t)
    }

    #[test]
    fn precedence_and_functions() {
        assert_eq!(value("1 + 2*3^2", 0.0), 19.0);
        assert_eq!(value("-t^2", 3.0), -9.0);
        assert_eq!(value("2^-1", 0.0), 0.5);
        assert_eq!(value("2^3^2", 0.0), 512.0);
        assert_eq!(value("8/4/2 - 1 - 1", 0.0), -1.0);
        assert_eq!(value("1.5e-1*t", 2.0), 0.3);
        assert!((value("3*sin(2*pi*t)", 0.25) - 3.0).abs() < 1e-15);
        assert_eq!(value("step(t-1)*sign(-2)*abs(-3)", 2.0), -3.0);
        assert_eq!(value("step(t-1)", 0.5), 0.0);
        assert!(Expression::parse("2*pi").unwrap().is_constant());
        assert!(!Expression::parse("exp(-t)").unwrap().is_constant());
    }

    #[test]
    fn derivatives_agree_with_differences() {
        for text in [
            "3*sin(2*t)*exp(-t/2)",
            "tan(t)/(1+t)",
            "ln(t)*sqrt(t)",
            "t^3 - 2^t",
            "t^t",
            "(1+t)^-2",
            "abs(t-5)",
            "-t*7",
        ] {
            let expression = Expression::parse(text).unwrap();
            for t in [0.3, 0.7, 1.2] {
                let h = 1e-4;
                let [f, f1, f2] = expression.derivatives(t);
                let [before, after] = [t - h, t + h].map(|t| expression.at(t));
                assert!((f - expression.at(t)).abs() <= 1e-15 * f.abs(), "{text}");
                assert!((f1 - (after - before) / (2.0 * h)).abs() < 1e-6 * (1.0 + f1.abs()), "{text} {f1}");
                assert!((f2 - (after - 2.0 * f + before) / (h * h)).abs() < 1e-5 * (1.0 + f2.abs()), "{text} {f2}");
            }
        }
        assert_eq!(Expression::parse("t + t^2 + 3*t^3").unwrap().derivatives(0.0), [0.0, 1.0, 2.0]);
        assert!(
            Expression::parse("sin(t)").unwrap().is_smooth() && !Expression::parse("2*abs(t)").unwrap().is_smooth()
        );
    }

    #[test]
    fn mistakes_are_named() {
        let message = |text: &str| Expression::parse(text).unwrap_err().problem;
        assert!(message("2*").contains("ends too early"));
        assert!(message("2 3").contains("unexpected '3' at character 3"));
        assert!(message("foo(t)").contains("\"foo\" is not known"));
        assert!(message("sin t").contains("parentheses"));
        assert!(message("(1").contains("ends too early"));
        assert!(message("1.2.3").contains("not a number"));
        assert!(message("é").contains("unexpected"));
        assert!(message(&"(".repeat(100_000)).contains("nested"));
    }
}
