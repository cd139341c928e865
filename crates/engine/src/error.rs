//! Everything that can go wrong with a graph or a build, with stable codes.

use std::path::PathBuf;

use trestle_street::error::StreetError;
use trestle_transit::error::TransitError;

use crate::store::StoreError;

/// An unusable input or graph file.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// Graph file.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// OSM or elevation input.
    #[error(transparent)]
    Street(#[from] StreetError),
    /// GTFS input.
    #[error(transparent)]
    Transit(#[from] TransitError),
    /// The directory holds nothing to build from.
    #[error("{0}: no GTFS or OSM input found")]
    InputMissing(PathBuf),
    /// An input file cannot be read.
    #[error("{path}: {source}")]
    InputUnreadable { path: PathBuf, source: std::io::Error },
    /// Somebody asked a build to stop.
    #[error("the build was aborted")]
    Aborted,
    /// A real-time message cannot be used.
    #[error("{0}")]
    RealtimeInvalid(String),
}

impl EngineError {
    pub fn code(&self) -> &'static str {
        match self {
            EngineError::Store(e) => e.code(),
            EngineError::Street(e) => e.code(),
            EngineError::Transit(e) => e.code(),
            EngineError::InputMissing(_) => "INPUT_MISSING",
            EngineError::InputUnreadable { .. } => "INPUT_UNREADABLE",
            EngineError::Aborted => "ABORTED",
            EngineError::RealtimeInvalid(_) => "REALTIME_INVALID",
        }
    }
}
