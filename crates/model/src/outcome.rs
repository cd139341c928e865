//! Why a search has no answer. These are values, not failures: the interface answers them with status 200.

use crate::named;

named! {
    /// The interface's planning error codes that a search or its request can produce.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum PlanErrorCode {
        OutsideBounds = "OUTSIDE_BOUNDS",
        PathNotFound = "PATH_NOT_FOUND",
        NoTransitTimes = "NO_TRANSIT_TIMES",
        RequestTimeout = "REQUEST_TIMEOUT",
        BogusParameter = "BOGUS_PARAMETER",
        TooClose = "TOO_CLOSE",
        LocationNotAccessible = "LOCATION_NOT_ACCESSIBLE",
        UnderspecifiedTriangle = "UNDERSPECIFIED_TRIANGLE",
        TriangleNotAffine = "TRIANGLE_NOT_AFFINE",
        SystemError = "SYSTEM_ERROR",
    }
}

/// No answer, and why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}: {reason}", code.name())]
pub struct PlanError {
    /// What the interface calls it.
    pub code: PlanErrorCode,
    /// Which parameter or place is meant, in words; for logs and users of the typed addon.
    pub reason: String,
    /// `from`, `to`: places that could not be found (only with [`PlanErrorCode::OutsideBounds`]).
    pub missing: Vec<&'static str>,
}

impl PlanError {
    /// An error without missing places.
    pub fn new(code: PlanErrorCode, reason: impl Into<String>) -> Self {
        PlanError { code, reason: reason.into(), missing: Vec::new() }
    }
}
