//! Coordinates of a multi-polygon as JSON text.

use std::io::Write;

/// Numbers with at most seven decimals are written the fast way.
const SCALE: f64 = 1e7;

/// Largest number written the fast way: not all digits of larger ones would be exact.
const LARGEST: f64 = 1e8;

/// Text of nested lists, written from front to back.
#[derive(Default)]
pub(crate) struct CoordinatesText {
    text: Vec<u8>,
}

impl CoordinatesText {
    /// Begins a list in a list.
    pub(crate) fn open(&mut self) {
        self.separate();
        self.text.push(b'[');
    }

    /// Ends the innermost list.
    pub(crate) fn close(&mut self) {
        self.text.push(b']');
    }

    /// Adds a position to a list.
    pub(crate) fn position(&mut self, [x, y]: [f64; 2]) {
        self.open();
        self.number(x);
        self.text.push(b',');
        self.number(y);
        self.close();
    }

    /// The text as bytes, which are sent to clients unchanged.
    pub(crate) fn finish(self) -> Vec<u8> {
        self.text
    }

    fn separate(&mut self) {
        if self.text.last() == Some(&b']') {
            self.text.push(b',');
        }
    }

    /// The shortest text that stands for the number.
    fn number(&mut self, value: f64) {
        let units = (value * SCALE).round();
        if value.abs() < LARGEST && units / SCALE == value {
            self.decimal(units as i64);
        } else {
            let _ = write!(self.text, "{value}");
        }
    }

    /// A number of ten-millionths.
    fn decimal(&mut self, units: i64) {
        if units < 0 {
            self.text.push(b'-');
        }
        let units = units.unsigned_abs();
        let (whole, mut part) = (units / SCALE as u64, units % SCALE as u64);
        let mut digits = [0u8; 8];
        let mut first = digits.len();
        let mut rest = whole;
        while rest > 0 || first == digits.len() {
            first -= 1;
            digits[first] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        self.text.extend_from_slice(&digits[first..]);
        if part > 0 {
            self.text.push(b'.');
        }
        let mut place = SCALE as u64 / 10;
        while part > 0 {
            self.text.push(b'0' + (part / place) as u8);
            part %= place;
            place /= 10;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_short_as_they_can_be() {
        let text = |value: f64| {
            let mut text = CoordinatesText::default();
            text.number(value);
            String::from_utf8(text.finish()).unwrap()
        };
        for (value, expected) in [
            (0.0, "0"),
            (-8.6291, "-8.6291"),
            (41.0, "41"),
            (-0.05, "-0.05"),
            (100.25, "100.25"),
            (0.000_000_1, "0.0000001"),
            (531_234.567_8, "531234.5678"),
            (1.0 / 3.0, "0.3333333333333333"),
            (123_456_789.25, "123456789.25"),
        ] {
            assert_eq!(text(value), expected);
            assert_eq!(text(value).parse(), Ok(value));
        }
    }

    #[test]
    fn lists_are_separated() {
        let mut text = CoordinatesText::default();
        text.open();
        for _ in 0..2 {
            text.open();
            text.position([1.0, 2.0]);
            text.position([-3.5, 4.0]);
            text.close();
        }
        text.close();
        assert_eq!(text.finish(), b"[[[1,2],[-3.5,4]],[[1,2],[-3.5,4]]]");
    }
}
