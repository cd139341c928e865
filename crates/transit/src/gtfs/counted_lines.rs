//! The bytes of a table with the line numbers of its rows.

use std::io::{self, Cursor, Read};

use crate::gtfs::quotes::WithoutBlanksBeforeQuotes;

/// Bytes of the longest row, which is kept in memory several times: the outline of an area has far fewer.
pub(super) const LONGEST_ROW: usize = 16 << 20;

/// The bytes with which some programs begin a UTF-8 file.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The bytes of a table without a byte order mark, with the line numbers of its rows. The CSV reader's own count is off
/// by one with `\r\n`, because it leaves the `\n` to the next row.
pub(super) struct CountedLines<'a> {
    content: Box<dyn Read + 'a>,
    /// Bytes that were read and may come before the next row.
    recent: Vec<u8>,
    /// How many bytes of `recent` have had their lines counted.
    counted: usize,
    /// Position of the first byte whose lines are not counted yet, and its line.
    offset: u64,
    line: u64,
    /// Whether the last byte that was counted is a `\r`, so that a `\n` after it is of the same break.
    after_return: bool,
}

impl<'a> CountedLines<'a> {
    pub(super) fn new(mut content: impl Read + 'a) -> io::Result<Self> {
        let mut start = Vec::new();
        content.by_ref().take(BYTE_ORDER_MARK.len() as u64).read_to_end(&mut start)?;
        if start == BYTE_ORDER_MARK {
            start.clear();
        }
        let content = Box::new(WithoutBlanksBeforeQuotes::new(Cursor::new(start).chain(content)));
        Ok(CountedLines { content, recent: Vec::new(), counted: 0, offset: 0, line: 1, after_return: false })
    }

    /// Whether reading has ended because of a row that is too long.
    pub(super) fn has_endless_row(&self) -> bool {
        self.recent.len() > LONGEST_ROW
    }

    /// Line of the first row at or after byte `offset`, which has to be read already; offsets never go back.
    pub(super) fn line_of_row_at(&mut self, offset: u64) -> u64 {
        let is_break = |byte: &u8| matches!(byte, b'\r' | b'\n');
        let rest = &self.recent[self.counted..];
        let mut length = usize::try_from(offset.saturating_sub(self.offset)).map_or(0, |n| n.min(rest.len()));
        length += rest[length..].iter().take_while(|byte| is_break(byte)).count();
        // Some programs end lines with a `\r` alone.
        for &byte in &rest[..length] {
            self.line += u64::from(byte == b'\r' || byte == b'\n' && !self.after_return);
            self.after_return = byte == b'\r';
        }
        self.counted += length;
        self.offset += length as u64;
        self.line
    }
}

impl Read for CountedLines<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.content.read(into)?;
        self.recent.drain(..self.counted);
        self.counted = 0;
        self.recent.extend_from_slice(&into[..count]);
        if self.has_endless_row() { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(count) }
    }
}
