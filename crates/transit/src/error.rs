//! Errors of feeds that cannot be used at all. A bad row is an issue, never an error.

/// An input that cannot be turned into a timetable.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TransitError {
    /// The bytes are not a zip archive, or an entry cannot be unpacked.
    #[error("{file}: not a readable zip archive: {reason}")]
    UnreadableArchive {
        /// Feed file name.
        file: String,
        /// Message of the archive reader.
        reason: String,
    },
    /// A table is larger than any real feed (a zip bomb).
    #[error("{file}: unpacks to more than the {limit_bytes} bytes accepted for it")]
    TooLarge {
        /// `feed.zip/table.txt`.
        file: String,
        /// Accepted size in bytes.
        limit_bytes: u64,
    },
    /// A table that every feed must have is missing.
    #[error("{file}: {table} is missing")]
    MissingTable {
        /// Feed file name.
        file: String,
        /// Table, or tables of which one is needed.
        table: &'static str,
    },
    /// A required table lacks a column without which none of its rows can be read.
    #[error("{file}: the column {column} is missing")]
    MissingColumn {
        /// `feed.zip/table.txt`.
        file: String,
        /// Column name.
        column: &'static str,
    },
}

impl TransitError {
    /// Stable code.
    pub fn code(&self) -> &'static str {
        match self {
            TransitError::UnreadableArchive { .. } => "GTFS_UNREADABLE",
            TransitError::TooLarge { .. } => "GTFS_TOO_LARGE",
            TransitError::MissingTable { .. } => "GTFS_MISSING_TABLE",
            TransitError::MissingColumn { .. } => "GTFS_MISSING_COLUMN",
        }
    }

    /// The file it is about.
    pub fn file(&self) -> &str {
        match self {
            TransitError::UnreadableArchive { file, .. }
            | TransitError::TooLarge { file, .. }
            | TransitError::MissingTable { file, .. }
            | TransitError::MissingColumn { file, .. } => file,
        }
    }
}
