//! Which calls of a trip an update names.

use super::model::{Call, CallUpdate, Model, Update};

impl CallUpdate {
    /// This and a `later` update of one call. What skips the call or has no data gives way to the other one.
    fn and(self, later: &CallUpdate) -> CallUpdate {
        let says_less = |one: &CallUpdate, other: &CallUpdate| {
            one.relationship == Some(1) && other.relationship != Some(1)
                || one.relationship == Some(2) && ![Some(1), Some(2)].contains(&other.relationship)
        };
        if says_less(later, &self) {
            return self;
        }
        let earlier = if says_less(&self, later) { CallUpdate::default() } else { self };
        let is_named = |id: &String| !id.is_empty();
        CallUpdate {
            assigned: later.assigned.clone().filter(is_named).or(earlier.assigned),
            arrival: later.arrival.or(earlier.arrival),
            departure: later.departure.or(earlier.departure),
            ..later.clone()
        }
    }
}

impl Model {
    /// What an update says of each call; `None` if it names one that the trip does not have, or calls out of order.
    pub(super) fn named(&self, calls: &[Call], update: &Update) -> Option<Vec<Option<CallUpdate>>> {
        let is_at = |at: usize, stop: &String| self.stops[calls[at].stop].0 == *stop;
        // Of both, the stop counts if the trip has it.
        let contradict = |sequence: u32, stop: &String| {
            let at = (sequence as usize).wrapping_sub(1);
            !(at < calls.len() && is_at(at, stop)) && (0..calls.len()).any(|at| is_at(at, stop))
        };
        let mut given: Vec<Option<CallUpdate>> = vec![None; calls.len()];
        let mut next = 0_usize;
        for call in &update.calls {
            if !(0..=3).contains(&call.relationship.unwrap_or(0)) {
                return None;
            }
            let fits = |at: &usize| match (call.sequence, &call.stop) {
                (Some(sequence), Some(_)) if self.names_assigned(calls, call) => sequence as usize == at + 1,
                (Some(sequence), Some(stop)) if contradict(sequence, stop) => is_at(*at, stop),
                (Some(sequence), _) => sequence as usize == at + 1,
                (None, Some(stop)) => is_at(*at, stop),
                (None, None) => false,
            };
            let is_again = |last: &usize| call.sequence == Some(*last as u32 + 1) && fits(last);
            let again = next.checked_sub(1).filter(is_again);
            let at = again.or_else(|| (next..calls.len()).find(fits))?;
            given[at] = Some(match given[at].take() {
                Some(earlier) => earlier.and(call),
                None => call.clone(),
            });
            next = at + 1;
        }
        Some(given)
    }
}
