//! Searches from a place to every stop over arrival time and generalized cost, for isochrones and surfaces of one
//! departure. A path that is later and more expensive than another at a stop is dropped even if it would wait less
//! afterwards, as in the reference, whose isochrones clients know.

use super::active_service::{ActiveService, NONE};
use super::costs::Costs;
use super::filters::Filters;
use super::label_setting::NoStreets;
use super::labels::{Entry, Interest, Label, LabelKind};
use super::mc_raptor::{McRaptor, McRaptorQuery};
use super::memory::Memory;
use super::plan::TransitScratch;
use super::query::{OneToAllQuery, StreetWalk};
use super::transit_data::TransitData;
use super::verdicts::has_preferred;
use crate::timetable::Timetable;
use trestle_model::ids::StopIdx;
use trestle_model::{Backward, Directed, Direction, Forward};

/// A path to a stop, having left a vehicle there (backward: about to board one).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StopArrival {
    pub stop: StopIdx,
    /// Seconds between the requested time and being at the stop.
    pub seconds: i32,
    /// Seconds of that spent waiting for the first vehicle (backward: after the last one).
    pub initial_wait: i32,
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

/// The streets after vehicles, on which riders walk farther than along the prepared transfers.
pub trait StreetsAfter {
    /// Walks to other stops from stops that are now reached for a lower cost, by these arrivals; `None` if the search must
    /// stop.
    fn walk_on(&mut self, cheaper: &[StopArrival]) -> Option<Vec<StreetWalk>>;
}

impl StreetsAfter for NoStreets {
    fn walk_on(&mut self, _cheaper: &[StopArrival]) -> Option<Vec<StreetWalk>> {
        Some(Vec::new())
    }
}

/// Finds the cheapest path by transit to every stop. Between vehicles, riders take the prepared transfers, and where
/// none leads to a stop, walk there on the streets.
pub fn one_to_all(
    timetable: &Timetable,
    service: &ActiveService,
    query: &OneToAllQuery<'_>,
    streets: &mut impl StreetsAfter,
    scratch: &mut TransitScratch,
) -> OneToAllAnswer {
    match query.request.direction {
        Direction::Forward => search_in::<Forward>(timetable, service, query, streets, scratch),
        Direction::Backward => search_in::<Backward>(timetable, service, query, streets, scratch),
    }
}

fn search_in<D: Directed>(
    timetable: &Timetable,
    service: &ActiveService,
    query: &OneToAllQuery<'_>,
    streets: &mut impl StreetsAfter,
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
        McRaptorQuery { data, costs: &costs, near: query.near, far: &[], start, interrupted: &interrupted };
    let filters = Filters::new(&data, query.request);
    let mut raptor = McRaptor {
        latest: start.saturating_add(query.max_seconds),
        ..McRaptor::new(search, filters, bounds, memory)
    };
    let reader = LabelReader { service, costs: &costs, start };
    let mut goes_on = raptor.run::<D>(Interest::All, &[]).is_ok();
    let mut stops = reader.describe_all::<D>(raptor.memory, raptor.memory.cheapest_left());
    let mut cheaper = stops.clone();
    while goes_on && !cheaper.is_empty() {
        goes_on = streets.walk_on(&cheaper).is_some_and(|walks| raptor.walk_on::<D>(&walks).is_ok());
        let before = stops;
        stops = reader.describe_all::<D>(raptor.memory, raptor.memory.cheapest_left());
        let is_cheaper =
            |now: &StopArrival| arrival_at(&before, now.stop).is_none_or(|before| now.cost < before.cost);
        cheaper = stops.iter().copied().filter(is_cheaper).collect();
    }
    let earliest = reader.describe_all::<D>(memory, memory.earliest_left());
    OneToAllAnswer { stops, earliest, stopped: !goes_on }
}

/// The arrival at a stop among arrivals in the order of their stops.
fn arrival_at(arrivals: &[StopArrival], stop: StopIdx) -> Option<&StopArrival> {
    let at = arrivals.binary_search_by_key(&stop, |arrival| arrival.stop).ok()?;
    arrivals.get(at)
}

struct LabelReader<'a> {
    service: &'a ActiveService,
    costs: &'a Costs,
    start: i32,
}

impl LabelReader<'_> {
    fn describe_all<D: Directed>(
        &self,
        memory: &Memory,
        entries: impl Iterator<Item = (StopIdx, Entry)>,
    ) -> Vec<StopArrival> {
        entries.map(|(stop, entry)| self.describe::<D>(&memory.labels, stop, &entry)).collect()
    }

    fn describe<D: Directed>(&self, labels: &[Label], stop: StopIdx, entry: &Entry) -> StopArrival {
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
            let label = &labels[next as usize];
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
    fn entered<D: Directed>(&self, run: usize, position: usize, shift: i32) -> i32 {
        if D::is_backward() {
            -self.service.arrival(run, position, shift)
        } else {
            self.service.departure(run, position, shift)
        }
    }
}
