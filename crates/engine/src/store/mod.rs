//! Graph files: one immutable, memory-mapped file of named columns.
//!
//! Layout: a 64-byte header (magic, format version, lengths, checksum), then the columns, each starting at a multiple
//! of 64 bytes, then the directory (name, element size, offset, length of every column). The checksum (XXH3, 64 bit)
//! covers everything after the header, then the header with zeros in place of the checksum. All numbers are
//! little-endian; columns are stored as they are in memory, so only machines of that byte order can read a file.

mod mapping;
mod reader;
mod writer;

use std::path::{Path, PathBuf};

use trestle_model::ColumnError;
use trestle_model::column::Columnar;
use trestle_model::rules::Checked;

use crate::graph::Graph;

const MAGIC: [u8; 8] = *b"TRESTLE\0";
/// Raised whenever a column is added, removed or changes its meaning.
pub const FORMAT_VERSION: u32 = 11;
const HEADER_BYTES: usize = 64;
/// Position of the checksum in the header.
const CHECKSUM_AT: std::ops::Range<usize> = 32..40;
const ALIGNMENT: usize = 64;

/// Why a graph file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// File.
        path: PathBuf,
        /// Cause.
        source: std::io::Error,
    },
    /// Not a graph file at all.
    #[error("{0}: not a Trestle graph file")]
    Foreign(PathBuf),
    /// A graph file of another format version.
    #[error("{path}: graph format {found}, this version reads {FORMAT_VERSION}; build the graph again")]
    Version {
        /// File.
        path: PathBuf,
        /// Version found in the file.
        found: u32,
    },
    /// Shorter or longer than its header says.
    #[error("{path}: {actual} bytes where the header says {expected}; the file is truncated or damaged")]
    Length {
        /// File.
        path: PathBuf,
        /// Bytes the header gives.
        expected: u64,
        /// Bytes there are.
        actual: u64,
    },
    /// Contents do not match the checksum, or columns are missing or malformed.
    #[error("{path}: damaged graph file: {reason}")]
    Damaged {
        /// File.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Whoever watches did not want to go on.
    #[error("{0}: opening it was aborted")]
    Stopped(PathBuf),
}

/// Called while a file is opened, with the step (`read`, `check`) and its progress (0 to 1). When it returns `false`, the
/// file is not opened.
pub type Watch<'a> = &'a mut dyn FnMut(&str, f32) -> bool;

impl StoreError {
    /// Stable code.
    pub fn code(&self) -> &'static str {
        match self {
            StoreError::Io { .. } => "GRAPH_IO",
            StoreError::Foreign(_) => "GRAPH_FOREIGN",
            StoreError::Version { .. } => "GRAPH_VERSION",
            StoreError::Length { .. } => "GRAPH_TRUNCATED",
            StoreError::Damaged { .. } => "GRAPH_DAMAGED",
            StoreError::Stopped(_) => "ABORTED",
        }
    }
}

/// Writes `graph` to `path`: to a temporary file beside it, flushed to disk, then renamed over it, so that
/// `path` always holds a whole graph.
///
/// # Errors
/// [`StoreError::Io`].
pub fn save(graph: &Graph, path: &Path) -> Result<(), StoreError> {
    let mut writer = writer::Writer::default();
    graph.write("graph", &mut writer);
    writer.save(path).map_err(|source| StoreError::Io { path: path.to_owned(), source })
}

/// Maps the graph file at `path`.
///
/// # Errors
/// Every [`StoreError`]; the whole file is checked before any of it is used.
pub fn open(path: &Path) -> Result<Graph, StoreError> {
    open_watched(path, &mut |_, _| true)
}

/// Like [`open`], for somebody who wants to know how far it is, or to stop it.
///
/// # Errors
/// As [`open`], and [`StoreError::Stopped`].
pub fn open_watched(path: &Path, watch: Watch<'_>) -> Result<Graph, StoreError> {
    let mapping = mapping::map(path)?;
    let mut reader = reader::Reader::new(mapping.clone(), path, watch)?;
    let mut step =
        |progress| watch("check", progress).then_some(()).ok_or(StoreError::Stopped(path.to_owned()));
    step(0.0)?;
    let graph = checked(&mut reader)
        .map_err(|e| StoreError::Damaged { path: path.to_owned(), reason: e.to_string() })?;
    mapping::release(&mapping);
    step(1.0)?;
    Ok(graph)
}

/// The graph of a file whose columns all keep their rules.
fn checked(reader: &mut reader::Reader) -> Result<Graph, ColumnError> {
    let graph = Graph::read("graph", reader)?;
    graph.check("graph", &graph)?;
    Ok(graph)
}

/// When a graph file was written, epoch milliseconds: the build time that clients are shown.
pub fn written_ms(path: &Path) -> i64 {
    let modified = std::fs::metadata(path).and_then(|m| m.modified()).ok();
    let since = modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    since.map_or(0, |d| d.as_millis() as i64)
}

#[cfg(test)]
mod tests;
