//! One GTFS table: rows of named, trimmed fields, and issues with their file and line.

use std::borrow::Cow;
use std::str::FromStr;

use csv::ByteRecord;
use trestle_model::strings::StringsBuilder;
use trestle_model::{IssueSink, ServiceDate};

use crate::error::TransitError;
use crate::gtfs::FeedFiles;

/// The input and outputs of reading a table.
pub(crate) struct Reading<'a> {
    /// The feed's tables.
    pub(crate) files: &'a FeedFiles,
    /// Texts of the whole timetable.
    pub(crate) texts: &'a mut StringsBuilder,
    /// Dropped and repaired rows.
    pub(crate) issues: &'a mut IssueSink,
}

/// A column of a table; absent columns read as blank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Col {
    index: usize,
    name: &'static str,
}

/// An opened table.
pub(crate) struct Table<'a> {
    path: String,
    bytes: &'a [u8],
    reader: csv::Reader<&'a [u8]>,
    header: Vec<String>,
}

impl<'a> Table<'a> {
    /// Opens a table, or `None` when the feed lacks it.
    pub(crate) fn open(files: &'a FeedFiles, table: &str) -> Option<Self> {
        let bytes = files.table(table)?;
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(bytes);
        let header = match reader.byte_headers() {
            Ok(names) => names.iter().map(|n| String::from_utf8_lossy(n.trim_ascii()).into_owned()).collect(),
            Err(_) => Vec::new(),
        };
        Some(Table { path: format!("{}/{table}", files.name()), bytes, reader, header })
    }

    /// Opens a table and checks columns that every feed must have.
    pub(crate) fn open_required(
        files: &'a FeedFiles,
        table: &'static str,
        columns: &[&'static str],
    ) -> Result<Self, TransitError> {
        let opened = Table::open(files, table)
            .ok_or_else(|| TransitError::MissingTable { file: files.name().to_owned(), table })?;
        match opened.first_missing(columns) {
            Some(column) => Err(TransitError::MissingColumn { file: opened.path, column }),
            None => Ok(opened),
        }
    }

    /// Opens an optional table; without a required column it is reported and left out.
    pub(crate) fn open_optional(
        files: &'a FeedFiles,
        table: &'static str,
        columns: &[&'static str],
        issues: &mut IssueSink,
    ) -> Option<Self> {
        let opened = Table::open(files, table)?;
        if let Some(column) = opened.first_missing(columns) {
            issues.add(
                "missing-column",
                &opened.path,
                1,
                format!("the column {column} is missing; table left out"),
            );
            return None;
        }
        Some(opened)
    }

    fn first_missing(&self, columns: &[&'static str]) -> Option<&'static str> {
        columns.iter().copied().find(|&column| !self.header.iter().any(|name| name == column))
    }

    /// `feed.zip/table.txt`.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Position of a column.
    pub(crate) fn col(&self, name: &'static str) -> Col {
        Col { index: self.header.iter().position(|n| n == name).unwrap_or(usize::MAX), name }
    }

    /// Whether the table has the column.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.header.iter().any(|n| n == name)
    }

    /// Calls `read` for every row that is not entirely blank.
    pub(crate) fn for_each(mut self, issues: &mut IssueSink, mut read: impl FnMut(&Row<'_>, &mut IssueSink)) {
        let mut record = ByteRecord::new();
        let mut lines = LineCounter { bytes: self.bytes, offset: 0, line: 1 };
        loop {
            let line = lines.line_of_row_at(self.reader.position().byte());
            match self.reader.read_byte_record(&mut record) {
                Ok(false) => return,
                Ok(true) => {
                    if record.iter().any(|field| !field.trim_ascii().is_empty()) {
                        read(&Row { path: &self.path, line, record: &record }, issues);
                    }
                }
                Err(error) => {
                    issues.add(
                        "unreadable-row",
                        &self.path,
                        line,
                        format!("{error}; rest of the table dropped"),
                    );
                    return;
                }
            }
        }
    }
}

/// Line numbers of rows. The CSV reader's own count is off by one with `\r\n`, whose `\n` it leaves to the next row.
struct LineCounter<'a> {
    bytes: &'a [u8],
    offset: usize,
    line: u64,
}

impl LineCounter<'_> {
    /// Line of the first row at or after byte `offset`; offsets never go back.
    fn line_of_row_at(&mut self, offset: u64) -> u64 {
        let is_break = |byte: &u8| matches!(byte, b'\r' | b'\n');
        let mut end = usize::try_from(offset).unwrap_or(usize::MAX).clamp(self.offset, self.bytes.len());
        end += self.bytes[end..].iter().take_while(|byte| is_break(byte)).count();
        self.line += self.bytes[self.offset..end].iter().filter(|&&byte| byte == b'\n').count() as u64;
        self.offset = end;
        self.line
    }
}

/// One row.
pub(crate) struct Row<'r> {
    path: &'r str,
    line: u64,
    record: &'r ByteRecord,
}

impl Row<'_> {
    /// The field's bytes without surrounding blanks; empty when blank or absent.
    #[inline]
    pub(crate) fn bytes(&self, col: Col) -> &[u8] {
        self.record.get(col.index).unwrap_or_default().trim_ascii()
    }

    /// Whether the field is blank or absent.
    pub(crate) fn is_blank(&self, col: Col) -> bool {
        self.bytes(col).is_empty()
    }

    /// The field as text; bytes that are not UTF-8 become replacement characters.
    pub(crate) fn text(&self, col: Col) -> Cow<'_, str> {
        String::from_utf8_lossy(self.bytes(col))
    }

    /// The field in the text table; 0 when blank.
    pub(crate) fn intern(&self, col: Col, texts: &mut StringsBuilder) -> u32 {
        match self.bytes(col) {
            [] => 0,
            bytes => texts.intern(&String::from_utf8_lossy(bytes)),
        }
    }

    /// The field as a number; `fallback` when it is blank or (with an issue) not a number.
    pub(crate) fn number<T: FromStr>(&self, col: Col, fallback: T, issues: &mut IssueSink) -> T {
        if self.is_blank(col) {
            return fallback;
        }
        self.parse(col, |text| text.parse().ok(), issues).unwrap_or(fallback)
    }

    /// A whole number of seconds; more than a week is read as a week, with an issue.
    pub(crate) fn seconds(&self, col: Col, fallback: i32, issues: &mut IssueSink) -> i32 {
        let seconds = self.number(col, fallback, issues);
        if seconds > LONGEST_SECONDS {
            self.issue("long-time", format!("{} is {seconds}; read as a week", col.name), issues);
        }
        seconds.min(LONGEST_SECONDS)
    }

    /// A coordinate or distance; `None` when blank, or (with an issue) not a finite number.
    pub(crate) fn decimal(&self, col: Col, issues: &mut IssueSink) -> Option<f64> {
        if self.is_blank(col) {
            return None;
        }
        self.parse(col, |text| text.parse().ok().filter(|n: &f64| n.is_finite()), issues)
    }

    /// A date `YYYYMMDD`; `None` when blank or (with an issue) not a date.
    pub(crate) fn date(&self, col: Col, issues: &mut IssueSink) -> Option<ServiceDate> {
        if self.is_blank(col) {
            return None;
        }
        self.parse(col, parse_date, issues)
    }

    /// The start or end date of a period. Dates that are too early or too late to be stored are read as the first or last
    /// date, with an issue. `None` when blank or (with an issue) not a date.
    pub(crate) fn date_within(&self, col: Col, issues: &mut IssueSink) -> Option<ServiceDate> {
        if self.is_blank(col) {
            return None;
        }
        let date = self.parse(col, ServiceDate::parse_compact, issues)?;
        let stored = ServiceDate(date.0.clamp(*DATE_RANGE.start(), *DATE_RANGE.end()));
        if stored != date {
            self.issue("date-out-of-range", format!("{} is {date}; read as {stored}", col.name), issues);
        }
        Some(stored)
    }

    /// A time `H:MM:SS` in seconds; `None` when blank or (with an issue) not a time.
    #[inline]
    pub(crate) fn time(&self, col: Col, issues: &mut IssueSink) -> Option<i32> {
        let bytes = self.bytes(col);
        if bytes.is_empty() {
            return None;
        }
        let time = parse_time(bytes);
        if time.is_none() {
            self.bad_value(col, issues);
        }
        time
    }

    fn parse<T>(&self, col: Col, parse: impl Fn(&str) -> Option<T>, issues: &mut IssueSink) -> Option<T> {
        let value = parse(&self.text(col));
        if value.is_none() {
            self.bad_value(col, issues);
        }
        value
    }

    fn bad_value(&self, col: Col, issues: &mut IssueSink) {
        let shown: String = self.text(col).chars().take(40).collect();
        self.issue("bad-value", format!("{} is “{shown}”; read as blank", col.name), issues);
    }

    /// Reports an issue with this row.
    pub(crate) fn issue(&self, code: &'static str, message: impl Into<String>, issues: &mut IssueSink) {
        issues.add(code, self.path, self.line, message);
    }

    /// Reports a reference to an unknown entity; the row is dropped.
    pub(crate) fn unknown_reference(&self, col: Col, issues: &mut IssueSink) {
        self.issue(
            "unknown-reference",
            format!("unknown {} “{}”; row dropped", col.name, self.text(col)),
            issues,
        );
    }

    /// Line in the file, 1-based.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }
}

/// Longest time between two events that a feed may give.
pub(crate) const LONGEST_SECONDS: i32 = 7 * 86_400;

/// First and last day that a feed may name; this limits the size of the bit sets of service days.
pub(crate) const DATE_RANGE: std::ops::RangeInclusive<i32> = -25_567..=84_006; // 1900-01-01 to 2200-01-01

fn parse_date(text: &str) -> Option<ServiceDate> {
    ServiceDate::parse_compact(text).filter(|date| DATE_RANGE.contains(&date.0))
}

/// Seconds of `H:MM:SS` (any number of hours up to four digits, blanks around the parts tolerated).
pub(crate) fn parse_time(bytes: &[u8]) -> Option<i32> {
    let mut parts = bytes.split(|&b| b == b':');
    let (hours, minutes, seconds) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    let (hours, minutes, seconds) = (digits(hours)?, digits(minutes)?, digits(seconds)?);
    (minutes < 60 && seconds < 60).then_some(hours * 3600 + minutes * 60 + seconds)
}

fn digits(part: &[u8]) -> Option<i32> {
    let part = part.trim_ascii();
    if part.is_empty() || part.len() > 4 {
        return None;
    }
    part.iter().try_fold(0, |n, b| b.is_ascii_digit().then(|| n * 10 + i32::from(b - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_may_exceed_a_day_and_lack_a_leading_zero() {
        assert_eq!(parse_time(b"6:40:05"), Some(24_005));
        assert_eq!(parse_time(b" 25:10:00"), Some(90_600));
        for bad in [&b"6:40"[..], b"6:60:00", b"-1:00:00", b"a:b:c", b"", b"::", b"1:2:3:4", b"99999:00:00"] {
            assert_eq!(parse_time(bad), None, "{}", String::from_utf8_lossy(bad));
        }
    }

    #[test]
    fn byte_order_mark_quotes_blanks_and_missing_columns() {
        let files = FeedFiles::from_tables(
            "f",
            [("stops.txt", "\u{feff}stop_id , stop_name\r\n\r\n a ,\"B, \"\"C\"\"\"\r\nd\r\n")],
        );
        let table = Table::open(&files, "stops.txt").unwrap();
        let (id, name, gone) = (table.col("stop_id"), table.col("stop_name"), table.col("stop_lat"));
        let mut rows = Vec::new();
        table.for_each(&mut IssueSink::default(), |row, _| {
            rows.push((
                row.line(),
                row.text(id).into_owned(),
                row.text(name).into_owned(),
                row.is_blank(gone),
            ));
        });
        assert_eq!(rows, [(3, "a".into(), "B, \"C\"".into(), true), (4, "d".into(), "".into(), true)]);
    }
}
