//! Blanks before quotation marks: `1, "A, B"` is read as `1,"A, B"`. Other readers of GTFS do so, while the CSV reader
//! would take the quotation mark for a part of the text and split the field at the comma in it.

use std::io::{self, Read};

/// Bytes that are read at a time.
const CHUNK_BYTES: usize = 1 << 16;

/// The bytes of a table without the blanks between the beginning of a field and its quotation mark.
pub(super) struct WithoutBlanksBeforeQuotes<R> {
    content: R,
    chunk: Box<[u8]>,
    stripped: Stripped,
    /// How many of the stripped bytes have been read.
    read: usize,
}

/// The bytes of the last chunk without such blanks, and the state in which the next chunk begins.
struct Stripped {
    bytes: Vec<u8>,
    /// Blanks after `bytes` that have to go if a quotation mark follows.
    blanks: Vec<u8>,
    /// Whether only blanks came since the beginning of the field.
    at_start: bool,
    place: Place,
}

#[derive(Clone, Copy)]
enum Place {
    Unquoted,
    Quoted,
    /// After a quotation mark within quotation marks, which ends them unless another one follows.
    Closing,
}

impl<R: Read> WithoutBlanksBeforeQuotes<R> {
    pub(super) fn new(content: R) -> Self {
        let stripped =
            Stripped { bytes: Vec::new(), blanks: Vec::new(), at_start: true, place: Place::Unquoted };
        WithoutBlanksBeforeQuotes { content, chunk: vec![0; CHUNK_BYTES].into(), stripped, read: 0 }
    }
}

impl<R: Read> Read for WithoutBlanksBeforeQuotes<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.read == self.stripped.bytes.len() {
            self.stripped.bytes.clear();
            self.read = 0;
            match self.content.read(&mut self.chunk)? {
                0 if self.stripped.blanks.is_empty() => return Ok(0),
                0 => self.stripped.keep_blanks(),
                count => self.stripped.add(&self.chunk[..count]),
            }
        }
        let count = (&self.stripped.bytes[self.read..]).read(into)?;
        self.read += count;
        Ok(count)
    }
}

impl Stripped {
    fn add(&mut self, chunk: &[u8]) {
        // Most tables have no quotation marks.
        if matches!(self.place, Place::Unquoted) && !chunk.contains(&b'"') {
            let blanks = chunk.iter().rev().take_while(|&&byte| is_blank(byte)).count();
            let (text, blanks) = chunk.split_at(chunk.len() - blanks);
            if let Some(&last) = text.last() {
                self.keep_blanks();
                self.bytes.extend_from_slice(text);
                self.at_start = ends_field(last);
            }
            self.blanks.extend_from_slice(blanks);
        } else {
            chunk.iter().for_each(|&byte| self.push(byte));
        }
    }

    fn push(&mut self, byte: u8) {
        match (self.place, byte) {
            (Place::Unquoted, _) if is_blank(byte) => return self.blanks.push(byte),
            (Place::Unquoted, b'"') if self.at_start => {
                self.blanks.clear();
                self.place = Place::Quoted;
            }
            (Place::Unquoted, _) => self.keep_blanks(),
            (Place::Quoted, b'"') => self.place = Place::Closing,
            (Place::Quoted, _) => {}
            (Place::Closing, b'"') => self.place = Place::Quoted,
            (Place::Closing, _) => {
                (self.place, self.at_start) = (Place::Unquoted, false);
                return self.push(byte);
            }
        }
        self.bytes.push(byte);
        self.at_start = ends_field(byte);
    }

    fn keep_blanks(&mut self) {
        self.bytes.append(&mut self.blanks);
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Whether a field begins after this byte, which is not in quotation marks.
fn ends_field(byte: u8) -> bool {
    matches!(byte, b',' | b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives at most this many bytes at a time.
    struct Pieces<'a>(&'a [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let most = self.1.min(into.len());
            self.0.read(&mut into[..most])
        }
    }

    #[test]
    fn blanks_before_quotation_marks_go_and_others_stay() {
        for (text, expected) in [
            ("a, b ,\"c\" , \t\"d, \"\"e\"\"\"\n  \"f\",g\n", "a, b ,\"c\" ,\"d, \"\"e\"\"\"\n\"f\",g\n"),
            ("\"a, \"\"b\"\", c\", \"d\"", "\"a, \"\"b\"\", c\",\"d\""),
            ("inch 5 \"x, \"\" ,\"\", \"y\"\r\n \"z\"", "inch 5 \"x,\"\" ,\"\",\"y\"\r\n\"z\""),
            ("\"a\" \"b\" , c  ", "\"a\" \"b\" , c  "),
            ("   ", "   "),
            ("", ""),
        ] {
            for most in [1, 2, 3, 1000] {
                let mut content = WithoutBlanksBeforeQuotes::new(Pieces(text.as_bytes(), most));
                let mut start = vec![0; 2.min(expected.len())];
                content.read_exact(&mut start).unwrap();
                let mut read = String::from_utf8(start).unwrap();
                content.read_to_string(&mut read).unwrap();
                assert_eq!(read, expected, "{text:?} in pieces of {most}");
            }
        }
    }
}
