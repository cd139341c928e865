//! Reading a mapped graph file: header and directory, and on demand the contents.

use std::path::Path;
use std::sync::Arc;

use bytemuck::Pod;
use memmap2::Mmap;
use rustc_hash::FxHashMap;
use trestle_model::{Column, ColumnError, ColumnSource};
use xxhash_rust::xxh3::Xxh3;

use super::{ALIGNMENT, CHECKSUM_AT, FORMAT_VERSION, HEADER_BYTES, MAGIC, StoreError, Watch, mapping};

/// Bytes that are read between two reports of the progress: some milliseconds, or a tenth of a second from a slow disk.
const READ_BYTES: usize = 16 << 20;

/// Where a column is in the file.
struct StoredColumn {
    element_bytes: u32,
    offset: u64,
    length: u64,
    /// Checksum of the column and of the padding up to the next one.
    checksum: u64,
}

/// A graph file with a checked header and directory, whose columns can be read by name.
pub(super) struct Reader {
    mapping: Arc<Mmap>,
    columns: FxHashMap<String, StoredColumn>,
}

impl Reader {
    pub(super) fn new(mapping: Arc<Mmap>, path: &Path) -> Result<Self, StoreError> {
        let damaged = |reason: &str| StoreError::Damaged { path: path.to_owned(), reason: reason.to_owned() };
        let bytes: &[u8] = &mapping;
        if bytes.len() < HEADER_BYTES || bytes[..8] != MAGIC {
            return Err(StoreError::Foreign(path.to_owned()));
        }
        let version = u32_at(bytes, 8).unwrap_or(0);
        if version != FORMAT_VERSION {
            return Err(StoreError::Version { path: path.to_owned(), found: version });
        }
        let (total, directory, checksum) = (word(bytes, 16), word(bytes, 24), word(bytes, 32));
        if total != bytes.len() as u64 {
            return Err(StoreError::Length {
                path: path.to_owned(),
                expected: total,
                actual: bytes.len() as u64,
            });
        }
        let rows = usize::try_from(directory).ok().and_then(|at| bytes.get(at..));
        if rows.map(|rows| header_checksum(&bytes[..HEADER_BYTES], rows)) != Some(checksum) {
            return Err(damaged("the checksum of its header does not match"));
        }
        let columns =
            read_directory(bytes, directory).ok_or_else(|| damaged("the directory is malformed"))?;
        Ok(Reader { mapping, columns })
    }

    /// Checks the contents of all columns by their checksums, in the order of the file; `false` when `watch` ended it.
    pub(super) fn check_contents(&self, watch: Watch<'_>) -> Result<bool, ColumnError> {
        let mut in_order: Vec<_> = self.columns.iter().collect();
        in_order.sort_by_key(|(_, column)| column.offset);
        let mut progress = Progress { watch, done: 0, reported: None, total: self.mapping.len() };
        for (name, column) in in_order {
            let damaged = |reason: &str| ColumnError::Damaged(name.clone(), reason.to_owned());
            let (start, length) = (column.offset as usize, column.length as usize);
            let end = start.saturating_add(length.next_multiple_of(ALIGNMENT));
            if self.mapping.get(start..end).is_none() {
                return Err(damaged(OUTSIDE));
            }
            let mut hash = Xxh3::new();
            for from in (start..end).step_by(READ_BYTES) {
                if !progress.goes_on() {
                    return Ok(false);
                }
                let part = from..end.min(from + READ_BYTES);
                progress.done += part.len();
                mapping::populate(&self.mapping, part.start, part.len());
                hash.update(&self.mapping[part]);
            }
            if hash.digest() != column.checksum {
                return Err(damaged("the checksum does not match"));
            }
        }
        Ok((progress.watch)("read", 1.0))
    }

    /// Releases the pages that checking has touched.
    pub(super) fn release(&self) {
        mapping::release(&self.mapping);
    }
}

/// What is wrong with a column whose place cannot be right.
const OUTSIDE: &str = "it lies outside the file or is not aligned";

/// How far the reading of a file is.
struct Progress<'a> {
    watch: Watch<'a>,
    done: usize,
    /// Bytes that were done when progress was last reported.
    reported: Option<usize>,
    total: usize,
}

impl Progress<'_> {
    /// Reports progress when it has changed enough, and asks whether to go on.
    fn goes_on(&mut self) -> bool {
        if self.reported.is_some_and(|reported| self.done < reported + READ_BYTES) {
            return true;
        }
        self.reported = Some(self.done);
        (self.watch)("read", self.done as f32 / self.total as f32)
    }
}

fn header_checksum(header: &[u8], directory: &[u8]) -> u64 {
    let mut hash = Xxh3::new();
    hash.update(directory);
    hash.update(&header[..CHECKSUM_AT.start]);
    hash.update(&[0; CHECKSUM_AT.end - CHECKSUM_AT.start]);
    hash.update(&header[CHECKSUM_AT.end..]);
    hash.digest()
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

fn word(bytes: &[u8], at: usize) -> u64 {
    u64_at(bytes, at).unwrap_or(0)
}

/// Directory: count, then per column name length, element size, offset, length, checksum, name.
fn read_directory(bytes: &[u8], offset: u64) -> Option<FxHashMap<String, StoredColumn>> {
    let mut at = usize::try_from(offset).ok()?;
    let count = u32_at(bytes, at)?;
    at += 4;
    let mut columns = FxHashMap::default();
    for _ in 0..count {
        let (name_length, element_bytes) = (u32_at(bytes, at)? as usize, u32_at(bytes, at + 4)?);
        let (offset, length) = (u64_at(bytes, at + 8)?, u64_at(bytes, at + 16)?);
        let checksum = u64_at(bytes, at + 24)?;
        let name = std::str::from_utf8(bytes.get(at + 32..at + 32 + name_length)?).ok()?;
        columns.insert(name.to_owned(), StoredColumn { element_bytes, offset, length, checksum });
        at += 32 + name_length;
    }
    Some(columns)
}

impl ColumnSource for Reader {
    fn column<T: Pod>(&mut self, name: &str) -> Result<Column<T>, ColumnError> {
        let column = self.columns.get(name).ok_or_else(|| ColumnError::Missing(name.to_owned()))?;
        let damaged = |reason: &str| ColumnError::Damaged(name.to_owned(), reason.to_owned());
        if column.element_bytes as usize != size_of::<T>() {
            return Err(damaged("its elements have the wrong size"));
        }
        mapping::column(&self.mapping, column.offset as usize, column.length as usize)
            .ok_or_else(|| damaged(OUTSIDE))
    }
}
