//! The schedule while modifications are applied to it.

use rustc_hash::FxHashSet;
use trestle_model::ids::{PatternIdx, TripIdx};

use super::new_entities::NewEntities;
use crate::gtfs::TripFacts;
use crate::timetable::{Frequency, Timetable, TransferRule};

/// The shape of a pattern of the schedule between two of its calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct HopShape {
    pub(super) pattern: PatternIdx,
    /// Positions in the pattern.
    pub(super) from: usize,
    pub(super) to: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct DraftCall {
    pub(super) stop: u32,
    pub(super) pickup: u8,
    pub(super) dropoff: u8,
    pub(super) arrival: i32,
    pub(super) departure: i32,
    pub(super) sequence: u32,
    pub(super) timepoint: u8,
    /// stop_headsign text.
    pub(super) headsign: u32,
    /// Shape to the next call; a straight line when absent.
    pub(super) shape: Option<HopShape>,
}

/// A trip that differs from the schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct DraftTrip {
    /// The trip of the schedule that it replaces.
    pub(super) original: Option<TripIdx>,
    /// Riders may stay seated before and after it, as they may on the original.
    pub(super) keeps_block: bool,
    pub(super) route: u32,
    pub(super) direction: i32,
    /// Texts are indices of the draft.
    pub(super) facts: TripFacts,
    pub(super) calls: Vec<DraftCall>,
    pub(super) frequencies: Vec<Frequency>,
}

/// The base timetable and the changes to it.
pub(super) struct Draft<'a> {
    pub(super) base: &'a Timetable,
    /// Trips of the base that were taken out.
    pub(super) out: FxHashSet<TripIdx>,
    /// Trips that replace them, and new ones.
    pub(super) trips: Vec<DraftTrip>,
    pub(super) new: NewEntities<'a>,
    /// Additional rules of transfers.txt.
    pub(super) rules: Vec<TransferRule>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(base: &'a Timetable) -> Self {
        Draft {
            base,
            out: FxHashSet::default(),
            trips: Vec::new(),
            new: NewEntities::new(base),
            rules: Vec::new(),
        }
    }

    /// Whether a trip of the base is unchanged.
    pub(super) fn is_untouched(&self, trip: TripIdx) -> bool {
        !self.out.contains(&trip)
    }

    /// Takes a trip out of the schedule and returns a draft of it.
    pub(super) fn take_out(&mut self, trip: TripIdx) -> DraftTrip {
        self.out.insert(trip);
        let base = self.base;
        let (pattern, trips, i) = (base.pattern_of(trip), &base.trips, trip.index());
        let facts = TripFacts {
            id: trips.id[i],
            service: trips.service[i],
            headsign: trips.headsign[i],
            short_name: trips.short_name[i],
            route_short_name: trips.route_short_name[i],
            block: trips.block[i],
            shape: trips.shape[i],
            fare: trips.fare[i],
            wheelchair: trips.wheelchair[i],
            bikes_allowed: trips.bikes_allowed[i],
            trip_bikes_allowed: trips.trip_bikes_allowed[i],
            row: trips.row[i],
        };
        DraftTrip {
            original: Some(trip),
            keeps_block: true,
            route: base.patterns.route[pattern.index()],
            direction: base.patterns.direction[pattern.index()],
            facts,
            calls: calls(base, trip, pattern),
            frequencies: trips.frequencies_of(trip).to_vec(),
        }
    }

    /// Puts a trip back that was taken out. An unchanged trip keeps its place in the schedule.
    pub(super) fn put_back(&mut self, trip: DraftTrip) {
        match trip.original {
            Some(original) if self.take_out(original) == trip => drop(self.out.remove(&original)),
            _ => self.trips.push(trip),
        }
    }
}

fn calls(base: &Timetable, trip: TripIdx, pattern: PatternIdx) -> Vec<DraftCall> {
    let times = base.trip_calls(trip);
    let stops = base.patterns.stops(pattern);
    let (pickups, dropoffs) = (base.patterns.pickups(pattern), base.patterns.dropoffs(pattern));
    let has_shape = base.patterns.has_shape[pattern.index()] == 1;
    (0..stops.len())
        .map(|at| DraftCall {
            stop: stops[at],
            pickup: pickups[at],
            dropoff: dropoffs[at],
            arrival: times.arrival(at),
            departure: times.departure(at),
            sequence: times.sequences[at],
            timepoint: times.timepoints[at],
            headsign: times.headsigns.map_or(0, |texts| texts[at]),
            shape: (has_shape && at + 1 < stops.len()).then_some(HopShape { pattern, from: at, to: at + 1 }),
        })
        .collect()
}
