//! Trip updates: a message and the present overlay make the next overlay.

use prost::Message;
use trestle_model::ids::{AgencyIdx, RouteIdx, StopIdx, TripIdx};
use trestle_model::{IssueSink, ServiceDate};
use trestle_transit::calendar::{date_at, service_day_start};
use trestle_transit::overlay::{AddedTrip, Overlay, TripState};
use trestle_transit::timetable::Timetable;

use super::added::added_trip;
use super::call_times::{ScheduledCalls, Unusable};
use super::messages::{FeedMessage, TripDescriptor, TripRelationship, TripUpdate};
use crate::error::EngineError;
use crate::index::fuzzy_trip;
use crate::snapshot::Snapshot;

/// How a message is to be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TripUpdateOptions {
    /// Feed that the ids belong to; empty: whichever feed has the trip.
    pub feed_id: String,
    /// The message adds to the earlier ones, whatever its header says (streams).
    pub differential: bool,
    /// Trips without a known id are found by route, direction, date and start time.
    pub fuzzy_trip_matching: bool,
    /// Service days before the day two days ago are forgotten.
    pub purge_expired_data: bool,
    /// The present, epoch seconds.
    pub now: i64,
}

/// What a message did.
#[derive(Debug, Default)]
pub struct TripUpdateReport {
    /// Trip updates in the message.
    pub received: u32,
    /// Trips that run with other times.
    pub updated: u32,
    /// Trips that do not run.
    pub canceled: u32,
    /// Trips that the schedule does not have.
    pub added: u32,
    /// Trips that run over other stops.
    pub modified: u32,
    /// Updates that could not be applied; the issues say why.
    pub rejected: u32,
    /// Entries that were dropped because their day is over.
    pub expired: u32,
    /// When the message was made, epoch seconds.
    pub timestamp: Option<i64>,
    /// Why updates were rejected.
    pub issues: IssueSink,
}

/// Applies a message to the live data of a snapshot. A message that cannot be read changes nothing.
///
/// # Errors
/// `REALTIME_INVALID` for bytes that are no GTFS-Realtime feed, and for a feed id that the graph does not have.
pub fn apply_trip_updates(
    snapshot: &Snapshot,
    bytes: &[u8],
    options: &TripUpdateOptions,
) -> Result<(Overlay, TripUpdateReport), EngineError> {
    let message = read_feed(bytes)?;
    let timetable = &snapshot.graph.timetable;
    if !options.feed_id.is_empty() && timetable.feeds_by_id(&options.feed_id).next().is_none() {
        return Err(EngineError::RealtimeInvalid(format!("the graph has no feed '{}'", options.feed_id)));
    }
    let header = message.header.clone().unwrap_or_default();
    let mut next =
        snapshot.overlay.as_deref().map_or_else(|| Overlay::default().successor(), Overlay::successor);
    if !options.differential && header.incrementality != Some(1) {
        forget_feed(&mut next, timetable, &options.feed_id);
    }
    let mut applying = Applying { snapshot, options, overlay: next, report: TripUpdateReport::default() };
    applying.report.timestamp = header.timestamp.map(|t| t as i64);
    for entity in message.entities {
        let Some(update) = entity.trip_update else { continue };
        applying.report.received += 1;
        applying.entity(&update, entity.is_deleted.unwrap_or(false), entity.id.as_deref().unwrap_or(""));
    }
    if options.purge_expired_data {
        applying.purge();
    }
    Ok((applying.overlay, applying.report))
}

/// Reads a GTFS-Realtime message.
///
/// # Errors
/// `REALTIME_INVALID` for anything else.
pub fn read_feed(bytes: &[u8]) -> Result<FeedMessage, EngineError> {
    let invalid = |reason: String| EngineError::RealtimeInvalid(reason);
    let message =
        FeedMessage::decode(bytes).map_err(|e| invalid(format!("not a GTFS-Realtime message: {e}")))?;
    if message.header.as_ref().and_then(|h| h.version.as_ref()).is_none() {
        return Err(invalid("a GTFS-Realtime message has to have a header with its version".to_owned()));
    }
    Ok(message)
}

fn forget_feed(overlay: &mut Overlay, timetable: &Timetable, feed_id: &str) {
    let is_kept =
        |feed: u32| !feed_id.is_empty() && timetable.feed_id(trestle_model::ids::FeedIdx(feed)) != feed_id;
    overlay.scheduled.retain(|(trip, _), _| is_kept(timetable.feed_of_trip(*trip).0));
    overlay.added.retain(|trip| timetable.routes.feed.get(trip.route.index()).is_some_and(|&f| is_kept(f)));
}

/// Why an update is rejected: the issue's code and its text.
type Rejection = (&'static str, String);

struct Applying<'a> {
    snapshot: &'a Snapshot,
    options: &'a TripUpdateOptions,
    overlay: Overlay,
    report: TripUpdateReport,
}

impl Applying<'_> {
    fn timetable(&self) -> &Timetable {
        &self.snapshot.graph.timetable
    }

    fn entity(&mut self, update: &TripUpdate, deleted: bool, id: &str) {
        let outcome = match &update.trip {
            None => Err(("update-without-trip", "names no trip".to_owned())),
            Some(trip) => self.update(update, trip, deleted),
        };
        if let Err((code, reason)) = outcome {
            self.report.rejected += 1;
            self.report.issues.add(code, "", 0, format!("entity '{id}': {reason}"));
        }
    }

    fn update(
        &mut self,
        update: &TripUpdate,
        descriptor: &TripDescriptor,
        deleted: bool,
    ) -> Result<(), Rejection> {
        let kind = descriptor.kind();
        if kind == TripRelationship::Added {
            return self.add(update, descriptor, deleted);
        }
        let (trip, date) = self.find(update, descriptor)?;
        self.forget(trip, date);
        if deleted {
            return Ok(());
        }
        match kind {
            TripRelationship::Canceled => {
                self.overlay.scheduled.insert((trip, date), TripState::Canceled);
                self.report.canceled += 1;
                Ok(())
            }
            TripRelationship::Modified => self.replace(update, trip, date),
            TripRelationship::Unscheduled => {
                Err(("unscheduled-trip", "frequency trips without times are not followed".to_owned()))
            }
            TripRelationship::Scheduled | TripRelationship::Added => self.retime(update, trip, date),
        }
    }

    /// Drops what was known of a trip on a day.
    fn forget(&mut self, trip: TripIdx, date: ServiceDate) {
        self.overlay.scheduled.remove(&(trip, date));
        self.overlay.added.retain(|added| added.replaces != Some(trip) || added.service_date != date);
    }

    /// New times for a scheduled trip; one that skips calls is replaced by a trip that passes them.
    fn retime(&mut self, update: &TripUpdate, trip: TripIdx, date: ServiceDate) -> Result<(), Rejection> {
        let timetable = self.timetable();
        let pattern = timetable.pattern_of(trip);
        let stops = timetable.patterns.stops(pattern);
        let scheduled = ScheduledCalls {
            calls: timetable.trip_calls(trip),
            stop_ids: stops.iter().map(|&s| timetable.texts.get(timetable.stops.id[s as usize])).collect(),
            day_start: self.day_start(timetable.route_of(pattern), date),
        };
        if let ([], Some(delay)) = (&update.calls[..], update.delay) {
            let times = scheduled.shifted(delay).map_err(|why| self.unusable(why, trip))?;
            self.overlay.scheduled.insert((trip, date), TripState::Updated(times));
            self.report.updated += 1;
            return Ok(());
        }
        let live = scheduled.apply(&update.calls).map_err(|why| self.unusable(why, trip))?;
        if !live.skipped.contains(&true) {
            self.overlay.scheduled.insert((trip, date), TripState::Updated(live.times));
            self.report.updated += 1;
            return Ok(());
        }
        let closed = |kinds: &[u8]| -> Vec<u8> {
            kinds.iter().zip(&live.skipped).map(|(kind, skipped)| if *skipped { 1 } else { *kind }).collect()
        };
        let added = AddedTrip {
            id: timetable.texts.get(timetable.trips.id[trip.index()]).to_owned(),
            route: timetable.route_of(pattern),
            direction: timetable.patterns.direction[pattern.index()],
            service_date: date,
            replaces: Some(trip),
            stops: stops.iter().map(|&s| StopIdx(s)).collect(),
            pickup: closed(timetable.patterns.pickups(pattern)),
            dropoff: closed(timetable.patterns.dropoffs(pattern)),
            headsign: timetable.texts.opt(timetable.trips.headsign[trip.index()]).map(str::to_owned),
            times: live.times,
        };
        self.put_replacement(trip, date, added);
        Ok(())
    }

    /// A scheduled trip over other stops.
    fn replace(&mut self, update: &TripUpdate, trip: TripIdx, date: ServiceDate) -> Result<(), Rejection> {
        let timetable = self.timetable();
        let pattern = timetable.pattern_of(trip);
        let route = timetable.route_of(pattern);
        let feed = timetable.feed_id(timetable.feed_of_trip(trip)).to_owned();
        let added = added_trip(timetable, &feed, &update.calls, self.day_start(route, date))?;
        let added = AddedTrip {
            id: timetable.texts.get(timetable.trips.id[trip.index()]).to_owned(),
            route,
            direction: timetable.patterns.direction[pattern.index()],
            service_date: date,
            replaces: Some(trip),
            headsign: timetable.texts.opt(timetable.trips.headsign[trip.index()]).map(str::to_owned),
            ..added
        };
        self.put_replacement(trip, date, added);
        Ok(())
    }

    fn put_replacement(&mut self, trip: TripIdx, date: ServiceDate, added: AddedTrip) {
        self.overlay.scheduled.insert((trip, date), TripState::Modified);
        self.overlay.added.push(added);
        self.report.modified += 1;
    }

    /// A trip that the schedule does not have. Its route has to be known.
    fn add(
        &mut self,
        update: &TripUpdate,
        descriptor: &TripDescriptor,
        deleted: bool,
    ) -> Result<(), Rejection> {
        let id = descriptor.trip_id.clone().unwrap_or_default();
        let date = match &descriptor.start_date {
            Some(text) => parse_date(text)?,
            None => date_at(self.options.now, &self.snapshot.zone),
        };
        self.overlay.added.retain(|a| a.replaces.is_some() || a.id != id || a.service_date != date);
        if deleted {
            return Ok(());
        }
        let route_id = descriptor.route_id.as_deref().unwrap_or("");
        let (feed, route) = self.route(route_id).ok_or_else(|| {
            ("added-trip-without-route", format!("trip '{id}' has no known route ('{route_id}')"))
        })?;
        let added = added_trip(self.timetable(), &feed, &update.calls, self.day_start(route, date))?;
        let direction = descriptor.direction_id.map_or(-1, |d| d as i32);
        self.overlay.added.push(AddedTrip { id, route, direction, service_date: date, ..added });
        self.report.added += 1;
        Ok(())
    }

    /// The trip and service day that an update is about.
    fn find(
        &self,
        update: &TripUpdate,
        descriptor: &TripDescriptor,
    ) -> Result<(TripIdx, ServiceDate), Rejection> {
        let id = descriptor.trip_id.as_deref().unwrap_or("");
        let found = self.feeds().find_map(|feed| self.timetable().trip_by_id(&format!("{feed}:{id}")));
        match (found, &descriptor.start_date) {
            (Some(trip), Some(date)) => Ok((trip, parse_date(date)?)),
            (Some(trip), None) => Ok((trip, self.nearest_day(update, trip))),
            (None, _) if self.options.fuzzy_trip_matching => self.find_fuzzily(descriptor),
            (None, _) => Err(("unknown-trip", format!("trip '{id}' is not in the schedule"))),
        }
    }

    /// By route, direction, service day and first departure; a trip after midnight belongs to the day before.
    fn find_fuzzily(&self, descriptor: &TripDescriptor) -> Result<(TripIdx, ServiceDate), Rejection> {
        let vague = || ("vague-trip", "needs route_id, direction_id, start_date and start_time".to_owned());
        let route_id = descriptor.route_id.as_deref().ok_or_else(vague)?;
        let direction = descriptor.direction_id.ok_or_else(vague)? as i32;
        let date = parse_date(descriptor.start_date.as_deref().ok_or_else(vague)?)?;
        let time = descriptor.start_time.as_deref().and_then(seconds_of_day).ok_or_else(vague)?;
        let unknown = || ("unknown-trip", format!("no trip of route '{route_id}' starts then"));
        let (_, route) = self.route(route_id).ok_or_else(unknown)?;
        [(date, time), (date.plus(-1), time + 86_400)]
            .into_iter()
            .find_map(|(day, start)| {
                fuzzy_trip(self.snapshot, route.0, direction, day, start).map(|trip| (trip, day))
            })
            .ok_or_else(unknown)
    }

    /// The day, of those around the present, on which the trip runs nearest to the times of the update.
    fn nearest_day(&self, update: &TripUpdate, trip: TripIdx) -> ServiceDate {
        let timetable = self.timetable();
        let today = date_at(self.options.now, &self.snapshot.zone);
        let service = trestle_model::ids::ServiceIdx(timetable.trips.service[trip.index()]);
        let days = [today, today.plus(-1), today.plus(1)];
        let running = days.into_iter().filter(|day| timetable.services.runs_on(service, *day));
        let event = |u: &super::messages::StopTimeUpdate| u.departure.or(u.arrival).and_then(|e| e.time);
        let moment = update.calls.iter().find_map(event).unwrap_or(self.options.now);
        let start = timetable.trip_calls(trip).first_departure().unwrap_or(0);
        let route = timetable.route_of(timetable.pattern_of(trip));
        let distance = |day: &ServiceDate| (self.day_start(route, *day) + i64::from(start) - moment).abs();
        running.min_by_key(distance).unwrap_or(today)
    }

    /// Feeds whose ids the message uses.
    fn feeds(&self) -> impl Iterator<Item = &str> {
        let timetable = self.timetable();
        let all =
            (0..timetable.feeds.id.len()).map(|f| timetable.feed_id(trestle_model::ids::FeedIdx::from(f)));
        all.filter(|id| self.options.feed_id.is_empty() || *id == self.options.feed_id)
    }

    fn route(&self, id: &str) -> Option<(String, RouteIdx)> {
        self.feeds().find_map(|feed| {
            self.timetable().route_by_id(&format!("{feed}:{id}")).map(|route| (feed.to_owned(), route))
        })
    }

    fn day_start(&self, route: RouteIdx, date: ServiceDate) -> i64 {
        let agency = self.timetable().routes.agency.get(route.index());
        let agency = agency.map_or(AgencyIdx::NONE, |&agency| AgencyIdx(agency));
        service_day_start(date, &self.snapshot.catalog.zone(self.timetable(), agency))
    }

    fn unusable(&self, why: Unusable, trip: TripIdx) -> Rejection {
        let id = self.timetable().trip_id(trip);
        match why {
            Unusable::UnknownCall => {
                ("unknown-call", format!("trip {id}: a call is not in the schedule or not in order"))
            }
            Unusable::TimesDecrease => {
                ("times-decrease", format!("trip {id}: the vehicle would go back in time"))
            }
            Unusable::FarFromSchedule => {
                ("far-from-schedule", format!("trip {id}: a time is days away from the schedule"))
            }
            Unusable::EmptyEvent => {
                ("empty-event", format!("trip {id}: an event has neither a delay nor a time"))
            }
        }
    }

    fn purge(&mut self) {
        let first = date_at(self.options.now, &self.snapshot.zone).plus(-2);
        let before = self.overlay.scheduled.len() + self.overlay.added.len();
        self.overlay.scheduled.retain(|(_, date), _| *date >= first);
        self.overlay.added.retain(|trip| trip.service_date >= first);
        let after = self.overlay.scheduled.len() + self.overlay.added.len();
        self.report.expired = (before - after) as u32;
    }
}

fn parse_date(text: &str) -> Result<ServiceDate, Rejection> {
    ServiceDate::parse_compact(text)
        .ok_or_else(|| ("bad-start-date", format!("'{text}' is not a date YYYYMMDD")))
}

/// Seconds of `HH:MM:SS`.
fn seconds_of_day(text: &str) -> Option<i32> {
    let mut parts = text.split(':').map(|part| part.trim().parse::<i32>().ok());
    let [hours, minutes, seconds] = [parts.next()??, parts.next()??, parts.next()??];
    let valid = (0..100).contains(&hours) && (0..60).contains(&minutes) && (0..60).contains(&seconds);
    (valid && parts.next().is_none()).then_some(hours * 3600 + minutes * 60 + seconds)
}
