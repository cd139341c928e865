//! Why an input of the street layer could not be used.

use thiserror::Error;

/// An input that is unusable as a whole. Single broken elements become issues instead.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StreetError {
    /// An OSM file that is cut, damaged or of an unsupported kind.
    #[error("{file}: OSM data unreadable at byte {offset}: {reason}")]
    Osm {
        file: String,
        /// Byte offset of the blob (PBF) or of the markup (XML, after decompression).
        offset: u64,
        /// What is wrong there.
        reason: String,
    },
    /// An elevation raster that is damaged, of an unsupported kind or without a usable position on the globe.
    #[error("{file}: elevation raster unreadable: {reason}")]
    Raster {
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A build option with an unknown value.
    #[error("build option {name}: unknown value {value}")]
    Option {
        /// Name of the option.
        name: &'static str,
        value: String,
    },
}

impl StreetError {
    pub fn code(&self) -> &'static str {
        match self {
            StreetError::Osm { .. } => "OSM_UNREADABLE",
            StreetError::Raster { .. } => "ELEVATION_UNREADABLE",
            StreetError::Option { .. } => "BUILD_OPTION_UNKNOWN",
        }
    }
}
