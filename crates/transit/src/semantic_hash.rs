//! Semantic hashes: short texts that stay equal as long as a pattern's stops and rules, or a trip's times, stay equal.

use trestle_model::ids::{PatternIdx, StopIdx, TripIdx};

use crate::timetable::Timetable;

/// Hash of a pattern: its stop positions, then for each hop the rules of boarding and alighting. Six characters.
pub fn pattern(timetable: &Timetable, pattern: PatternIdx) -> String {
    let patterns = &timetable.patterns;
    let stops = patterns.stops(pattern).iter().map(|&stop| StopIdx(stop));
    text(of_calls(timetable, stops, patterns.pickups(pattern), patterns.dropoffs(pattern)))
}

/// Hash of a trip: the hash of its pattern, a colon, and the hash of the departure and arrival of each hop. Empty for a
/// frequency trip.
pub fn trip(timetable: &Timetable, trip: TripIdx) -> String {
    if timetable.trips.runs_by_frequency(trip) {
        return String::new();
    }
    let calls = timetable.trip_calls(trip);
    let times = text(of_times(&calls.departures(), &calls.arrivals()));
    format!("{}:{times}", pattern(timetable, timetable.pattern_of(trip)))
}

/// The hash of a pattern with these stops, pickup and drop-off types, as a number.
pub fn of_calls(
    timetable: &Timetable,
    stops: impl ExactSizeIterator<Item = StopIdx>,
    pickups: &[u8],
    dropoffs: &[u8],
) -> u32 {
    let mut bytes = Vec::with_capacity(stops.len() * 24);
    for stop in stops.map(StopIdx::index) {
        for degrees in [timetable.stops.lat[stop], timetable.stops.lon[stop]] {
            bytes.extend(((degrees * 1_000_000.0) as i64).to_le_bytes());
        }
    }
    for (pickup, dropoff) in pickups.iter().zip(dropoffs.iter().skip(1)) {
        bytes.extend(i32::from(*pickup).to_le_bytes());
        bytes.extend(i32::from(*dropoff).to_le_bytes());
    }
    murmur3_x86_32(&bytes)
}

/// The hash of the times of a trip, as a number.
pub fn of_times(departures: &[i32], arrivals: &[i32]) -> u32 {
    let mut bytes = Vec::with_capacity(departures.len() * 8);
    for (departure, arrival) in departures.iter().zip(arrivals.iter().skip(1)) {
        bytes.extend(departure.to_le_bytes());
        bytes.extend(arrival.to_le_bytes());
    }
    murmur3_x86_32(&bytes)
}

/// MurmurHash3, x86, 32 bits (Austin Appleby, public domain), with the seed 0.
fn murmur3_x86_32(bytes: &[u8]) -> u32 {
    const C1: u32 = 0xcc9e_2d51;
    const C2: u32 = 0x1b87_3593;
    let scramble = |k: u32| k.wrapping_mul(C1).rotate_left(15).wrapping_mul(C2);
    let (blocks, tail) = bytes.as_chunks::<4>();
    let mut hash = blocks.iter().fold(0u32, |hash, block| {
        let mixed = hash ^ scramble(u32::from_le_bytes(*block));
        mixed.rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64)
    });
    let rest = tail.iter().rev().fold(0, |k, &byte| k << 8 | u32::from(byte));
    hash ^= scramble(rest);
    hash ^= bytes.len() as u32;
    hash = (hash ^ hash >> 16).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    hash ^ hash >> 16
}

/// A hash as text: its four bytes, least significant first, in URL-safe base 64 without padding.
pub fn text(hash: u32) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let [a, b, c, d] = hash.to_le_bytes();
    let bits = u64::from_be_bytes([0, 0, 0, a, b, c, d, 0]) >> 4;
    (0..6).rev().map(|i| char::from(ALPHABET[(bits >> (6 * i) & 63) as usize])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_test_vectors() {
        assert_eq!(murmur3_x86_32(b""), 0);
        assert_eq!(murmur3_x86_32(b"test"), 0xba6b_d213);
        assert_eq!(murmur3_x86_32(b"Hello, world!"), 0xc036_3e43);
    }

    #[test]
    fn times_of_a_documented_trip() {
        let times = [31740, 31790, 31790, 31945, 31945, 31992, 31992, 32220i32];
        let bytes: Vec<u8> = times.iter().flat_map(|time| time.to_le_bytes()).collect();
        assert_eq!(text(murmur3_x86_32(&bytes)), "QOPbgQ");
    }
}
