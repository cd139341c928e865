//! One column of rows.

use trestle_model::Column;

/// A value of each row.
pub(super) fn col<R, T>(rows: &[R], value: impl Fn(&R) -> T) -> Column<T> {
    rows.iter().map(value).collect()
}

/// Start of each list in the concatenation of all; one more entry than lists.
pub(super) fn offsets(lengths: impl Iterator<Item = usize>) -> Column<u32> {
    let mut end = 0;
    std::iter::once(0)
        .chain(lengths.map(|length| {
            end += length as u32;
            end
        }))
        .collect()
}
