//! Adds trips with a new sequence of stops.

use trestle_model::geo::distance_m;

use super::draft::{Draft, DraftCall, DraftTrip};
use super::edit_trips::Changed;
use super::modification::{
    AddedPattern, HopTimes, PatternDays, PatternRoute, PatternStarts, PatternStop, PatternTimetable,
};
use super::selection::boardable_stop;
use crate::gtfs::{TripFacts, mode_of};
use crate::timetable::{Frequency, LAST_SECOND};

/// Largest number of trips that one modification may add.
const MAX_TRIPS: usize = 10_000;

pub(super) fn add(draft: &mut Draft<'_>, pattern: &AddedPattern) -> Changed {
    let trips: usize = pattern
        .timetables
        .iter()
        .map(|t| match &t.starts {
            PatternStarts::At(starts) => starts.len(),
            PatternStarts::Every { .. } => 1,
        })
        .sum();
    if trips > MAX_TRIPS {
        return Err(format!("adds {trips} trips, but at most {MAX_TRIPS} are allowed"));
    }
    if pattern.stops.len() < 2 {
        return Err("needs at least two stops".to_owned());
    }
    let route = route(draft, &pattern.route)?;
    let feed = match (route as usize).checked_sub(draft.base.routes.id.len()) {
        Some(own) => draft.new.routes[own].feed,
        None => draft.base.routes.feed[route as usize],
    };
    let stops =
        pattern.stops.iter().map(|stop| self::stop(draft, feed, stop)).collect::<Result<Vec<_>, _>>()?;
    let headsign = match &pattern.headsign {
        Some(text) => draft.new.text(text),
        None => draft.new.stop_name(stops[stops.len() - 1]),
    };
    let common = CommonValues { route, direction: pattern.direction, headsign, feed, stops };
    let before = draft.trips.len();
    let added = pattern.timetables.iter().try_for_each(|timetable| common.add_trips(draft, timetable));
    if added.is_err() {
        draft.trips.truncate(before);
    }
    added.map(|()| trips)
}

fn route(draft: &mut Draft<'_>, route: &PatternRoute) -> Result<u32, String> {
    match route {
        PatternRoute::Known(id) => {
            draft.base.route_by_id(id).map(|route| route.0).ok_or_else(|| format!("unknown route '{id}'"))
        }
        PatternRoute::New { name, route_type, agency } => {
            let mode = mode_of(*route_type)
                .filter(|mode| mode.is_transit())
                .ok_or("unknown route type".to_owned())?;
            let agency = match agency {
                None => 0,
                Some(outer) => {
                    let found =
                        outer.split_once(':').and_then(|(feed, id)| draft.base.agency_by_id(feed, id));
                    found.ok_or_else(|| format!("unknown agency '{outer}'"))?.0
                }
            };
            Ok(draft.new.route(agency, name, *route_type, mode))
        }
    }
}

fn stop(draft: &mut Draft<'_>, feed: u32, stop: &PatternStop) -> Result<u32, String> {
    match stop {
        PatternStop::Known(id) => boardable_stop(draft.base, id).map(|stop| stop.0),
        PatternStop::New { position, name } => Ok(draft.new.stop(feed, name, *position)),
    }
}

/// What all trips of an added pattern have in common.
struct CommonValues {
    route: u32,
    direction: i32,
    headsign: u32,
    feed: u32,
    stops: Vec<u32>,
}

impl CommonValues {
    fn add_trips(&self, draft: &mut Draft<'_>, timetable: &PatternTimetable) -> Result<(), String> {
        let service = self.service(draft, &timetable.days)?;
        let offsets = self.offsets(draft, timetable)?;
        let (starts, frequencies) = match &timetable.starts {
            PatternStarts::At(starts) => (starts.clone(), Vec::new()),
            PatternStarts::Every { headway, start, end } => {
                if start >= end {
                    return Err("endTime: must be after startTime".to_owned());
                }
                (vec![*start], vec![Frequency { start: *start, end: *end, headway: *headway, exact: 0 }])
            }
        };
        let (first, last) = (starts.iter().min().copied(), starts.iter().max().copied());
        let end = last.unwrap_or(0).saturating_add(offsets.last().map_or(0, |offset| offset.1));
        if first.is_some_and(|first| first < 0) || end > LAST_SECOND {
            return Err(format!("runs before 0:00:00 or later than {}:00:00", LAST_SECOND / 3600));
        }
        for start in starts {
            let facts = TripFacts {
                id: draft.new.trip_id(),
                service,
                headsign: self.headsign,
                ..TripFacts::default()
            };
            let calls =
                (0u32..).zip(self.stops.iter().zip(&offsets)).map(|(at, (&stop, offset))| DraftCall {
                    stop,
                    pickup: 0,
                    dropoff: 0,
                    arrival: start + offset.0,
                    departure: start + offset.1,
                    sequence: at + 1,
                    timepoint: 0,
                    headsign: 0,
                    shape: None,
                });
            draft.trips.push(DraftTrip {
                original: None,
                keeps_block: false,
                route: self.route,
                direction: self.direction,
                facts,
                calls: calls.collect(),
                frequencies: frequencies.clone(),
            });
        }
        Ok(())
    }

    fn service(&self, draft: &mut Draft<'_>, days: &PatternDays) -> Result<u32, String> {
        match days {
            PatternDays::Service(id) => {
                let known = draft.base.service_by_id(id).map(|service| service.0);
                known.ok_or_else(|| format!("unknown service '{id}'"))
            }
            PatternDays::Weekdays(days) => {
                let service = draft.new.service(self.feed, *days);
                service.ok_or_else(|| "the schedule has no days on which trips could run".to_owned())
            }
        }
    }

    /// Arrival at and departure from each stop, seconds after the first departure.
    fn offsets(&self, draft: &Draft<'_>, timetable: &PatternTimetable) -> Result<Vec<(i32, i32)>, String> {
        let hops = self.stops.len() - 1;
        let seconds: Vec<i32> = match &timetable.hops {
            HopTimes::Seconds(seconds) => seconds.clone(),
            HopTimes::Speed(speed) => {
                let position = |stop: u32| draft.new.stop_position(stop);
                let meters = self.stops.windows(2).map(|hop| distance_m(position(hop[0]), position(hop[1])));
                meters.map(|meters| (meters / speed.max(0.1)).ceil() as i32).collect()
            }
        };
        if seconds.len() != hops {
            return Err(format!("hopTimes: {} are given for {hops} hops", seconds.len()));
        }
        let dwells = &timetable.dwells;
        if !dwells.is_empty() && dwells.len() != self.stops.len() {
            return Err(format!("dwellTimes: {} are given for {} stops", dwells.len(), self.stops.len()));
        }
        // The first departure is time 0, no matter how long the vehicle stands at the first stop.
        let mut clock = 0i32;
        let mut offsets = vec![(0, 0)];
        for at in 1..self.stops.len() {
            let arrival = clock.saturating_add(seconds[at - 1]);
            clock = arrival.saturating_add(dwells.get(at).copied().unwrap_or(0));
            offsets.push((arrival, clock));
        }
        Ok(offsets)
    }
}
