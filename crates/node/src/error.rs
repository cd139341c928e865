//! Engine errors as JavaScript errors: `message` for people, `code` for programs, one table for both.

use napi::{Env, JsError};
use trestle_analysis::AnalysisError;
use trestle_engine::EngineError;
use trestle_planner::profile::ProfileError;
use trestle_street::search::Interrupted;

pub(crate) type Coded<T> = Result<T, CodedError>;

/// An error with a stable code that programs may match on.
#[derive(Debug, Clone)]
pub(crate) struct CodedError {
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

impl CodedError {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        CodedError { code, message: message.into() }
    }

    /// A call of a graph that was disposed of.
    pub(crate) fn disposed() -> Self {
        CodedError::new("DISPOSED", "this graph was disposed of")
    }

    /// A request that cannot be understood.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        CodedError::new("INVALID_REQUEST", message)
    }
}

/// The value of a constant, by its name in the request; `member` is where the request has it.
pub(crate) fn constant<T>(
    member: &str,
    name: &str,
    constants: impl Iterator<Item = (&'static str, T)> + Clone,
) -> Coded<T> {
    let found = constants.clone().find(|(known, _)| *known == name);
    found.map(|(_, value)| value).ok_or_else(|| {
        let known: Vec<&str> = constants.map(|(known, _)| known).collect();
        CodedError::invalid(format!("{member}: {name:?} is not one of {}", known.join(", ")))
    })
}

/// A failure at the boundary itself, such as an invalid signal.
impl From<napi::Error> for CodedError {
    fn from(error: napi::Error) -> Self {
        CodedError::invalid(error.reason.clone())
    }
}

impl From<EngineError> for CodedError {
    fn from(error: EngineError) -> Self {
        CodedError::new(error.code(), error.to_string())
    }
}

impl From<Interrupted> for CodedError {
    fn from(error: Interrupted) -> Self {
        CodedError::new("ABORTED", error.to_string())
    }
}

impl From<AnalysisError> for CodedError {
    fn from(error: AnalysisError) -> Self {
        CodedError::new(error.code(), error.to_string())
    }
}

impl From<ProfileError> for CodedError {
    fn from(error: ProfileError) -> Self {
        CodedError::new(error.code(), error.to_string())
    }
}

impl From<CodedError> for napi::Error<String> {
    fn from(error: CodedError) -> Self {
        napi::Error::new(error.code.to_owned(), error.message)
    }
}

/// The error with which a promise is rejected. It is made on the JavaScript thread, because only an error object made
/// there can carry our own code.
pub(crate) fn rejection(env: &Env, error: CodedError) -> napi::Error {
    napi::Error::from(JsError::from(napi::Error::<String>::from(error)).into_unknown(*env))
}
