//! Entries of one stop that do not stand for each other, although one is earlier and no dearer.
//!
//! Where transfers.txt has rules for certain trips or routes, who came first may not be allowed what another is. And who
//! has only ridden vehicles without fixed times can leave home later by as much as they wait for the next vehicle: such
//! waits cost what the first one costs. An entry can *slide* by so many seconds.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::costs::Centicost;
use super::direction::Direction;
use super::entering::Boarding;
use super::labels::{Bag, Entry, LabelKind};
use super::rounds::Rounds;
use super::window::NONE;

impl Rounds<'_> {
    /// Whether entries of a stop are told apart by how they came.
    #[inline(always)]
    pub(super) fn tells_apart(&self, stop: usize) -> bool {
        (self.walks.has_trip_rules(stop) || self.slides()) && !self.memory.arrivals.by_time()
    }

    /// Whether first vehicles without fixed times are taken later where that saves waiting on the way.
    #[inline(always)]
    pub(super) fn slides(&self) -> bool {
        self.boarding != Boarding::First
            && !self.window.headways.is_empty()
            && self.costs.wait > self.costs.first_wait
    }

    /// Adds an entry for having left a vehicle at a stop at which they are told apart, unless it is of no use.
    pub(super) fn add_left_apart<D: Direction>(&mut self, stop: usize, entry: Entry) {
        let mut bag = std::mem::take(&mut self.memory.left[stop]);
        let added = self.add_apart::<D>(&mut bag, entry);
        self.memory.left[stop] = bag;
        if added {
            self.memory.note_left(stop, entry.round);
        }
    }

    /// Adds an entry for entering a vehicle at a stop at which they are told apart, unless it is of no use.
    pub(super) fn add_enter_apart<D: Direction>(&mut self, stop: usize, entry: Entry) {
        let mut bag = std::mem::take(&mut self.memory.enter[stop]);
        let added = self.add_apart::<D>(&mut bag, entry);
        self.memory.enter[stop] = bag;
        if added {
            self.memory.note_entering(stop, entry.round);
        }
    }

    /// Adds an entry to those of a stop at which they are told apart; false where it is of no use.
    fn add_apart<D: Direction>(&self, bag: &mut Bag, entry: Entry) -> bool {
        let apart = Apart { manner: self.manner::<D>(entry.label), saving: self.saving::<D>(entry.label) };
        bag.add_where(
            entry,
            |other| {
                other.settled <= entry.settled - apart.saving && self.manner::<D>(other.label) == apart.manner
            },
            |other| {
                entry.settled <= other.settled - self.saving::<D>(other.label)
                    && self.manner::<D>(other.label) == apart.manner
            },
        )
    }

    /// What an entry may save by sliding.
    fn saving<D: Direction>(&self, label: u32) -> Centicost {
        if self.slides() { self.slide_price() * self.slide::<D>(label).min(MOST_SLIDE) } else { 0 }
    }

    /// What a second of sliding saves.
    pub(super) fn slide_price(&self) -> Centicost {
        self.costs.wait - self.costs.first_wait
    }

    /// Seconds by which everything up to a label can be moved; [`i32::MAX`] before the first vehicle.
    pub(super) fn slide<D: Direction>(&self, label: u32) -> i32 {
        let labels = &self.memory.labels;
        let Some(mut at) = labels.get(label as usize) else { return 0 };
        if let LabelKind::Walk { .. } = at.kind {
            at = &labels[at.parent as usize];
        }
        let LabelKind::Ride { run, shift, entered, .. } = at.kind else {
            return if matches!(at.kind, LabelKind::Endpoint(_)) { i32::MAX } else { 0 };
        };
        let lane = &self.window.lanes[self.window.runs[run as usize].lane as usize];
        if lane.headway == NONE {
            return 0;
        }
        let headway = self.window.headways[lane.headway as usize];
        let own = D::pick(headway.end - 1 - shift, shift - headway.start).max(0);
        let before = self.slide::<D>(at.parent);
        if before == i32::MAX {
            return own;
        }
        // What was waited longer than a headway is saved already.
        let on = D::key(self.window.entering::<D>(lane, entered as usize)[0] + shift);
        let mode = self.window.patterns[lane.pattern as usize].mode;
        let ready = labels[at.parent as usize].time
            + self.costs.later_slack
            + self.costs.enter_times[mode as usize]
            + headway.seconds;
        own.min(before - (on - ready).clamp(0, before))
    }

    /// Which rules for certain trips or routes apply to who came as a label says: those of one manner may do the same.
    fn manner<D: Direction>(&self, label: u32) -> u64 {
        let labels = &self.memory.labels;
        let Some(mut at) = labels.get(label as usize) else { return 0 };
        if let LabelKind::Walk { .. } = at.kind {
            at = &labels[at.parent as usize];
        }
        let LabelKind::Ride { run, .. } = at.kind else { return 0 };
        if !self.walks.has_trip_rules(at.stop as usize) {
            return 0;
        }
        let mut hasher = FxHasher::default();
        at.stop.hash(&mut hasher);
        let ride = self.window.trip_and_route(run as usize);
        for rule in self.walks.trip_rules_from::<D>(self.timetable, at.stop, ride) {
            rule.hash(&mut hasher);
        }
        hasher.finish()
    }
}

/// More than any slide that matters; its saving does not overflow.
const MOST_SLIDE: i32 = 200_000;

/// How an entry differs from others of its stop.
struct Apart {
    manner: u64,
    saving: Centicost,
}
