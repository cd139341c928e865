//! Memory of the search: labels, and the queue that orders them.

use super::super::active_service::{ActiveService, Lane, NONE};
use super::super::costs::Centicost;
use super::super::range_memory::UNREACHED;
use super::super::transfers::Walks;
use super::Walked;
use trestle_model::buckets::{Buckets, chunk_of};
use trestle_model::prefetch::prefetch;

/// The best label of a place. Times are keys of the search direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    pub(super) time: i32,
    /// Wait for the first vehicle.
    pub(super) wait: i32,
    pub(super) cost: Centicost,
    /// Run, if on board.
    pub(super) run: u32,
    /// Seconds added to its times.
    pub(super) shift: i32,
    /// Number of the offer that made it.
    pub(super) number: u32,
}

impl Label {
    pub(super) const NONE: Label =
        Label { time: UNREACHED, wait: 0, cost: 0, run: NONE, shift: 0, number: 0 };
}

/// Memory of these searches, one per search thread.
#[derive(Debug, Default)]
pub struct LabelSettingScratch {
    pub(super) walks: Walks,
    pub(super) memory: LabelMemory,
}

/// Memory of a search.
#[derive(Debug, Default)]
pub(super) struct LabelMemory {
    /// Three parts with a label per stop: ready to enter the first vehicle, ready to enter a later one, and having left
    /// one. Then a label per lane and call, in search order, for arriving on board; partial runs (see `Filters`) follow
    /// like lanes. Then, if vehicles continue as other runs, a label per run for staying seated at its end.
    pub(super) labels: Vec<Label>,
    /// Per lane and call: time and run of the departure on board.
    pub(super) departures: Vec<(i32, u32)>,
    /// The first call of each lane, and then of each partial run, counting the calls of all of these; one
    /// more entry.
    pub(super) first_calls: Vec<u32>,
    /// Id of the service that `first_calls` is for.
    service: Option<u64>,
    pub(super) queue: Queue,
    /// Labels that left a stop on the streets, with the stop.
    pub(super) leavers: Vec<(u32, Label)>,
    /// Stops that they have reached.
    pub(super) walked: Vec<Walked>,
}

/// A bucket queue of labels by seconds without the first wait; those of a second in order of insertion.
#[derive(Debug, Default)]
pub(super) struct Queue {
    /// Number of the offer, and label.
    waiting: Buckets<(u32, u32), { chunk_of::<(u32, u32)>() }>,
    /// Those of the present second, and how many of them were taken.
    due: Vec<(u32, u32)>,
    taken: usize,
    now: usize,
    seconds: usize,
}

impl Queue {
    pub(super) fn seconds(&self) -> usize {
        self.seconds
    }

    fn clear(&mut self, seconds: i32) {
        self.waiting.clear();
        self.due.clear();
        (self.taken, self.now) = (0, 0);
        self.seconds = seconds.max(0) as usize + 1;
    }

    /// Adds a label, not before the present second.
    #[inline(always)]
    pub(super) fn push(&mut self, second: i32, number: u32, label: u32) {
        let second = (second.max(0) as usize).max(self.now);
        if second < self.seconds {
            self.waiting.push(second, (number, label));
        }
    }

    /// Goes to a second, when all labels of those before it were removed.
    pub(super) fn go_to(&mut self, second: usize) {
        self.now = second;
    }

    /// Removes the next label of the present second; returns the number of its offer and its index. Fetches the waiting ones
    /// of these `labels` before it removes the first of them.
    #[inline(always)]
    pub(super) fn pop(&mut self, labels: &[Label]) -> Option<(u32, u32)> {
        if self.taken == self.due.len() {
            self.due.clear();
            self.waiting.take(self.now, &mut self.due);
            self.taken = 0;
            self.due.iter().for_each(|&(_, at)| prefetch(labels, at as usize));
        }
        let entry = self.due.get(self.taken).copied()?;
        self.taken += 1;
        Some(entry)
    }
}

impl LabelMemory {
    /// Prepares for a search. Its `partial_runs` have labels of their own, besides those of their lanes.
    pub(super) fn prepare(&mut self, service: &ActiveService, partial_runs: &[u32], max_seconds: i32) {
        if self.service != Some(service.id) {
            self.service = Some(service.id);
            let calls = |lane: &Lane| service.patterns[lane.pattern as usize].calls;
            let ends = service.lanes.iter().scan(0, |end, lane| {
                *end += calls(lane);
                Some(*end)
            });
            self.first_calls.clear();
            self.first_calls.push(0);
            self.first_calls.extend(ends);
        }
        self.first_calls.truncate(service.lanes.len() + 1);
        let mut calls = self.first_calls.last().copied().unwrap_or(0);
        self.first_calls.extend(partial_runs.iter().map(|&run| {
            calls += service.pattern_of_run(run as usize).calls;
            calls
        }));
        let calls = calls as usize;
        self.labels.clear();
        let staying = if service.continuations.is_empty() { 0 } else { service.runs.len() };
        self.labels.resize(3 * service.stop_count() + calls + staying, Label::NONE);
        self.departures.clear();
        self.departures.resize(calls, (UNREACHED, NONE));
        self.queue.clear(max_seconds);
        self.leavers.clear();
    }
}
