//! Rules for the values of columns. Every column names its rule where it is declared (see [`columns!`]). A graph
//! file that breaks a rule is damaged, so searches index, loop and follow links without checking again.
//!
//! [`columns!`]: crate::columns

use std::fmt::Display;
use std::ops::RangeInclusive;

use crate::column::{Column, ColumnError};
use crate::geo::LatLon;
use crate::strings::Strings;

/// A rule for a field of a struct of columns.
pub trait Rule<F> {
    /// Checks a field that is stored under `name`.
    ///
    /// # Errors
    /// [`ColumnError::Damaged`] with the column and the first row that breaks the rule.
    fn check(&self, name: &str, field: &F) -> Result<(), ColumnError>;
}

/// A value whose columns have rules.
pub trait Checked {
    /// What the rules compare with: mostly the layer that the columns are part of.
    type Whole;

    /// Checks every column.
    ///
    /// # Errors
    /// [`ColumnError::Damaged`] with the first column, and the first row of it, that breaks its rule.
    fn check(&self, name: &str, whole: &Self::Whole) -> Result<(), ColumnError>;
}

/// Checks a field by its rule. [`columns!`](crate::columns) calls it for each field.
///
/// # Errors
/// That of the rule.
pub fn check_field<'w, W, F, R: Rule<F>>(
    name: &str,
    field: &F,
    whole: &'w W,
    rule: impl FnOnce(&'w W) -> R,
) -> Result<(), ColumnError> {
    rule(whole).check(name, field)
}

/// The error of a column that breaks its rule as a whole.
pub fn broken(name: &str, why: impl Display) -> ColumnError {
    ColumnError::Damaged(name.to_owned(), why.to_string())
}

/// The error of a row that breaks its rule.
fn broken_row(name: &str, row: usize, why: impl Display) -> ColumnError {
    broken(name, format!("row {row}: {why}"))
}

fn expect_rows(name: &str, found: usize, expected: usize) -> Result<(), ColumnError> {
    if found == expected { Ok(()) } else { Err(broken(name, format!("{found} rows instead of {expected}"))) }
}

/// Columns within columns: they have rules of their own, which compare with `whole`.
pub fn group<W>(whole: &W) -> Group<'_, W> {
    Group(whole)
}

/// See [`group`].
pub struct Group<'w, W>(&'w W);

impl<W, F: Checked<Whole = W>> Rule<F> for Group<'_, W> {
    fn check(&self, name: &str, field: &F) -> Result<(), ColumnError> {
        Checked::check(field, name, self.0)
    }
}

/// Two rules, one after the other: the second may rely on the first.
pub fn both<A, B>(first: A, second: B) -> Both<A, B> {
    Both(first, second)
}

/// See [`both`].
pub struct Both<A, B>(A, B);

impl<F, A: Rule<F>, B: Rule<F>> Rule<F> for Both<A, B> {
    fn check(&self, name: &str, field: &F) -> Result<(), ColumnError> {
        self.0.check(name, field)?;
        self.1.check(name, field)
    }
}

/// A number of rows with any value, because the value is never used as an index.
pub fn any(rows: usize) -> Any {
    Any(rows)
}

/// See [`any`].
pub struct Any(usize);

impl<T> Rule<Column<T>> for Any {
    fn check(&self, name: &str, column: &Column<T>) -> Result<(), ColumnError> {
        expect_rows(name, column.len(), self.0)
    }
}

/// A number of rows, each the number of a row of a table with `limit` rows.
pub fn index(rows: usize, limit: usize) -> Index {
    Index { rows, limit, or_none: false }
}

/// As [`index`], or `u32::MAX` for none.
pub fn index_or_none(rows: usize, limit: usize) -> Index {
    Index { rows, limit, or_none: true }
}

/// A number of rows, each the number of a text.
pub fn text(rows: usize, texts: &Strings) -> Index {
    // Even an empty table has text 0, the empty one.
    index(rows, texts.len().max(1))
}

/// See [`index`], [`index_or_none`] and [`text`].
pub struct Index {
    rows: usize,
    limit: usize,
    or_none: bool,
}

impl Index {
    fn holds(&self, value: u32) -> bool {
        (value as usize) < self.limit || self.or_none && value == u32::MAX
    }
}

impl Rule<Column<u32>> for Index {
    fn check(&self, name: &str, column: &Column<u32>) -> Result<(), ColumnError> {
        expect_rows(name, column.len(), self.rows)?;
        // With `u32::MAX` taken as 0, "none" is below the limit too, so one comparison a row is enough and
        // the loop handles many rows at a time.
        let largest = match self.or_none {
            true => column.iter().fold(0, |largest: u32, &value| largest.max(value.wrapping_add(1))),
            false => column.iter().fold(0, |largest: u32, &value| largest.max(value)),
        };
        let limit = self.limit + usize::from(self.or_none);
        if column.is_empty() || (largest as usize) < limit {
            return Ok(());
        }
        let row = column.iter().position(|&value| !self.holds(value)).unwrap_or_default();
        Err(broken_row(name, row, format!("{} is not below {}", column[row], self.limit)))
    }
}

/// Where each of `lists` lists begins in a column of `end` entries, and where the last one ends: one row more than
/// there are lists, starting at 0, never falling, ending at `end`. Empty when there are neither lists nor entries.
pub fn offsets(lists: usize, end: usize) -> Offsets {
    Offsets { lists, end, may_lack: false }
}

/// As [`offsets`], or no rows at all where there are no entries.
pub fn offsets_or_none(lists: usize, end: usize) -> Offsets {
    Offsets { lists, end, may_lack: true }
}

/// See [`offsets`] and [`offsets_or_none`].
pub struct Offsets {
    lists: usize,
    end: usize,
    may_lack: bool,
}

impl Rule<Column<u32>> for Offsets {
    fn check(&self, name: &str, column: &Column<u32>) -> Result<(), ColumnError> {
        if column.is_empty() && self.end == 0 && (self.may_lack || self.lists == 0) {
            return Ok(());
        }
        expect_rows(name, column.len(), self.lists + 1)?;
        if column[0] != 0 {
            return Err(broken_row(name, 0, "the first list does not begin at 0"));
        }
        let falls = column.windows(2).fold(false, |falls, pair| falls | (pair[0] > pair[1]));
        if falls {
            let row = column.windows(2).position(|pair| pair[0] > pair[1]).unwrap_or_default();
            return Err(broken_row(name, row, "a list ends before it begins"));
        }
        if column[self.lists] as usize != self.end {
            return Err(broken_row(name, self.lists, format!("the last list does not end at {}", self.end)));
        }
        Ok(())
    }
}

/// A number of rows, each in a range (and therefore finite).
pub fn within<T: PartialOrd + Copy>(rows: usize, range: RangeInclusive<T>) -> Within<T> {
    Within { rows, range }
}

/// See [`within`].
pub struct Within<T> {
    rows: usize,
    range: RangeInclusive<T>,
}

impl<T: PartialOrd + Copy + Display> Rule<Column<T>> for Within<T> {
    fn check(&self, name: &str, column: &Column<T>) -> Result<(), ColumnError> {
        expect_rows(name, column.len(), self.rows)?;
        let (from, to) = (*self.range.start(), *self.range.end());
        let holds = |value: &T| *value >= from && *value <= to;
        if column.iter().fold(true, |all, value| all & holds(value)) {
            return Ok(());
        }
        let row = column.iter().position(|value| !holds(value)).unwrap_or_default();
        Err(broken_row(name, row, format!("{} is not between {from} and {to}", column[row])))
    }
}

/// What is wrong with a row, if anything.
pub type Wrong = Option<&'static str>;

/// A number of rows that all pass a check. The check gets the row's number and value, and says what is wrong.
pub fn each<C: Fn(usize, &T) -> Wrong, T>(rows: usize, wrong: C) -> Each<C, T> {
    Each { rows, wrong, values: std::marker::PhantomData }
}

/// See [`each`].
pub struct Each<C, T> {
    rows: usize,
    wrong: C,
    values: std::marker::PhantomData<fn(&T)>,
}

impl<T, C: Fn(usize, &T) -> Wrong> Rule<Column<T>> for Each<C, T> {
    fn check(&self, name: &str, column: &Column<T>) -> Result<(), ColumnError> {
        expect_rows(name, column.len(), self.rows)?;
        // A loop without an early exit handles many rows at a time; the row is only looked for when one of them is
        // wrong.
        let wrong = |(row, value)| (self.wrong)(row, value);
        if !column.iter().enumerate().fold(false, |any, row| any | wrong(row).is_some()) {
            return Ok(());
        }
        let found = column.iter().enumerate().find_map(|row| Some((row.0, wrong(row)?)));
        found.map_or(Ok(()), |(row, why)| Err(broken_row(name, row, why)))
    }
}

/// At most one row, which passes a check.
pub fn single<T, C: Fn(&T) -> Wrong>(wrong: C) -> Single<C, T> {
    Single { wrong, values: std::marker::PhantomData }
}

/// See [`single`].
pub struct Single<C, T> {
    wrong: C,
    values: std::marker::PhantomData<fn(&T)>,
}

impl<T, C: Fn(&T) -> Wrong> Rule<Column<T>> for Single<C, T> {
    fn check(&self, name: &str, column: &Column<T>) -> Result<(), ColumnError> {
        match column.as_slice() {
            [] => Ok(()),
            [value] => (self.wrong)(value).map_or(Ok(()), |why| Err(broken_row(name, 0, why))),
            _ => Err(broken(name, "more than one row")),
        }
    }
}

/// UTF-8 in which a new text begins at each of the offsets.
pub fn utf8(offsets: &Column<u32>) -> Utf8<'_> {
    Utf8(offsets)
}

/// See [`utf8`].
pub struct Utf8<'w>(&'w [u32]);

impl Rule<Column<u8>> for Utf8<'_> {
    fn check(&self, name: &str, column: &Column<u8>) -> Result<(), ColumnError> {
        let text = std::str::from_utf8(column)
            .map_err(|error| broken_row(name, error.valid_up_to(), "not UTF-8"))?;
        match self.0.iter().find(|&&offset| !text.is_char_boundary(offset as usize)) {
            Some(offset) => Err(broken_row(name, *offset as usize, "a text begins within a character")),
            None => Ok(()),
        }
    }
}

/// Names the first member that is wrong, if any.
#[inline(always)]
pub fn first_wrong<const N: usize>(members: [(bool, &'static str); N]) -> Wrong {
    // Usually all are right, so one branch checks them together.
    if members.iter().fold(true, |all, (holds, _)| all & holds) {
        return None;
    }
    members.into_iter().find(|(holds, _)| !holds).map(|(_, why)| why)
}

/// Whether an entry is in a list; `offsets` says where the lists begin, see [`offsets`].
#[inline(always)]
pub fn is_in_list(offsets: &[u32], list: u32, entry: usize) -> bool {
    let list = list as usize;
    matches!(offsets.get(list..list + 2), Some(&[first, end]) if (first as usize..end as usize).contains(&entry))
}

/// Whether a number is that of a row of a table with `limit` rows, or `u32::MAX` for none.
#[inline(always)]
pub fn is_index_or_none(value: u32, limit: usize) -> bool {
    (value as usize) < limit || value == u32::MAX
}

/// A latitude and longitude on Earth, in degrees.
#[inline]
pub fn on_earth([lat, lon]: &[f64; 2]) -> Wrong {
    (!LatLon::new(*lat, *lon).is_on_earth()).then_some("not a place on Earth")
}

/// Whether a position in degrees times `parts` is on Earth.
#[inline(always)]
pub fn is_stored_on_earth([lat, lon]: [i32; 2], parts: u32) -> bool {
    lat.unsigned_abs() <= 90 * parts && lon.unsigned_abs() <= 180 * parts
}

/// Lists laid end to end, whose entries all pass a check. The check gets the list's number and the entry.
pub fn each_of<'w, T, C: Fn(usize, &T) -> Wrong>(offsets: &'w Column<u32>, wrong: C) -> EachOf<'w, C, T> {
    EachOf { offsets, wrong, values: std::marker::PhantomData }
}

/// See [`each_of`].
pub struct EachOf<'w, C, T> {
    offsets: &'w [u32],
    wrong: C,
    values: std::marker::PhantomData<fn(&T)>,
}

impl<T, C: Fn(usize, &T) -> Wrong> Rule<Column<T>> for EachOf<'_, C, T> {
    fn check(&self, name: &str, column: &Column<T>) -> Result<(), ColumnError> {
        expect_rows(name, column.len(), self.offsets.last().map_or(0, |&end| end as usize))?;
        for (list, ends) in self.offsets.windows(2).enumerate() {
            let first = ends[0] as usize;
            let entries = column.get(first..ends[1] as usize);
            for (at, value) in entries.ok_or_else(|| broken(name, "no list there"))?.iter().enumerate() {
                if let Some(why) = (self.wrong)(list, value) {
                    return Err(broken_row(name, first + at, why));
                }
            }
        }
        Ok(())
    }
}
