//! Graph files: one immutable, memory-mapped file of named columns.
//!
//! Layout: a 64-byte header (magic, format version, lengths, checksum), then the columns, each starting at a multiple
//! of 64 bytes, then the directory (name, element size, offset, length and checksum of every column). The checksum in the
//! header covers the directory, then the header with zeros in its place. A column's checksum covers it up to the next one.
//! Checksums are XXH3 with 64 bits. All numbers are little-endian; columns are stored as they are in memory, so only
//! machines of that byte order can read a file.
//!
//! Opening a file reads its header and directory only, so it takes equally long for all files. Its contents are checked
//! during the first searches, or before them where that is worth waiting for ([`Contents::check`]).

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
pub const FORMAT_VERSION: u32 = 16;
const HEADER_BYTES: usize = 64;
/// Position of the checksum in the header.
const CHECKSUM_AT: std::ops::Range<usize> = 32..40;
const ALIGNMENT: usize = 64;

/// Why a graph file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file cannot be read or written.
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    /// A directory, as commands are given; here it is a file.
    #[error("{0}: is a directory; give the graph file in it, such as {file}", file = .0.join("Graph.obj").display())]
    Directory(PathBuf),
    /// Not a graph file at all.
    #[error("{0}: not a Trestle graph file")]
    Foreign(PathBuf),
    /// A graph file of another format version.
    #[error(
        "{path}: graph format {found}, but this version reads format {FORMAT_VERSION}; build the graph again"
    )]
    Version {
        path: PathBuf,
        /// Version found in the file.
        found: u32,
    },
    /// Shorter or longer than its header says.
    #[error("{path}: {actual} bytes where the header says {expected}; the file is truncated or damaged")]
    Length {
        path: PathBuf,
        /// Bytes the header gives.
        expected: u64,
        /// Bytes there are.
        actual: u64,
    },
    /// Contents do not match a checksum, or columns are missing or malformed.
    #[error("{path}: damaged graph file: {reason}")]
    Damaged { path: PathBuf, reason: String },
    /// The caller stopped the check.
    #[error("{0}: the check was aborted")]
    Stopped(PathBuf),
}

/// Called while the contents of a file are checked, with the step (`read`, `check`) and its progress (0 to 1). When it
/// returns `false`, the check ends.
pub type Watch<'a> = &'a mut dyn FnMut(&str, f32) -> bool;

impl StoreError {
    pub fn code(&self) -> &'static str {
        match self {
            StoreError::Io { .. } | StoreError::Directory(_) => "GRAPH_IO",
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
    let io = |source| StoreError::Io { path: path.to_owned(), source };
    writer::replace(path, |writer| graph.write("graph", writer)).map_err(io)
}

/// The contents of a graph file that was opened by its header and directory.
pub struct Contents {
    path: PathBuf,
    reader: reader::Reader,
}

impl Contents {
    /// Checks the checksums of all columns and the rules of their values. `graph` is the graph of the file.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] with the first column that is damaged; [`StoreError::Stopped`].
    pub fn check(&self, graph: &Graph, watch: Watch<'_>) -> Result<(), StoreError> {
        let stopped = || StoreError::Stopped(self.path.clone());
        let read = self.reader.check_contents(watch).map_err(|e| damaged(&self.path, &e))?;
        if !read || !watch("check", 0.0) {
            return Err(stopped());
        }
        let checked = graph.check("graph", graph);
        self.reader.release();
        checked.map_err(|e| damaged(&self.path, &e))?;
        watch("check", 1.0).then_some(()).ok_or_else(stopped)
    }
}

fn damaged(path: &Path, error: &ColumnError) -> StoreError {
    StoreError::Damaged { path: path.to_owned(), reason: error.to_string() }
}

/// Maps the graph file at `path`. Only its header and its directory are checked: a search in damaged contents may panic
/// or give wrong answers until [`Contents::check`] has found the damage.
///
/// # Errors
/// Every [`StoreError`] but [`StoreError::Stopped`].
pub fn open_unchecked(path: &Path) -> Result<(Graph, Contents), StoreError> {
    let mut reader = reader::Reader::new(mapping::map(path)?, path)?;
    let graph = Graph::read("graph", &mut reader).map_err(|e| damaged(path, &e))?;
    Ok((graph, Contents { path: path.to_owned(), reader }))
}

/// Maps the graph file at `path` and checks all of it.
///
/// # Errors
/// Every [`StoreError`] but [`StoreError::Stopped`].
pub fn open(path: &Path) -> Result<Graph, StoreError> {
    let (graph, contents) = open_unchecked(path)?;
    contents.check(&graph, &mut |_, _| true)?;
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
