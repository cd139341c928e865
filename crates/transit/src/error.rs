//! Errors for feeds that cannot be used at all. A bad row is an issue, never an error.

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
    #[error("{file}: is larger than {limit_bytes} bytes when unpacked")]
    TooLarge {
        /// `feed.zip/table.txt`.
        file: String,
        /// Accepted size in bytes.
        limit_bytes: u64,
    },
    /// The tables are in a folder of the archive, where no reader of GTFS looks for them.
    #[error("{file}: the tables are in the folder {folder} of the archive and have to be at its root")]
    TablesInFolder {
        /// Feed file name.
        file: String,
        /// The folder, with a slash at its end.
        folder: String,
    },
    /// The names of the tables have capital letters.
    #[error("{file}: the tables have to be named in lower case: stop_times.txt instead of {name}")]
    TablesInCapitals {
        /// Feed file name.
        file: String,
        /// The name of the largest table.
        name: String,
    },
    /// A table that every feed must have is missing.
    #[error("{file}: {table} is missing")]
    MissingTable {
        /// Feed file name.
        file: String,
        /// The table, or the tables one of which is needed.
        table: &'static str,
    },
    /// A required table in UTF-16, which some programs call Unicode.
    #[error("{file}: the table is in UTF-16 and has to be in UTF-8")]
    Utf16 {
        /// `feed.zip/table.txt`.
        file: String,
    },
    /// A required table lacks a column without which none of its rows can be read.
    #[error("{file}:1: the column {column} is missing; the line is “{line}”")]
    MissingColumn {
        /// `feed.zip/table.txt`.
        file: String,
        /// Column name.
        column: &'static str,
        /// The beginning of the first line, which shows what it has instead.
        line: String,
    },
}

impl TransitError {
    pub fn code(&self) -> &'static str {
        match self {
            TransitError::UnreadableArchive { .. } | TransitError::Utf16 { .. } => "GTFS_UNREADABLE",
            TransitError::TooLarge { .. } => "GTFS_TOO_LARGE",
            TransitError::TablesInFolder { .. }
            | TransitError::TablesInCapitals { .. }
            | TransitError::MissingTable { .. } => "GTFS_MISSING_TABLE",
            TransitError::MissingColumn { .. } => "GTFS_MISSING_COLUMN",
        }
    }
}
