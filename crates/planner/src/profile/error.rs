//! Errors of profile requests.

use trestle_street::search::Interrupted;

/// Why a profile request has no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProfileError {
    /// An unusable value of the request.
    #[error("{0}")]
    Invalid(String),
    /// The deadline passed, or the client left.
    #[error("the search was stopped")]
    Stopped,
}

impl From<Interrupted> for ProfileError {
    fn from(_: Interrupted) -> Self {
        ProfileError::Stopped
    }
}

impl ProfileError {
    pub fn code(&self) -> &'static str {
        match self {
            ProfileError::Invalid(_) => "INVALID_REQUEST",
            ProfileError::Stopped => "ABORTED",
        }
    }
}
