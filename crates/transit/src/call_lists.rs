//! Calls of trips as columns. Running times and stop_sequence values that several trips share are stored once.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::timetable::Trips;

/// The part of a call that belongs to the trip and not to its pattern.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallRow {
    /// Seconds since the start of the service day.
    pub(crate) arrival: i32,
    /// Seconds since the start of the service day.
    pub(crate) departure: i32,
    /// stop_sequence.
    pub(crate) sequence: u32,
    /// 0 or 1.
    pub(crate) timepoint: u8,
}

/// The columns of [`Trips`] about calls, filled trip by trip.
pub(crate) struct CallLists {
    /// Number of the next trip's first call.
    next_call: u32,
    /// As in [`Trips`].
    pub(crate) call_offset: Vec<u32>,
    /// As in [`Trips`].
    pub(crate) start: Vec<i32>,
    /// As in [`Trips`].
    pub(crate) profile_offset: Vec<u32>,
    /// (arrival, departure), seconds after the start.
    pub(crate) profiles: SharedLists<(i32, i32)>,
    /// As in [`Trips`].
    pub(crate) sequence_offset: Vec<u32>,
    /// (stop_sequence, timepoint).
    pub(crate) sequences: SharedLists<(u32, u8)>,
}

impl CallLists {
    /// No trips yet. The first one will follow the trips of `base`, which have `next_call` calls.
    pub(crate) fn after(base: &Trips, next_call: u32) -> Self {
        CallLists {
            next_call,
            call_offset: Vec::new(),
            start: Vec::new(),
            profile_offset: Vec::new(),
            profiles: SharedLists::after(base.profile_arrival.len()),
            sequence_offset: Vec::new(),
            sequences: SharedLists::after(base.sequences.len()),
        }
    }

    pub(crate) fn add(&mut self, calls: impl ExactSizeIterator<Item = CallRow> + Clone) {
        let start = calls.clone().next().map_or(0, |call| call.arrival);
        let times = calls.clone().map(|call| (call.arrival - start, call.departure - start));
        self.call_offset.push(self.next_call);
        self.next_call += calls.len() as u32;
        self.start.push(start);
        self.profile_offset.push(self.profiles.offset_of(times.collect()));
        self.sequence_offset
            .push(self.sequences.offset_of(calls.map(|call| (call.sequence, call.timepoint)).collect()));
    }
}

/// Lists stored one after another; equal lists are stored once.
pub(crate) struct SharedLists<T> {
    /// Number of entries before the first list.
    base: u32,
    /// The entries of the lists.
    pub(crate) entries: Vec<T>,
    known: FxHashMap<Vec<T>, u32>,
}

impl<T: Copy + Eq + Hash> SharedLists<T> {
    pub(crate) fn after(base: usize) -> Self {
        SharedLists { base: base as u32, entries: Vec::new(), known: FxHashMap::default() }
    }

    /// The offset of a list, which is added unless an equal one is stored already.
    pub(crate) fn offset_of(&mut self, list: Vec<T>) -> u32 {
        let next = self.base + self.entries.len() as u32;
        *self.known.entry(list).or_insert_with_key(|list| {
            self.entries.extend(list);
            next
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trips_share_equal_lists() {
        let base = Trips { profile_arrival: vec![0; 10].into(), ..Trips::default() };
        let mut lists = CallLists::after(&base, 7);
        for (start, dwell, first_sequence) in [(100, 5, 1), (900, 5, 2), (900, 6, 1), (100, 5, 1)] {
            let call = |i: usize| {
                let arrival = start + 60 * i as i32;
                let sequence = first_sequence + i as u32;
                CallRow { arrival, departure: arrival + dwell, sequence, timepoint: 1 }
            };
            lists.add((0..2).map(call));
        }
        assert_eq!((lists.call_offset, lists.next_call), (vec![7, 9, 11, 13], 15));
        assert_eq!(lists.start, [100, 900, 900, 100]);
        assert_eq!(lists.profile_offset, [10, 10, 12, 10]);
        assert_eq!(lists.profiles.entries, [(0, 5), (60, 65), (0, 6), (60, 66)]);
        assert_eq!(lists.sequence_offset, [0, 2, 0, 0]);
        assert_eq!(lists.sequences.entries, [(1, 1), (2, 1), (2, 1), (3, 1)]);
    }
}
