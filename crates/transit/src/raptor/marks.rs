//! What a search in rounds has to look at next.

use trestle_model::BitSet;

use super::active_service::ActiveService;

/// The prospect of a pattern that is not marked.
const UNMARKED: i32 = i32::MAX;

/// Stops and patterns that the search has to look at next.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// Stops where riders can enter a vehicle in the next round.
    pub(super) entered: StopList,
    /// Stops where riders left a vehicle in this round.
    pub(super) left: StopList,
    /// Patterns to scan, the last one first.
    pub(super) patterns: Vec<u32>,
    /// Per pattern: its prospect, [`UNMARKED`] unless it is marked.
    prospects: Vec<i32>,
    /// Calls where riders can enter marked patterns, as first call of the pattern plus step.
    pub(super) calls: BitSet,
}

impl Marks {
    /// Removes all marks.
    pub(super) fn reset(&mut self, service: &ActiveService) {
        self.entered.reset(service.stop_count());
        self.left.reset(service.stop_count());
        self.patterns.clear();
        self.prospects.clear();
        self.prospects.resize(service.patterns.len(), UNMARKED);
        self.calls.reset(service.call_stop.len());
    }

    #[inline(always)]
    pub(super) fn mark(&mut self, pattern: u32, call: usize, prospect: i32) {
        let known = &mut self.prospects[pattern as usize];
        if *known == UNMARKED {
            self.patterns.push(pattern);
        }
        *known = prospect.min(*known);
        self.calls.insert(call);
    }

    /// Puts the pattern with the best prospect last, to be scanned first: good paths found early exclude many others.
    pub(super) fn sort(&mut self) {
        let prospects = &self.prospects;
        self.patterns.sort_unstable_by_key(|&pattern| std::cmp::Reverse(prospects[pattern as usize]));
    }

    pub(super) fn next_pattern(&mut self) -> Option<u32> {
        let pattern = self.patterns.pop()?;
        self.prospects[pattern as usize] = UNMARKED;
        Some(pattern)
    }
}

/// A list of stops without repeats.
#[derive(Debug, Default)]
pub(super) struct StopList {
    stops: Vec<u32>,
    is_listed: Vec<bool>,
}

impl StopList {
    /// Empties the list and makes room for `stop_count` stops.
    pub(super) fn reset(&mut self, stop_count: usize) {
        self.stops.clear();
        self.is_listed.clear();
        self.is_listed.resize(stop_count, false);
    }

    #[inline(always)]
    pub(super) fn add(&mut self, stop: usize) {
        if !std::mem::replace(&mut self.is_listed[stop], true) {
            self.stops.push(stop as u32);
        }
    }

    /// Removes and returns the stop added last.
    #[inline(always)]
    pub(super) fn take(&mut self) -> Option<u32> {
        let stop = self.stops.pop()?;
        self.is_listed[stop as usize] = false;
        Some(stop)
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, u32> {
        self.stops.iter()
    }

    pub(super) fn clear(&mut self) {
        for stop in self.stops.drain(..) {
            self.is_listed[stop as usize] = false;
        }
    }
}
