//! Writing a graph file: the column bytes with the directory after them.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use bytemuck::Pod;
use trestle_model::ColumnSink;
use xxhash_rust::xxh3::Xxh3;

use super::{ALIGNMENT, CHECKSUM_AT, FORMAT_VERSION, HEADER_BYTES, MAGIC};

/// Collects the columns of a graph.
#[derive(Default)]
pub(super) struct Writer {
    columns: Vec<(String, u32, Vec<u8>)>,
}

impl ColumnSink for Writer {
    fn column<T: Pod>(&mut self, name: &str, values: &[T]) {
        self.columns.push((name.to_owned(), size_of::<T>() as u32, bytemuck::cast_slice(values).to_vec()));
    }
}

impl Writer {
    /// Writes the file beside `path`, flushes it to disk and renames it over `path`.
    pub(super) fn save(self, path: &Path) -> io::Result<()> {
        let temporary = path.with_extension(format!("tmp-{}", std::process::id()));
        let result = self.write_file(&temporary).and_then(|()| fs::rename(&temporary, path));
        if result.is_err() {
            let _ = fs::remove_file(&temporary);
            return result;
        }
        // The rename itself must reach the disk too.
        path.parent().map_or(Ok(()), |folder| File::open(folder).and_then(|f| f.sync_all()))
    }

    fn write_file(self, path: &Path) -> io::Result<()> {
        let mut directory = (self.columns.len() as u32).to_le_bytes().to_vec();
        let mut offset = HEADER_BYTES as u64;
        let mut hash = Xxh3::new();
        let mut file = io::BufWriter::with_capacity(1 << 20, File::create(path)?);
        file.write_all(&[0; HEADER_BYTES])?;
        for (name, element_bytes, bytes) in &self.columns {
            directory.extend_from_slice(&(name.len() as u32).to_le_bytes());
            directory.extend_from_slice(&element_bytes.to_le_bytes());
            directory.extend_from_slice(&offset.to_le_bytes());
            directory.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
            directory.extend_from_slice(name.as_bytes());
            let padding = [0u8; ALIGNMENT];
            let pad = bytes.len().next_multiple_of(ALIGNMENT) - bytes.len();
            for part in [bytes.as_slice(), &padding[..pad]] {
                hash.update(part);
                file.write_all(part)?;
            }
            offset += (bytes.len() + pad) as u64;
        }
        hash.update(&directory);
        file.write_all(&directory)?;
        let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        write_header(&mut file, offset, offset + directory.len() as u64, hash)?;
        file.sync_all()
    }
}

/// `content` is the hash of everything after the header; the header follows, before its checksum is filled in.
fn write_header(file: &mut File, directory: u64, total: u64, mut content: Xxh3) -> io::Result<()> {
    use std::io::Seek;
    let mut header = [0u8; HEADER_BYTES];
    header[..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
    header[16..24].copy_from_slice(&total.to_le_bytes());
    header[24..32].copy_from_slice(&directory.to_le_bytes());
    content.update(&header);
    header[CHECKSUM_AT].copy_from_slice(&content.digest().to_le_bytes());
    file.rewind()?;
    file.write_all(&header)
}
