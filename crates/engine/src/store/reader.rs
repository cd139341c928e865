//! Reading a mapped graph file: header, checksum, directory.

use std::path::Path;
use std::sync::Arc;

use bytemuck::Pod;
use memmap2::Mmap;
use rustc_hash::FxHashMap;
use trestle_model::{Column, ColumnError, ColumnSource};
use xxhash_rust::xxh3::Xxh3;

use super::{CHECKSUM_AT, FORMAT_VERSION, HEADER_BYTES, MAGIC, StoreError, Watch, mapping};

/// Bytes that are read between two reports of the progress: some milliseconds, or a tenth of a second from a slow disk.
const READ_BYTES: usize = 16 << 20;

/// Where a column is in the file.
struct Section {
    element_bytes: u32,
    offset: u64,
    length: u64,
}

/// A checked graph file whose columns can be read by name.
pub(super) struct Reader {
    mapping: Arc<Mmap>,
    sections: FxHashMap<String, Section>,
}

impl Reader {
    pub(super) fn new(mapping: Arc<Mmap>, path: &Path, watch: Watch<'_>) -> Result<Self, StoreError> {
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
        let found = file_checksum(&mapping, watch).ok_or_else(|| StoreError::Stopped(path.to_owned()))?;
        if found != checksum {
            return Err(damaged("the checksum does not match"));
        }
        let sections =
            read_directory(bytes, directory).ok_or_else(|| damaged("the directory is malformed"))?;
        Ok(Reader { mapping, sections })
    }
}

/// The checksum of a file with a complete header; `None` when it shall not be read to its end.
fn file_checksum(mapping: &Mmap, watch: Watch<'_>) -> Option<u64> {
    let (header, content) = mapping.split_at(HEADER_BYTES);
    let mut hash = Xxh3::new();
    for (part, bytes) in content.chunks(READ_BYTES).enumerate() {
        let from = part * READ_BYTES;
        if !watch("read", from as f32 / content.len() as f32) {
            return None;
        }
        mapping::populate(mapping, HEADER_BYTES + from, bytes.len());
        hash.update(bytes);
    }
    hash.update(&header[..CHECKSUM_AT.start]);
    hash.update(&[0; CHECKSUM_AT.end - CHECKSUM_AT.start]);
    hash.update(&header[CHECKSUM_AT.end..]);
    watch("read", 1.0).then(|| hash.digest())
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

/// Directory: count, then per column name length, element size, offset, length, name.
fn read_directory(bytes: &[u8], offset: u64) -> Option<FxHashMap<String, Section>> {
    let mut at = usize::try_from(offset).ok()?;
    let count = u32_at(bytes, at)?;
    at += 4;
    let mut sections = FxHashMap::default();
    for _ in 0..count {
        let (name_length, element_bytes) = (u32_at(bytes, at)? as usize, u32_at(bytes, at + 4)?);
        let (offset, length) = (u64_at(bytes, at + 8)?, u64_at(bytes, at + 16)?);
        let name = std::str::from_utf8(bytes.get(at + 24..at + 24 + name_length)?).ok()?;
        sections.insert(name.to_owned(), Section { element_bytes, offset, length });
        at += 24 + name_length;
    }
    Some(sections)
}

impl ColumnSource for Reader {
    fn column<T: Pod>(&mut self, name: &str) -> Result<Column<T>, ColumnError> {
        let section = self.sections.get(name).ok_or_else(|| ColumnError::Missing(name.to_owned()))?;
        let damaged = |reason: &str| ColumnError::Damaged(name.to_owned(), reason.to_owned());
        if section.element_bytes as usize != size_of::<T>() {
            return Err(damaged("elements have another size"));
        }
        mapping::column(&self.mapping, section.offset as usize, section.length as usize)
            .ok_or_else(|| damaged("it lies outside the file or is not aligned"))
    }
}
