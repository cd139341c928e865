//! Why a profile request has no answer.

/// Why a profile request has no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProfileError {
    /// A value of the request that cannot be worked with.
    #[error("{0}")]
    Invalid(String),
    /// The deadline passed, or the client left.
    #[error("the search was stopped")]
    Stopped,
}

impl ProfileError {
    /// Stable code.
    pub fn code(&self) -> &'static str {
        match self {
            ProfileError::Invalid(_) => "INVALID_REQUEST",
            ProfileError::Stopped => "ABORTED",
        }
    }
}
