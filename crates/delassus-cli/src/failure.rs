//! Why a command ends without its result.

use std::io;
use std::process::ExitCode;

use delassus_io::InputError;

/// Bad input, or output that could not be written.
#[derive(Debug)]
pub enum Failure {
    /// Bad input, in words.
    Input(String),
    /// Standard output could not be written.
    Output(io::Error),
}

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
            // Whoever reads us has seen enough: `delassus … | head` is no failure.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Self::Output(error) => {
                anstream::eprintln!("error: cannot write: {error}");
                ExitCode::from(2)
            }
        }
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
