//! Numbers in one to five bytes: seven bits in each byte, the lowest first; the eighth says whether more follow. A
//! signed number is written as twice its value, or if negative, as twice its absolute value less one, so that numbers
//! near zero stay short.

/// Appends a number.
pub fn put(mut number: u32, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Appends a signed number.
pub fn put_signed(number: i32, bytes: &mut Vec<u8>) {
    put(((number << 1) ^ (number >> 31)) as u32, bytes);
}

/// Takes the first number off the bytes; `None` if it is incomplete or too large.
#[inline]
pub fn take(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0u32;
    for shift in (0..u32::BITS).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let bits = u32::from(byte & 0x7f);
        if bits.leading_zeros() < shift {
            return None;
        }
        number |= bits << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Takes the first number, which is signed, off the bytes; `None` if it is incomplete or too large.
#[inline]
pub fn take_signed(bytes: &mut &[u8]) -> Option<i32> {
    take(bytes).map(|number| (number >> 1) as i32 ^ -((number & 1) as i32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_are_read_as_they_were_written(numbers in prop::collection::vec(any::<i32>(), 0..50)) {
            let mut bytes = Vec::new();
            for &number in &numbers {
                put_signed(number, &mut bytes);
                put(number as u32, &mut bytes);
            }
            let mut rest = &bytes[..];
            for number in numbers {
                prop_assert_eq!(take_signed(&mut rest), Some(number));
                prop_assert_eq!(take(&mut rest), Some(number as u32));
            }
            prop_assert_eq!(take(&mut rest), None);
        }
    }

    #[test]
    fn numbers_beyond_32_bits_are_refused() {
        assert_eq!(take(&mut &[0xff, 0xff, 0xff, 0xff, 0x0f][..]), Some(u32::MAX));
        assert_eq!(take(&mut &[0xff, 0xff, 0xff, 0xff, 0x1f][..]), None);
        assert_eq!(take(&mut &[0xff, 0xff, 0xff, 0xff, 0xff, 0x01][..]), None);
    }
}
