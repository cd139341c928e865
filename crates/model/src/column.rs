//! Flat columns: the only form in which built data is kept, on disk and in memory.

use std::any::Any;
use std::fmt;
use std::ops::Deref;
use std::slice;
use std::sync::Arc;

use bytemuck::Pod;

/// A read-only array of plain values: built ones, or a view into a mapped graph file. Clones share its memory. Searches
/// read columns at every step, so both kinds have the same form, which is read without a branch.
#[derive(Clone)]
pub struct Column<T: 'static> {
    /// In memory that `_keeper` keeps alive, so handed out only for as long as the column lives.
    values: &'static [T],
    /// `None` for the empty column.
    _keeper: Option<Arc<dyn Any + Send + Sync>>,
}

impl<T> Column<T> {
    /// A view of what `keeper` holds, which the column keeps alive; `None` if `view` gives none.
    pub fn view<K: Send + Sync + 'static>(
        keeper: Arc<K>,
        view: impl for<'k> FnOnce(&'k K) -> Option<&'k [T]>,
    ) -> Option<Column<T>> {
        let values = view(&keeper)?;
        // SAFETY: the values are borrowed from what the `Arc` points to, which stays where it is and cannot be changed as long
        // as the column holds on to it. The column hands the values out for its own lifetime only.
        #[allow(unsafe_code)]
        let values = unsafe { slice::from_raw_parts(values.as_ptr(), values.len()) };
        Some(Column { values, _keeper: Some(keeper) })
    }

    #[inline(always)]
    pub fn as_slice(&self) -> &[T] {
        self.values
    }
}

impl<T> Deref for Column<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Column { values: &[], _keeper: None }
    }
}

impl<T: Send + Sync> From<Vec<T>> for Column<T> {
    fn from(values: Vec<T>) -> Self {
        Column::view(Arc::new(values), |values| Some(values)).unwrap_or_default()
    }
}

impl<T: Send + Sync> FromIterator<T> for Column<T> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Self {
        iter.into_iter().collect::<Vec<T>>().into()
    }
}

impl<T: fmt::Debug> fmt::Debug for Column<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Why a stored column could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ColumnError {
    /// The file has no column of this name.
    #[error("column {0} is missing")]
    Missing(String),
    /// Its bytes are not a whole number of elements, or a value in it breaks the column's rule.
    #[error("column {0} is damaged: {1}")]
    Damaged(String, String),
}

/// Where columns are written to (a graph file being saved).
pub trait ColumnSink {
    /// Stores one column under a unique name.
    fn column<T: Pod>(&mut self, name: &str, values: &[T]);
}

/// Where columns are read from (a mapped graph file).
pub trait ColumnSource {
    /// The column stored under `name`.
    ///
    /// # Errors
    /// [`ColumnError`] when it is missing or not a whole number of elements.
    fn column<T: Pod>(&mut self, name: &str) -> Result<Column<T>, ColumnError>;
}

/// A value made of columns, stored under a name prefix.
pub trait Columnar: Sized {
    /// Writes every column.
    fn write(&self, prefix: &str, sink: &mut impl ColumnSink);
    /// Reads every column.
    ///
    /// # Errors
    /// The first column that is missing or damaged.
    fn read(prefix: &str, source: &mut impl ColumnSource) -> Result<Self, ColumnError>;
}

impl<T: Pod> Columnar for Column<T> {
    fn write(&self, prefix: &str, sink: &mut impl ColumnSink) {
        sink.column(prefix, self);
    }
    fn read(prefix: &str, source: &mut impl ColumnSource) -> Result<Self, ColumnError> {
        source.column(prefix)
    }
}

/// Declares a struct whose fields are all [`Columnar`] (columns, string tables, or other such structs), each with the
/// rule of [`rules`](crate::rules) that its values keep: a function of the whole, whose name follows `in`. Implements
/// [`Columnar`], [`Checked`](crate::rules::Checked), `Default`, `Clone` and `Debug` for it.
///
/// ```
/// use trestle_model::rules::{index, offsets};
/// use trestle_model::{Column, columns};
///
/// columns! {
///     /// Lists of cities by country.
///     pub struct Countries in Countries {
///         /// First entry in `cities` of each country; one more entry than countries.
///         pub offsets: Column<u32> => |all| offsets(all.offsets.len().saturating_sub(1), all.cities.len()),
///         /// Cities, numbers below 100.
///         pub cities: Column<u32> => |all| index(all.cities.len(), 100),
///     }
/// }
/// ```
///
/// A column without a rule does not compile:
///
/// ```compile_fail
/// trestle_model::columns! {
///     /// Cities.
///     pub struct Cities in Cities {
///         /// Country of each.
///         pub country: trestle_model::Column<u32>,
///     }
/// }
/// ```
#[macro_export]
macro_rules! columns {
    ($(#[$meta:meta])* pub struct $name:ident in $whole:ty {
        $($(#[$fmeta:meta])* pub $field:ident : $ty:ty => $rule:expr),* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Default, Clone, Debug)]
        pub struct $name { $($(#[$fmeta])* pub $field: $ty),* }
        impl $crate::column::Columnar for $name {
            fn write(&self, prefix: &str, sink: &mut impl $crate::column::ColumnSink) {
                $($crate::column::Columnar::write(&self.$field, &format!("{prefix}.{}", stringify!($field)), sink);)*
            }
            fn read(prefix: &str, source: &mut impl $crate::column::ColumnSource)
                -> Result<Self, $crate::column::ColumnError> {
                Ok($name { $($field: $crate::column::Columnar::read(&format!("{prefix}.{}", stringify!($field)), source)?),* })
            }
        }
        impl $crate::rules::Checked for $name {
            type Whole = $whole;
            fn check(&self, name: &str, whole: &$whole) -> Result<(), $crate::column::ColumnError> {
                $($crate::rules::check_field(
                    &format!("{name}.{}", stringify!($field)), &self.$field, whole, $rule)?;)*
                Ok(())
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_keeps_its_memory_until_its_last_clone_is_dropped() {
        let memory = Arc::new(vec![1, 2, 3]);
        let column = Column::view(memory.clone(), |values| values.get(1..)).unwrap();
        let clone = column.clone();
        drop(column);
        assert_eq!(*clone, [2, 3]);
        assert_eq!(Arc::strong_count(&memory), 2);
        drop(clone);
        assert_eq!(Arc::strong_count(&memory), 1);
        assert!(Column::view(memory, |values| values.get(4..)).is_none());
    }
}
