//! What a search writes: labels, Pareto sets per stop, and marks.

use trestle_model::ids::StopIdx;

use super::costs::Centicost;
use super::labels::{Arrivals, Bag, Entry, Interest, Label, LabelKind, Rider};
use super::query::Endpoint;
use super::scan::Marks;
use super::window::{NONE, ServiceWindow};

/// Memory of the search, kept from request to request so that the loops do not allocate.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) labels: Vec<Label>,
    /// Labels per stop from which a vehicle can be entered.
    pub(super) enter: Vec<Bag>,
    /// Labels per stop at which a vehicle was left.
    pub(super) left: Vec<Bag>,
    /// Search in which a stop's bags were last emptied.
    pub(super) bag_search: Vec<u32>,
    pub(super) search: u32,
    pub(super) marks: Marks,
    pub(super) riders: Vec<Rider>,
    /// The run that was last taken in each lane, by its first run. Those taken next are mostly close to it, also in other
    /// searches; one of another window is but a bad guess.
    pub(super) taken: Vec<u32>,
    /// Riders that stay seated: (run, rider without a place in a lane).
    pub(super) seated: Vec<(u32, Rider)>,
    /// Least reduced cost of riders that stayed seated until a run.
    pub(super) ridden: Vec<Centicost>,
    pub(super) arrivals: Arrivals,
    /// First entry of each stop's endpoints in `far`, [`NONE`] for none.
    pub(super) far_of_stop: Vec<u32>,
    /// (endpoint index, next of the same stop).
    pub(super) far: Vec<(u32, u32)>,
}

impl Memory {
    /// Of the ways of having left a vehicle at each stop that the last search found, the one that settles at least. By stop.
    pub(super) fn cheapest_left(&self) -> impl Iterator<Item = (StopIdx, Entry)> + '_ {
        let owned = |stop: &usize| self.bag_search[*stop] == self.search;
        let cheapest = |stop: usize| self.left[stop].cheapest().map(|entry| (StopIdx::from(stop), *entry));
        (0..self.left.len()).filter(owned).filter_map(cheapest)
    }

    /// Begins a search in `window` for `far`.
    pub(super) fn begin(
        &mut self,
        window: &ServiceWindow,
        far: &[Endpoint],
        interest: Interest,
        limit: Centicost,
    ) {
        let stops = window.stop_count();
        self.search += 1;
        if self.search == u32::MAX || self.bag_search.len() != stops {
            self.search = 1;
            self.bag_search = vec![0; stops];
            self.enter.resize_with(stops, Bag::default);
            self.left.resize_with(stops, Bag::default);
        }
        self.marks.reset(window);
        self.taken.resize(window.runs.len(), 0);
        self.labels.clear();
        self.seated.clear();
        if !window.continuations.is_empty() {
            self.ridden.clear();
            self.ridden.resize(window.runs.len(), Centicost::MAX);
        }
        self.arrivals.reset(interest, limit);
        self.far.clear();
        self.far_of_stop.clear();
        self.far_of_stop.resize(stops, NONE);
        for (index, endpoint) in far.iter().enumerate() {
            if let Some(first) = self.far_of_stop.get_mut(endpoint.stop.index()) {
                self.far.push((index as u32, *first));
                *first = self.far.len() as u32 - 1;
            }
        }
    }

    /// The bags of a stop belong to this search from now on.
    #[inline(always)]
    pub(super) fn own_bags(&mut self, stop: usize) {
        if self.bag_search[stop] != self.search {
            self.bag_search[stop] = self.search;
            self.enter[stop].clear();
            self.left[stop].clear();
        }
    }

    /// Adds a label; returns its index.
    #[inline(always)]
    pub(super) fn push_label(&mut self, parent: u32, stop: usize, time: i32, kind: LabelKind) -> u32 {
        self.labels.push(Label { parent, stop: stop as u32, time, kind });
        self.labels.len() as u32 - 1
    }

    /// Adds an entry from which a vehicle can be entered in the next round.
    #[inline(always)]
    pub(super) fn add_enter(&mut self, stop: usize, entry: Entry) {
        self.enter[stop].insert(entry);
        self.marks.entered.add(stop);
    }

    /// Adds an entry for a vehicle left in this round.
    #[inline(always)]
    pub(super) fn add_left(&mut self, stop: usize, entry: Entry) {
        self.left[stop].insert(entry);
        self.marks.left.add(stop);
    }
}
