//! One GTFS table: rows of named, trimmed fields, and issues with their file and line.

use std::borrow::Cow;
use std::io::{self, Read};
use std::ops::RangeInclusive;
use std::str::FromStr;

use csv::ByteRecord;
use trestle_model::strings::StringsBuilder;
use trestle_model::{IssueSink, ServiceDate};

use crate::error::TransitError;
use crate::gtfs::FeedFiles;
use crate::gtfs::counted_lines::{CountedLines, LONGEST_ROW};

/// The input and outputs of reading a table.
pub(crate) struct Reading<'a> {
    /// The feed's tables.
    pub(crate) files: &'a FeedFiles<'a>,
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
    reader: csv::Reader<CountedLines<'a>>,
    header: Vec<String>,
}

impl<'a> Table<'a> {
    /// Opens a table, or `None` when the feed lacks it.
    pub(crate) fn open(files: &'a FeedFiles<'_>, table: &str) -> Option<Self> {
        // Bytes in memory can always be read.
        Table::of(files, table, files.table(table)?).ok()
    }

    /// A table whose bytes come from `content`.
    pub(crate) fn of(files: &FeedFiles<'_>, table: &str, content: impl Read + 'a) -> io::Result<Self> {
        let content = CountedLines::new(content)?;
        let mut reader =
            csv::ReaderBuilder::new().flexible(true).buffer_capacity(BUFFER_BYTES).from_reader(content);
        let names = reader.byte_headers().map(|names| {
            names.iter().map(|name| String::from_utf8_lossy(name.trim_ascii()).into_owned()).collect()
        });
        let header = match names {
            // Without names, columns are missing.
            Err(_) if reader.get_ref().has_endless_row() => Vec::new(),
            names => names?,
        };
        Ok(Table { path: format!("{}/{table}", files.name()), reader, header })
    }

    /// Opens a table and checks columns that every feed must have.
    pub(crate) fn open_required(
        files: &'a FeedFiles<'_>,
        table: &'static str,
        columns: &[&'static str],
    ) -> Result<Self, TransitError> {
        Table::open(files, table)
            .ok_or_else(|| TransitError::MissingTable { file: files.name().to_owned(), table })?
            .with_columns(columns)
    }

    /// The table if it has all of the columns; otherwise an error that names the first missing one.
    pub(crate) fn with_columns(self, columns: &[&'static str]) -> Result<Self, TransitError> {
        match self.first_missing(columns) {
            Some(_) if self.is_utf16() => Err(TransitError::Utf16 { file: self.path }),
            Some(column) => {
                let shown = self.header.join(",");
                let line = shown.chars().filter(|c| !c.is_control()).take(SHOWN_CHARACTERS).collect();
                Err(TransitError::MissingColumn { file: self.path, column, line })
            }
            None => Ok(self),
        }
    }

    /// Opens an optional table. A table without one of the columns is reported and left out.
    pub(crate) fn open_optional(
        files: &'a FeedFiles<'_>,
        table: &'static str,
        columns: &[&'static str],
        issues: &mut IssueSink,
    ) -> Option<Self> {
        let opened = Table::open(files, table)?;
        if let Some(column) = opened.first_missing(columns) {
            let (code, reason) = if opened.is_utf16() {
                ("not-utf8", "the table is in UTF-16".to_owned())
            } else {
                ("missing-column", format!("the column {column} is missing"))
            };
            issues.add(code, &opened.path, 1, format!("{reason}; table left out"));
            return None;
        }
        Some(opened)
    }

    /// Reports a row over several lines that seems to have swallowed the rows after it, most likely because a quotation
    /// mark is missing: it has more or fewer fields than the header, or one of its lines would be a whole row.
    fn report_open_quote(&self, record: &ByteRecord, line: u64, issues: &mut IssueSink) {
        if !record.as_slice().contains(&b'\n') {
            return;
        }
        let columns = self.header.len();
        let is_row = |text: &[u8]| text.iter().filter(|&&byte| byte == b',').count() + 1 == columns;
        let lines = || record.as_slice().split(|&byte| byte == b'\n');
        if record.len() != columns || (columns > 1 && lines().any(is_row)) {
            let message = format!("{} lines are one row; is a quotation mark missing?", lines().count());
            issues.add("open-quote", &self.path, line, message);
        }
    }

    fn report_repeated_columns(&self, issues: &mut IssueSink) {
        for (at, name) in self.header.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
            if self.header[..at].contains(name) {
                let message = format!("the column {name} comes again; the first one counts");
                issues.add("repeated-column", &self.path, 1, message);
            }
        }
    }

    fn first_missing(&self, columns: &[&'static str]) -> Option<&'static str> {
        columns.iter().copied().find(|&column| !self.header.iter().any(|name| name == column))
    }

    /// Whether the header is in UTF-16, in which every second byte of a plain letter is 0.
    fn is_utf16(&self) -> bool {
        self.header.iter().any(|name| name.contains('\0'))
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

    /// Calls `read` for every row of a table in memory that is not entirely blank.
    pub(crate) fn for_each(self, issues: &mut IssueSink, read: impl FnMut(&Row<'_>, &mut IssueSink)) {
        // Bytes in memory can always be read.
        let _ = self.try_for_each(issues, read);
    }

    /// Calls `read` for every row that is not entirely blank.
    pub(crate) fn try_for_each(
        mut self,
        issues: &mut IssueSink,
        mut read: impl FnMut(&Row<'_>, &mut IssueSink),
    ) -> io::Result<()> {
        self.report_repeated_columns(issues);
        let mut record = ByteRecord::new();
        loop {
            let start = self.reader.position().byte();
            let found = self.reader.read_byte_record(&mut record);
            let is_endless = self.reader.get_ref().has_endless_row();
            let line = self.reader.get_mut().line_of_row_at(start);
            match found {
                Ok(false) => return Ok(()),
                Ok(true) => {
                    self.report_open_quote(&record, line, issues);
                    if record.iter().any(|field| !field.trim_ascii().is_empty()) {
                        read(&Row { path: &self.path, line, record: &record }, issues);
                    }
                }
                Err(_) if is_endless => {
                    let longest = LONGEST_ROW >> 20;
                    let message = format!(
                        "a row of more than {longest} MiB; is a quotation mark missing? Rest of the table dropped"
                    );
                    issues.add("open-quote", &self.path, line, message);
                    return Ok(());
                }
                Err(error) if error.is_io_error() => return Err(error.into()),
                Err(error) => {
                    let message = format!("{error}; rest of the table dropped");
                    issues.add("unreadable-row", &self.path, line, message);
                    return Ok(());
                }
            }
        }
    }
}

/// Characters of a bad text that a message shows.
const SHOWN_CHARACTERS: usize = 60;

/// Bytes of a table that are read at once.
const BUFFER_BYTES: usize = 64 << 10;

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
        self.parse(col, |text| text.parse().ok(), issues).unwrap_or(fallback)
    }

    /// The field as one of the choices from 0 to `most`; 0 when it is blank or (with an issue) no such choice.
    pub(crate) fn choice(&self, col: Col, most: u8, issues: &mut IssueSink) -> u8 {
        self.number_within(col, 0..=most, issues).unwrap_or(0)
    }

    /// The field as a number of a range; `None` when it is blank or (with an issue) no such number.
    pub(crate) fn number_within<T: FromStr + PartialOrd>(
        &self,
        col: Col,
        range: RangeInclusive<T>,
        issues: &mut IssueSink,
    ) -> Option<T> {
        self.parse(col, |text| text.parse().ok().filter(|number| range.contains(number)), issues)
    }

    /// A whole number of seconds; more than a week is read as a week, with an issue.
    pub(crate) fn seconds(&self, col: Col, fallback: i32, issues: &mut IssueSink) -> i32 {
        let seconds = self.number_within(col, 0..=i32::MAX, issues).unwrap_or(fallback);
        if seconds > LONGEST_SECONDS {
            self.issue("long-time", format!("{} is {seconds}; read as a week", col.name), issues);
        }
        seconds.min(LONGEST_SECONDS)
    }

    /// A coordinate or distance; `None` when blank, or (with an issue) not a finite number.
    pub(crate) fn decimal(&self, col: Col, issues: &mut IssueSink) -> Option<f64> {
        self.parse(col, |text| text.parse().ok().filter(|n: &f64| n.is_finite()), issues)
    }

    /// A date `YYYYMMDD`; `None` when blank or (with an issue) not a date that can be stored.
    pub(crate) fn date(&self, col: Col, issues: &mut IssueSink) -> Option<ServiceDate> {
        let date = self.parse(col, parse_date, issues)?;
        self.check_exists(col, date, issues);
        Some(date)
    }

    /// The start or end date of a period. Dates that are too early or too late to be stored are read as the first or last
    /// date, with an issue. `None` when blank or (with an issue) not a date.
    pub(crate) fn date_within(&self, col: Col, issues: &mut IssueSink) -> Option<ServiceDate> {
        let date = self.parse(col, ServiceDate::parse_compact, issues)?;
        let stored = ServiceDate(date.0.clamp(*DATE_RANGE.start(), *DATE_RANGE.end()));
        if stored == date {
            self.check_exists(col, date, issues);
        } else {
            self.issue("date-out-of-range", format!("{} is {date}; read as {stored}", col.name), issues);
        }
        Some(stored)
    }

    /// Reports a day or month that does not exist. As in the reference, the 31st of September is the 1st of October.
    fn check_exists(&self, col: Col, date: ServiceDate, issues: &mut IssueSink) {
        let (given, read) = (self.text(col), date.to_string());
        if given != read {
            self.issue("no-such-date", format!("{} is {given}; read as {read}", col.name), issues);
        }
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

    /// What `read` makes of the field; `None` when it is blank or (with an issue) `read` makes nothing of it.
    fn parse<T>(&self, col: Col, read: impl Fn(&str) -> Option<T>, issues: &mut IssueSink) -> Option<T> {
        if self.is_blank(col) {
            return None;
        }
        let value = read(&self.text(col));
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

/// The longest time that a feed may give for one step, such as a transfer or a headway.
pub(crate) const LONGEST_SECONDS: i32 = 7 * 86_400;

/// First and last day that a feed may name; this limits the size of the bit sets of service days.
pub(crate) const DATE_RANGE: RangeInclusive<i32> = -25_567..=84_006; // 1900-01-01 to 2200-01-01

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
            [("stops.txt", "\u{feff} \"stop_id\" , \"stop_name\"\r\n\r\n a , \"B, \"\"C\"\"\"\r\nd\r\n")],
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

    /// Gives a few bytes at a time.
    struct Pieces<'a>(&'a [u8]);

    impl Read for Pieces<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let length = self.0.len().min(into.len()).min(1 + self.0.len() % 3);
            into[..length].copy_from_slice(&self.0[..length]);
            self.0 = &self.0[length..];
            Ok(length)
        }
    }

    #[test]
    fn lines_are_counted_in_whatever_pieces_the_bytes_come() {
        let text = "\u{feff}a,b\r\n\r\n1,\"x\n\ny\"\n\n\n2,\n,\n3,z\r\n4,";
        let lines = |content: &mut dyn Read| {
            let table = Table::of(&FeedFiles::default(), "t.txt", content).unwrap();
            let first = table.col("a");
            let mut lines = Vec::new();
            let read = |row: &Row<'_>, _: &mut IssueSink| {
                lines.push((row.text(first).into_owned(), row.line()));
            };
            table.try_for_each(&mut IssueSink::default(), read).unwrap();
            lines
        };
        let expected = [("1", 3), ("2", 8), ("3", 10), ("4", 11)].map(|(id, line)| (id.to_owned(), line));
        for text in
            [text.to_owned(), text.replace("\r\n", "\n"), text.replace("\r\n", "\n").replace('\n', "\r")]
        {
            assert_eq!(lines(&mut text.as_bytes()), expected);
            assert_eq!(lines(&mut Pieces(text.as_bytes())), expected);
        }
    }
}
