//! Memory of a search: labels, Pareto sets per stop, and marks.

use rustc_hash::FxHashMap;
use trestle_model::ids::StopIdx;

use super::active_service::{ActiveService, NONE};
use super::bounds::Bounds;
use super::costs::Centicost;
use super::labels::{Arrivals, Bag, Entry, Interest, Label, LabelKind, Rider};
use super::marks::Marks;
use super::query::Endpoint;
use super::range_memory::RangeMemory;
use super::scan::SeatedIn;

/// Memory of a search, kept from request to request so that the loops do not allocate.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) labels: Vec<Label>,
    /// Per stop: entries ready to enter a vehicle.
    pub(super) enter: Vec<Bag>,
    /// Per stop: entries that left a vehicle.
    pub(super) left: Vec<Bag>,
    /// Per stop: number of the search that last emptied its bags.
    pub(super) bag_search: Vec<u32>,
    pub(super) search: u32,
    pub(super) marks: Marks,
    pub(super) riders: Vec<Rider>,
    /// Last run taken in each lane, at the index of its first run: a guess for the next one, even in other searches.
    pub(super) taken: Vec<u32>,
    pub(super) seated: Vec<SeatedIn<Rider>>,
    /// By run: least reduced cost of riders who stayed seated into it. A map, because few runs have any: an array would
    /// have to be cleared.
    pub(super) ridden: FxHashMap<u32, Centicost>,
    pub(super) arrivals: Arrivals,
    /// First entry of each stop's endpoints in `far`, [`NONE`] for none.
    pub(super) far_of_stop: Vec<u32>,
    /// (endpoint index, next of the same stop).
    pub(super) far: Vec<(u32, u32)>,
    /// Memory of the search for the first arrival.
    pub(super) range: RangeMemory,
    /// Memory of the bounds that go with the first arrival.
    pub(super) beyond: Bounds,
}

impl Memory {
    /// The cheapest entry of the last search that left a vehicle at each stop, by stop.
    pub(super) fn cheapest_left(&self) -> impl Iterator<Item = (StopIdx, Entry)> + '_ {
        let owned = |stop: &usize| self.bag_search[*stop] == self.search;
        let cheapest = |stop: usize| self.left[stop].cheapest().map(|entry| (StopIdx::from(stop), *entry));
        (0..self.left.len()).filter(owned).filter_map(cheapest)
    }

    /// The earliest entry of the last search that left a vehicle at each stop, by stop.
    pub(super) fn earliest_left(&self) -> impl Iterator<Item = (StopIdx, Entry)> + '_ {
        let owned = |stop: &usize| self.bag_search[*stop] == self.search;
        let earliest =
            |stop: usize| self.left[stop].entries().first().map(|entry| (StopIdx::from(stop), *entry));
        (0..self.left.len()).filter(owned).filter_map(earliest)
    }

    /// Prepares for a search towards `far`.
    pub(super) fn begin(
        &mut self,
        service: &ActiveService,
        far: &[Endpoint],
        interest: Interest,
        limit: Centicost,
    ) {
        let stops = service.stop_count();
        self.search += 1;
        if self.search == u32::MAX || self.bag_search.len() != stops {
            self.search = 1;
            self.bag_search = vec![0; stops];
            self.enter.resize_with(stops, Bag::default);
            self.left.resize_with(stops, Bag::default);
        }
        self.marks.reset(service);
        self.taken.resize(service.runs.len(), 0);
        self.labels.clear();
        self.seated.clear();
        self.ridden.clear();
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

    /// Empties the bags of a stop on its first use in this search.
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

    /// Adds an entry that can enter a vehicle in the next round.
    #[inline(always)]
    pub(super) fn add_enter(&mut self, stop: usize, entry: Entry) {
        self.enter[stop].insert(entry);
        self.marks.entered.add(stop);
    }

    /// Adds an entry that left a vehicle in this round.
    #[inline(always)]
    pub(super) fn add_left(&mut self, stop: usize, entry: Entry) {
        self.left[stop].insert(entry);
        self.marks.left.add(stop);
    }
}
