//! Why an analysis has no answer.

use trestle_street::search::Interrupted;

use crate::isochrone::grid::GridTooLarge;

/// Why an analysis has no answer.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum AnalysisError {
    /// The place is unknown, or no walkable street is near it.
    #[error("vertices not found: [{0}] (the place is unknown, or no street is near it)")]
    PlaceNotFound(&'static str),
    /// A value of the request that cannot be used.
    #[error("{0}")]
    Invalid(String),
    /// The answer would be too large.
    #[error("{0}")]
    TooLarge(String),
    /// The deadline passed, or the client left.
    #[error("the search was stopped")]
    Stopped,
}

impl From<GridTooLarge> for AnalysisError {
    fn from(error: GridTooLarge) -> Self {
        AnalysisError::TooLarge(error.to_string())
    }
}

impl From<Interrupted> for AnalysisError {
    fn from(_: Interrupted) -> Self {
        AnalysisError::Stopped
    }
}

impl AnalysisError {
    pub fn code(&self) -> &'static str {
        match self {
            AnalysisError::PlaceNotFound(_) => "PLACE_NOT_FOUND",
            AnalysisError::Invalid(_) => "INVALID_REQUEST",
            AnalysisError::TooLarge(_) => "TOO_LARGE",
            AnalysisError::Stopped => "ABORTED",
        }
    }
}
