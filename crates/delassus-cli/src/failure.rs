//! Why a command ends without its result.

use std::io;
use std::process::ExitCode;

use delassus_io::{InputError, nearest};

/// Bad input, output that could not be written, or Ctrl-C.
#[derive(Debug)]
pub enum Failure {
    /// Bad input, in words.
    Input(String),
    /// Standard output could not be written.
    Output(io::Error),
    /// Given up on request; how to go on.
    Interrupted(String),
}

/// The exit status after Ctrl-C.
pub const INTERRUPTED: u8 = 130;

impl Failure {
    /// Prints the failure to standard error and gives the exit status.
    pub fn report(self) -> ExitCode {
        match self {
            Self::Input(message) => {
                let style = clap::builder::Styles::styled();
                let error = style.get_error();
                anstream::eprintln!("{error}error:{error:#} {message}");
                ExitCode::from(2)
            }
            Self::Interrupted(message) => {
                anstream::eprintln!("interrupted: {message}");
                ExitCode::from(INTERRUPTED)
            }
            // Whoever reads us has seen enough: `delassus … | head` is no failure.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Self::Output(error) => {
                anstream::eprintln!("error: cannot write: {error}");
                ExitCode::from(2)
            }
        }
    }
}

/// The end of a message about an unknown word: the nearest of those that are known, and all of them.
pub fn known_words(word: &str, known: &[&str]) -> String {
    let all = known.join(", ");
    match nearest(word, known) {
        Some(near) => format!("; did you mean '{near}'? There are: {all}"),
        None => format!("; there are: {all}"),
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        Self::Input(error.to_string())
    }
}
