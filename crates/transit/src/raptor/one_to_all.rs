//! Searches from a place to every stop over arrival time and generalized cost, for isochrones and surfaces of one
//! departure. A path that is later and more expensive than another at a stop is dropped even if it would wait less
//! afterwards, as in the reference, whose isochrones clients know.

use super::active_service::{ActiveService, NONE};
use super::costs::Costs;
use super::direction::{Backward, Direction, Forward};
use super::filters::Filters;
use super::labels::{Entry, Interest, Label, LabelKind};
use super::plan::TransitScratch;
use super::query::OneToAllQuery;
use super::rounds::{Rounds, RoundsQuery};
use super::transit_data::TransitData;
use super::verdicts::has_preferred;
use crate::timetable::Timetable;
use trestle_model::ids::StopIdx;

/// A path to a stop, having left a vehicle there (with `arrive_by`: about to board one).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StopArrival {
    /// Stop.
    pub stop: StopIdx,
    /// Seconds between the requested time and being at the stop.
    pub seconds: i32,
    /// Seconds of that spent waiting for the first vehicle (with `arrive_by`: after the last one).
    pub initial_wait: i32,
    /// Generalized cost.
    pub cost: f64,
    /// Vehicles boarded.
    pub boardings: u32,
    /// Index into the query's `near`.
    pub endpoint: usize,
    /// Seconds of walking between stops.
    pub transfer_seconds: i32,
}

/// Answer of [`one_to_all`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OneToAllAnswer {
    /// The cheapest path to each stop that can be reached, by stop.
    pub stops: Vec<StopArrival>,
    /// The earliest path to each of these stops, by stop.
    pub earliest: Vec<StopArrival>,
    /// Whether the search was stopped before its end.
    pub stopped: bool,
}

/// Finds the cheapest path by transit to every stop.
pub fn one_to_all(
    timetable: &Timetable,
    service: &ActiveService,
    query: &OneToAllQuery<'_>,
    scratch: &mut TransitScratch,
) -> OneToAllAnswer {
    if query.request.arrive_by {
        search_in::<Backward>(timetable, service, query, scratch)
    } else {
        search_in::<Forward>(timetable, service, query, scratch)
    }
}

fn search_in<D: Direction>(
    timetable: &Timetable,
    service: &ActiveService,
    query: &OneToAllQuery<'_>,
    scratch: &mut TransitScratch,
) -> OneToAllAnswer {
    let TransitScratch { memory, bounds, walks, .. } = scratch;
    walks.prepare(timetable, service, query.request);
    bounds.open(service);
    let data = TransitData { timetable, service, walks };
    let costs = Costs { reduction: 0, ..Costs::new::<D>(query.request, has_preferred(timetable)) };
    let start = D::key(service.time_of(query.request.epoch_seconds));
    let interrupted = |_| (query.interrupted)();
    let search =
        RoundsQuery { data, costs: &costs, near: query.near, far: &[], start, interrupted: &interrupted };
    let filters = Filters::new(&data, query.request);
    let mut rounds = Rounds {
        latest: start.saturating_add(query.max_seconds),
        ..Rounds::new(search, filters, bounds, memory)
    };
    let stopped = rounds.run::<D>(Interest::All, &[]).is_err();
    let reader = LabelReader { labels: &memory.labels, service, costs: &costs, start };
    let stops = memory.cheapest_left().map(|(stop, entry)| reader.describe::<D>(stop, &entry)).collect();
    let earliest = memory.earliest_left().map(|(stop, entry)| reader.describe::<D>(stop, &entry)).collect();
    OneToAllAnswer { stops, earliest, stopped }
}

struct LabelReader<'a> {
    labels: &'a [Label],
    service: &'a ActiveService,
    costs: &'a Costs,
    start: i32,
}

impl LabelReader<'_> {
    fn describe<D: Direction>(&self, stop: StopIdx, entry: &Entry) -> StopArrival {
        let mut arrival = StopArrival {
            stop,
            seconds: entry.time - self.start,
            initial_wait: 0,
            cost: f64::from(entry.reduced_cost + self.costs.reduction * (entry.time - self.start)) / 100.0,
            boardings: 0,
            endpoint: 0,
            transfer_seconds: 0,
        };
        let mut first_ride = None;
        let mut next = entry.label;
        while next != NONE {
            let label = &self.labels[next as usize];
            match label.kind {
                LabelKind::Walk { seconds } => arrival.transfer_seconds += seconds,
                LabelKind::Ride { run, shift, entered, seated, .. } => {
                    arrival.boardings += u32::from(!seated);
                    first_ride = Some((run as usize, entered as usize, shift));
                }
                LabelKind::Endpoint(index) => {
                    arrival.endpoint = index as usize;
                    let ready = label.time + self.costs.first_slack;
                    let wait = |(run, entered, shift)| self.entered::<D>(run, entered, shift) - ready;
                    arrival.initial_wait = first_ride.map_or(0, wait);
                }
                LabelKind::OnBoard => {}
            }
            next = label.parent;
        }
        arrival
    }

    /// When a run is entered at a position (key).
    fn entered<D: Direction>(&self, run: usize, position: usize, shift: i32) -> i32 {
        if D::FORWARD {
            self.service.departure(run, position, shift)
        } else {
            -self.service.arrival(run, position, shift)
        }
    }
}
