//! Writing a graph file: each column as it comes, then the directory, then the header.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use bytemuck::Pod;
use trestle_model::ColumnSink;
use xxhash_rust::xxh3::Xxh3;

use super::{ALIGNMENT, CHECKSUM_AT, FORMAT_VERSION, HEADER_BYTES, MAGIC};

/// The name of this process among all that may write to a folder: its number, and the start of the machine and the
/// container in which that number means this process. `src/storage/writer.ts` recognizes it.
fn writer_name() -> String {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    format!("{}-p{}{}", std::process::id(), boot.get(..8).unwrap_or_default(), namespace())
}

/// The number of the process namespace, where the system has them; each container has one of its own.
fn namespace() -> String {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::MetadataExt;
        fs::metadata("/proc/self/ns/pid").map_or_else(|_| String::new(), |found| format!("{:x}", found.ino()))
    }
    #[cfg(not(target_os = "linux"))]
    String::new()
}

/// A name beside `path` for the file while it is written. Every call gives another one, because a process may write the
/// same graph twice at the same time.
fn unfinished_name(path: &Path) -> PathBuf {
    static WRITTEN: AtomicU32 = AtomicU32::new(0);
    let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
    path.with_extension(format!("tmp-{}-{number}", writer_name()))
}

/// Writes a file beside `path` by `write`, flushes it to disk and renames it over `path`.
pub(super) fn replace(path: &Path, write: impl FnOnce(&mut Writer)) -> io::Result<()> {
    let temporary = unfinished_name(path);
    let written = Writer::new(&temporary).and_then(|mut writer| {
        write(&mut writer);
        writer.finish()
    });
    let result = written.and_then(|()| take_place(&temporary, path));
    if result.is_err() {
        let _ = fs::remove_file(&temporary);
        return result;
    }
    path.parent().map_or(Ok(()), write_names)
}

/// Gives a finished file its name; a file that has this name is replaced.
fn take_place(finished: &Path, path: &Path) -> io::Result<()> {
    let renamed = fs::rename(finished, path);
    let is_refused = |error: &io::Error| error.kind() == io::ErrorKind::PermissionDenied;
    if cfg!(windows) && renamed.as_ref().is_err_and(is_refused) && path.is_file() {
        return replace_open(finished, path);
    }
    renamed
}

/// Replaces a file that is mapped. Windows does not allow that, but lets it have another name first: that of a backup, as
/// when an upload is saved, so that it is found if the process ends in between.
pub(super) fn replace_open(finished: &Path, path: &Path) -> io::Result<()> {
    let mut backup = path.as_os_str().to_owned();
    backup.push(".bak");
    fs::rename(path, &backup)?;
    fs::rename(finished, path).inspect_err(|_| {
        let _ = fs::rename(&backup, path);
    })
}

/// Waits until the names of the files in a folder are on the disk, too. Windows cannot open a folder for that.
fn write_names(folder: &Path) -> io::Result<()> {
    if cfg!(windows) { Ok(()) } else { File::open(folder)?.sync_all() }
}

/// Writes the columns of a graph.
pub(super) struct Writer {
    file: BufWriter<File>,
    /// Where the next column begins.
    offset: u64,
    columns: u32,
    /// The rows of the directory.
    directory: Vec<u8>,
    /// Why a column could not be written.
    failure: Option<io::Error>,
}

impl ColumnSink for Writer {
    fn column<T: Pod>(&mut self, name: &str, values: &[T]) {
        if self.failure.is_none() {
            self.failure = self.write(name, size_of::<T>() as u32, bytemuck::cast_slice(values)).err();
        }
    }
}

impl Writer {
    fn new(path: &Path) -> io::Result<Writer> {
        let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
        file.write_all(&[0; HEADER_BYTES])?;
        Ok(Writer { file, offset: HEADER_BYTES as u64, columns: 0, directory: Vec::new(), failure: None })
    }

    fn write(&mut self, name: &str, element_bytes: u32, bytes: &[u8]) -> io::Result<()> {
        let padding = [0u8; ALIGNMENT];
        let padding = &padding[..bytes.len().next_multiple_of(ALIGNMENT) - bytes.len()];
        let mut hash = Xxh3::new();
        for part in [bytes, padding] {
            hash.update(part);
            self.file.write_all(part)?;
        }
        self.directory.extend_from_slice(&(name.len() as u32).to_le_bytes());
        self.directory.extend_from_slice(&element_bytes.to_le_bytes());
        for number in [self.offset, bytes.len() as u64, hash.digest()] {
            self.directory.extend_from_slice(&number.to_le_bytes());
        }
        self.directory.extend_from_slice(name.as_bytes());
        self.offset += (bytes.len() + padding.len()) as u64;
        self.columns += 1;
        Ok(())
    }

    fn finish(self) -> io::Result<()> {
        let Writer { mut file, offset, columns, directory, failure } = self;
        failure.map_or(Ok(()), Err)?;
        let directory = [&columns.to_le_bytes(), directory.as_slice()].concat();
        file.write_all(&directory)?;
        let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        write_header(&mut file, offset, &directory)?;
        file.sync_all()
    }
}

/// Writes the header of a file whose directory begins at `offset`.
fn write_header(file: &mut File, offset: u64, directory: &[u8]) -> io::Result<()> {
    use std::io::Seek;
    let mut header = [0u8; HEADER_BYTES];
    header[..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
    header[16..24].copy_from_slice(&(offset + directory.len() as u64).to_le_bytes());
    header[24..32].copy_from_slice(&offset.to_le_bytes());
    let mut hash = Xxh3::new();
    hash.update(directory);
    hash.update(&header);
    header[CHECKSUM_AT].copy_from_slice(&hash.digest().to_le_bytes());
    file.rewind()?;
    file.write_all(&header)
}
