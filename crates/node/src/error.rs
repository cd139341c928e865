//! Engine errors as JavaScript errors: `message` for people, `code` for programs, one table for both.

use napi::{Env, JsError};
use trestle_analysis::AnalysisError;
use trestle_engine::EngineError;
use trestle_planner::profile::ProfileError;

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
}

impl From<EngineError> for CodedError {
    fn from(error: EngineError) -> Self {
        CodedError::new(error.code(), error.to_string())
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

/// A failure at the boundary itself, such as a signal that is none.
pub(crate) fn napi_failure(error: napi::Error) -> napi::Error<String> {
    napi::Error::new("INVALID_REQUEST".to_owned(), error.reason.clone())
}

/// Every code the addon can throw. `src/native/codes.ts` mirrors it; a test compares both.
#[allow(dead_code)] // read as text by that test
pub(crate) const CODES: &[&str] = &[
    "ABORTED",
    "BUSY",
    "DISPOSED",
    "GRAPH_DAMAGED",
    "GRAPH_FOREIGN",
    "GRAPH_IO",
    "GRAPH_TRUNCATED",
    "GRAPH_VERSION",
    "INPUT_MISSING",
    "INPUT_UNREADABLE",
    "CONFIG_INVALID",
    "OSM_UNREADABLE",
    "GTFS_UNREADABLE",
    "GTFS_TOO_LARGE",
    "GTFS_MISSING_TABLE",
    "GTFS_MISSING_COLUMN",
    "ELEVATION_UNREADABLE",
    "BUILD_OPTION_UNKNOWN",
    "REALTIME_INVALID",
    "INVALID_REQUEST",
    "PLACE_NOT_FOUND",
    "TIMEOUT",
    "TOO_LARGE",
    "PANIC",
];
