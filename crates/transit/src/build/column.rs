//! Makes columns from rows.

use trestle_model::Column;

/// A column with a value of each row.
pub(super) fn col<R, T: Send + Sync>(rows: &[R], value: impl FnMut(&R) -> T) -> Column<T> {
    rows.iter().map(value).collect()
}

/// First item of each list; one more entry than lists.
pub(super) fn offsets(lengths: impl Iterator<Item = usize>) -> Column<u32> {
    let mut end = 0;
    std::iter::once(0)
        .chain(lengths.map(|length| {
            end += length as u32;
            end
        }))
        .collect()
}
