//! Which call of a trip an update is about, and which stop the vehicle uses there.

use trestle_model::ids::{FeedIdx, StopIdx};

use super::assigned_stops::{are_of_one_station, assigned_stop};
use super::call_times::ScheduledCalls;
use super::messages::StopTimeUpdate;
use super::rejections::Unusable;

impl ScheduledCalls<'_> {
    /// By stop_sequence when it is given, else by stop_id. If both are given and disagree, the stop decides, provided
    /// that the trip has it: some feeds count calls in their own way. The stop_id may also be that of the assigned stop; without
    /// a stop_sequence, this is then the next call at a stop in the place of which it can be assigned.
    pub(super) fn is_about(&self, update: &StopTimeUpdate, call: usize) -> bool {
        match (update.stop_sequence, update.stop_id.as_deref()) {
            (Some(_), Some(_)) if self.names_assigned(update) => {
                update.stop_sequence == Some(self.calls.sequences[call])
            }
            (Some(sequence), Some(stop)) if self.contradict(sequence, stop) => self.stop_ids[call] == stop,
            (Some(sequence), _) => self.calls.sequences[call] == sequence,
            (None, Some(stop)) => {
                self.stop_ids[call] == stop
                    || update.assigned_stop() == Some(stop) && self.may_be_assigned(call, stop)
            }
            (None, None) => false,
        }
    }

    /// Whether a stop at which the trip does not call can be assigned to one of its calls.
    fn may_be_assigned(&self, call: usize, stop: &str) -> bool {
        let scheduled = StopIdx(self.stops[call]);
        let feed = || self.timetable.feed_id(FeedIdx(self.timetable.stops.feed[scheduled.index()]));
        !self.stop_ids.contains(&stop) && assigned_stop(self.timetable, feed(), stop, scheduled).is_ok()
    }

    /// Whether an update is once more about a call, because it has its stop_sequence. One that only has the stop_id may be
    /// about a call that the build has merged into it.
    pub(super) fn names_again(&self, update: &StopTimeUpdate, call: usize) -> bool {
        update.stop_sequence == Some(self.calls.sequences[call]) && self.is_about(update, call)
    }

    /// Whether an update is about a call that the build has merged into `call`, as both are at one stop in a row.
    pub(super) fn is_merged(&self, update: &StopTimeUpdate, call: usize) -> bool {
        let stop = self.stop_ids[call];
        match (update.stop_sequence, update.stop_id.as_deref()) {
            (Some(sequence), named) if self.is_between(sequence, call) => {
                named.is_none_or(|named| named == stop || update.assigned_stop() == Some(named))
            }
            _ if self.names_assigned(update) => false,
            (_, Some(named)) => named == stop && !self.stop_ids[call + 1..].contains(&named),
            (_, None) => false,
        }
    }

    /// The calls of an update that replaces all calls of the trip. Those that name no stop are at that of the scheduled call
    /// with their stop_sequence.
    pub(super) fn with_stops(&self, calls: &[StopTimeUpdate]) -> Vec<StopTimeUpdate> {
        let mut calls = calls.to_vec();
        for call in calls.iter_mut().filter(|call| call.named_stop().is_none()) {
            let scheduled = call.stop_sequence.and_then(|sequence| self.counted(sequence));
            call.stop_id = scheduled.map(|scheduled| self.stop_ids[scheduled].to_owned());
        }
        calls
    }

    /// Whether a stop_sequence lies between those of a call and the next one.
    fn is_between(&self, sequence: u32, call: usize) -> bool {
        let next = self.calls.sequences.get(call + 1);
        self.calls.sequences[call] < sequence && next.is_some_and(|next| sequence < *next)
    }

    fn contradict(&self, sequence: u32, stop: &str) -> bool {
        let counted = self.counted(sequence).map(|call| self.stop_ids[call]);
        counted != Some(stop) && self.stop_ids.contains(&stop)
    }

    /// The call with a stop_sequence.
    fn counted(&self, sequence: u32) -> Option<usize> {
        self.calls.sequences.binary_search(&sequence).ok()
    }

    /// Whether an update gives the stop_id of the stop that it assigns to the call with its stop_sequence, and not that of
    /// another call.
    fn names_assigned(&self, update: &StopTimeUpdate) -> bool {
        let Some(assigned) = update.assigned_stop().filter(|id| update.stop_id.as_deref() == Some(id)) else {
            return false;
        };
        let Some(call) = update.stop_sequence.and_then(|sequence| self.counted(sequence)) else {
            return false;
        };
        let other = || self.stop_ids.iter().position(|id| *id == assigned);
        self.stop_ids[call] == assigned || other().is_none_or(|other| self.are_of_one_station(call, other))
    }

    /// The stop_id of the stop that the vehicle uses at a call, if updates name one; with `before`, from the updates of
    /// the calls that the build has merged into it.
    pub(super) fn stop_used<'s>(
        &'s self,
        update: Option<&'s StopTimeUpdate>,
        call: usize,
        before: Option<&'s str>,
    ) -> Result<Option<&'s str>, Unusable> {
        let Some(update) = update.filter(|update| !update.is_skipped()) else { return Ok(before) };
        let stop = update.assigned_stop().unwrap_or(self.stop_ids[call]);
        if before.is_none_or(|before| before == stop) { Ok(Some(stop)) } else { Err(Unusable::DividedCall) }
    }

    fn are_of_one_station(&self, call: usize, other: usize) -> bool {
        let stops = [call, other].map(|call| StopIdx(self.stops[call]));
        are_of_one_station(self.timetable, stops) == Some(true)
    }
}
