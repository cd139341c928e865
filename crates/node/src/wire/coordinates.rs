//! Coordinates of a multi-polygon as JSON text.

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
        // Adding 0 takes the sign of -0 away. Memory can always be written.
        let _ = serde_json::to_writer(&mut self.text, &(value + 0.0));
        if self.text.ends_with(b".0") {
            self.text.truncate(self.text.len() - 2);
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
            (-0.0, "0"),
            (-8.6291, "-8.6291"),
            (41.0, "41"),
            (-0.05, "-0.05"),
            (100.25, "100.25"),
            (0.000_000_1, "1e-7"),
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
