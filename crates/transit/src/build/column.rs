//! Makes columns from rows.

use trestle_model::Column;

/// A column with a value of each row.
pub(super) fn col<R, T: Send + Sync>(rows: &[R], value: impl FnMut(&R) -> T) -> Column<T> {
    rows.iter().map(value).collect()
}
