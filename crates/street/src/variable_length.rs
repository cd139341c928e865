//! Numbers of a variable length: seven bits in each byte, the eighth says whether more follow.

/// Maps signed numbers to unsigned ones so that small ones stay small (zigzag).
pub(crate) fn zigzag(number: i32) -> u32 {
    ((number << 1) ^ (number >> 31)) as u32
}

pub(crate) fn unzigzag(number: u32) -> i32 {
    (number >> 1) as i32 ^ -((number & 1) as i32)
}

/// Appends a number.
pub(crate) fn put(mut number: u32, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes the first number off the bytes; `None` when it is cut or too long.
#[inline]
pub(crate) fn take(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0u32;
    for shift in (0..35).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u32::from(byte & 0x7f).wrapping_shl(shift);
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}
