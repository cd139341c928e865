//! Maps a file and gives typed views of it: the only place of the engine with unsafe code.
#![allow(unsafe_code)]

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use bytemuck::Pod;
use memmap2::Mmap;
use trestle_model::Column;

use super::StoreError;

/// Maps the whole file read-only. Only regular files are opened: a pipe would wait until something writes to it.
pub(super) fn map(path: &Path) -> Result<Arc<Mmap>, StoreError> {
    let io = |source| StoreError::Io { path: path.to_owned(), source };
    let metadata = std::fs::metadata(path).map_err(io)?;
    if metadata.is_dir() {
        return Err(StoreError::Directory(path.to_owned()));
    }
    if !metadata.is_file() || metadata.len() == 0 {
        return Err(StoreError::Foreign(path.to_owned()));
    }
    let file = File::open(path).map_err(io)?;
    // SAFETY: a mapped file must not be changed while it is mapped. Graph files are only ever replaced by
    // renaming a new file over the name (see `save`), which leaves the mapped one untouched.
    let mapping = unsafe { Mmap::map(&file) }.map_err(io)?;
    Ok(Arc::new(mapping))
}

/// The bytes `from..from + length` of the mapping as a column; `None` when they lie outside it, are not
/// aligned for `T` or not a whole number of `T`.
pub(super) fn column<T: Pod>(mapping: &Arc<Mmap>, from: usize, length: usize) -> Option<Column<T>> {
    Column::view(mapping.clone(), |mapping| {
        let bytes = mapping.get(from..from.checked_add(length)?)?;
        bytemuck::try_cast_slice(bytes).ok()
    })
}

/// Loads the pages of some bytes at once, which takes less time than one by one as they are touched. A failure only costs
/// time.
pub(super) fn populate(mapping: &Mmap, from: usize, length: usize) {
    #[cfg(target_os = "linux")]
    let _ = mapping.advise_range(memmap2::Advice::PopulateRead, from, length);
    #[cfg(not(target_os = "linux"))]
    let _ = (mapping, from, length);
}

/// Releases the pages that checking has touched, so that only pages used by searches are resident.
pub(super) fn release(mapping: &Mmap) {
    #[cfg(unix)]
    {
        // SAFETY: the file is mapped and never written to, so its pages are read again from the file unchanged. A
        // failure only costs memory.
        let _ = unsafe { mapping.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
    }
    #[cfg(not(unix))]
    let _ = mapping;
}
