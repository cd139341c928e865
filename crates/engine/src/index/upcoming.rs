//! Which calls come next at a stop.

use super::call_time::CallTime;

/// Which calls from a moment on to return.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Upcoming {
    /// Epoch seconds.
    pub from: i64,
    /// Seconds; a pattern is left out when its service on a day does not overlap `from ..= from + range`. A negative
    /// range has no end.
    pub range: i64,
    /// Calls per pattern.
    pub per_pattern: usize,
    /// Leave out calls where travellers cannot board.
    pub omit_non_pickups: bool,
}

impl Upcoming {
    /// Whether the service of a day, from its earliest departure to its latest arrival, overlaps the time range, which
    /// begins `from` seconds after the start of that day.
    pub(super) fn meets(&self, (earliest, latest): (i32, i32), from: i64) -> bool {
        let begins_in_time = self.range < 0 || i64::from(earliest) <= from.saturating_add(self.range);
        begins_in_time && i64::from(latest) >= from
    }
}

/// The span of no trips: joining another span to it gives that span.
pub(super) const NO_SPAN: (i32, i32) = (i32::MAX, i32::MIN);

/// From the earlier of two departures to the later of two arrivals.
pub(super) fn joined(one: (i32, i32), other: (i32, i32)) -> (i32, i32) {
    (one.0.min(other.0), one.1.max(other.1))
}

/// The earliest calls, in order of departure; equal ones stay in the order in which they were found.
pub(super) struct Earliest {
    pub(super) limit: usize,
    pub(super) calls: Vec<CallTime>,
}

impl Earliest {
    /// Whether a call with this departure (epoch seconds) would be kept.
    pub(super) fn wants(&self, departure: i64) -> bool {
        self.calls.len() < self.limit
            || self.calls.last().is_some_and(|last| departure < last.epoch_departure())
    }

    pub(super) fn add(&mut self, call: CallTime) {
        let departure = call.epoch_departure();
        if !self.wants(departure) {
            return;
        }
        let at = self.calls.partition_point(|known| known.epoch_departure() <= departure);
        self.calls.truncate(self.limit - 1);
        self.calls.insert(at, call);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_range_ends_unless_it_is_negative() {
        let meets = |range| {
            let wanted = Upcoming { from: 0, range, per_pattern: 1, omit_non_pickups: false };
            [3600, 7200].map(|earliest| wanted.meets((earliest, 9000), 3000))
        };
        assert_eq!(meets(600), [true, false]);
        assert_eq!(meets(0), [false, false]);
        assert_eq!(meets(-1), [true, true]);
        let after = Upcoming { from: 0, range: -1, per_pattern: 1, omit_non_pickups: false };
        assert!(!after.meets((3600, 9000), 9001));
    }
}
