//! Trip updates: a message applied to the present overlay makes the next one.

use rustc_hash::FxHashMap;
use trestle_model::ServiceDate;
use trestle_model::ids::{AgencyIdx, RouteIdx, StopIdx, TripIdx};
use trestle_transit::overlay::{AddedTrip, LiveTimes, Overlay, TripState};
use trestle_transit::timetable::Timetable;

use super::added::added_trip;
use super::addressing::{Addressed, Addressing, parse_date, parse_time};
use super::assigned_stops::assigned_stop;
use super::call_times::{LiveCalls, ScheduledCalls};
use super::live_transfers::live_transfers;
use super::messages::{TripDescriptor, TripRelationship, TripUpdate, read_feed};
use super::rejections::{Rejection, Unusable, shortened};
use super::shapes::{Shape, shapes_of};
use super::trip_update_options::TripUpdateOptions;
use super::trip_update_report::TripUpdateReport;
use super::unread::UnreadEntities;
use crate::error::EngineError;
use crate::snapshot::Snapshot;

/// Applies a message to the live data of a snapshot. A message that cannot be read changes nothing.
///
/// # Errors
/// `REALTIME_INVALID` for bytes that are not a GTFS-Realtime feed, and for a feed id that the graph does not have.
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
        // Without a feed id, the message is about all feeds. The data of other sources stays.
        next.retain(timetable, |route, _, source| {
            source != options.source
                || !options.feed_id.is_empty()
                    && timetable.feed_id(timetable.feed_of_route(route)) != options.feed_id
        });
    }
    let addressing = Addressing { snapshot, options };
    let mut known_added: FxHashMap<String, Vec<(RouteIdx, ServiceDate)>> = FxHashMap::default();
    for added in next.added.iter().filter(|added| added.replaces.is_none()) {
        known_added.entry(added.id.clone()).or_default().push((added.route, added.service_date));
    }
    let report = TripUpdateReport::default();
    let shapes = shapes_of(&message.entities);
    let mut applying = Applying { addressing, overlay: next, known_added, shapes, report };
    applying.report.timestamp = header.timestamp.map(|t| t as i64);
    UnreadEntities::count(&message.entities, &applying.shapes).add_issue(&mut applying.report.issues);
    for entity in message.entities {
        let Some(mut update) = entity.trip_update else { continue };
        let id = entity.id.as_deref().unwrap_or("");
        applying.report.received += 1;
        let empty = update.leave_out_empty_events();
        if applying.entity(&update, entity.is_deleted.unwrap_or(false), id) && empty > 0 {
            let reason =
                format!("entity '{id}': calls whose events have neither a delay nor a time: {empty}");
            applying.report.issues.add("empty-event", "", 0, shortened(reason));
        }
    }
    if options.purge_expired_data {
        applying.purge();
    }
    applying.overlay.transfers = live_transfers(snapshot, &applying.overlay);
    Ok((applying.overlay, applying.report))
}

struct Applying<'a> {
    addressing: Addressing<'a>,
    overlay: Overlay,
    /// Routes and days of the overlay's trips that the schedule does not have, by id.
    known_added: FxHashMap<String, Vec<(RouteIdx, ServiceDate)>>,
    /// The shapes of the message.
    shapes: FxHashMap<String, Shape>,
    report: TripUpdateReport,
}

/// What an update makes of a scheduled trip or of a run of a frequency trip.
enum Outcome {
    Canceled,
    Deleted,
    Updated(LiveTimes),
    Replaced(Box<AddedTrip>),
}

impl Outcome {
    fn replaced(by: AddedTrip) -> Outcome {
        Outcome::Replaced(Box::new(by))
    }
}

impl Applying<'_> {
    fn timetable(&self) -> &Timetable {
        &self.addressing.snapshot.graph.timetable
    }

    /// Applies an entity; returns false if it is rejected.
    fn entity(&mut self, update: &TripUpdate, deleted: bool, id: &str) -> bool {
        let applied = match &update.trip {
            None => Err(("update-without-trip", "names no trip".to_owned())),
            Some(trip) => self.update(update, trip, deleted),
        };
        let Err((code, reason)) = applied else { return true };
        self.report.rejected += 1;
        self.report.issues.add(code, "", 0, shortened(format!("entity '{id}': {reason}")));
        false
    }

    fn update(
        &mut self,
        update: &TripUpdate,
        descriptor: &TripDescriptor,
        deleted: bool,
    ) -> Result<(), Rejection> {
        let unknown =
            |number| ("unknown-relationship", format!("schedule_relationship {number} is not supported"));
        let kind = descriptor.kind().map_err(unknown)?;
        if descriptor.modified_trip.is_some() && descriptor.trip_id.is_none() {
            let reason = "is about a trip of TripModifications, which are not read".to_owned();
            return Err(("modified-trip", reason));
        }
        match kind {
            TripRelationship::Added => return self.add(update, descriptor, deleted),
            TripRelationship::Duplicated => return self.copy(update, descriptor, deleted),
            _ => {}
        }
        let about = match self.addressing.find(update, descriptor) {
            Err(_) if kind.is_off() && self.cancel_added(descriptor)? => return Ok(()),
            found => found?,
        };
        if deleted {
            self.forget(&about);
            return Ok(());
        }
        let outcome = match kind {
            TripRelationship::Canceled => Outcome::Canceled,
            TripRelationship::Deleted => Outcome::Deleted,
            _ => self.running(update, kind, &about)?,
        };
        self.put(about, outcome);
        Ok(())
    }

    /// Applies an update to a trip that runs.
    fn running(
        &self,
        update: &TripUpdate,
        kind: TripRelationship,
        about: &Addressed,
    ) -> Result<Outcome, Rejection> {
        let id = || self.timetable().trip_id(about.trip);
        let by_frequency = self.timetable().trips.runs_by_frequency(about.trip);
        if by_frequency && about.run.is_none() {
            let reason = format!("trip {} runs by frequency: start_time must be that of a run", id());
            return Err(("frequency-without-start-time", reason));
        }
        match kind {
            TripRelationship::Modified => self.rerouted(update, about).map(Outcome::replaced),
            TripRelationship::Unscheduled if !by_frequency => {
                Err(("unscheduled-trip", format!("trip {} has a schedule", id())))
            }
            _ => self.retimed(update, about),
        }
    }

    /// Forgets what was known of a trip on a day, or of one of its runs.
    fn forget(&mut self, about: &Addressed) {
        let key = (about.trip, about.date);
        let mut gone = Vec::new();
        if let Some(run) = about.run {
            let runs = self.overlay.runs.entry(key).or_default();
            gone.extend(runs.remove(&run));
            if runs.is_empty() {
                self.overlay.runs.remove(&key);
            }
        } else {
            gone.extend(self.overlay.scheduled.remove(&key));
            gone.extend(self.overlay.runs.remove(&key).into_iter().flat_map(|runs| runs.into_values()));
        }
        if !self.overlay.scheduled.contains_key(&key) && !self.overlay.runs.contains_key(&key) {
            self.overlay.sources.remove(&key);
        }
        // The list is searched only if it has to be, because a message may have a hundred thousand trips.
        if gone.contains(&TripState::Modified) {
            let is_of_trip =
                |added: &AddedTrip| added.replaces == Some(about.trip) && added.service_date == about.date;
            let is_of_run = |added: &AddedTrip| about.run.is_none() || added.run == about.run;
            self.overlay.added.retain(|added| !(is_of_trip(added) && is_of_run(added)));
        }
    }

    /// Replaces what was known of a trip or run.
    fn put(&mut self, about: Addressed, outcome: Outcome) {
        self.forget(&about);
        let state = match outcome {
            Outcome::Canceled => {
                self.report.canceled += 1;
                TripState::Canceled
            }
            Outcome::Deleted => {
                self.report.canceled += 1;
                TripState::Deleted
            }
            Outcome::Updated(times) => {
                self.report.updated += 1;
                TripState::Updated(times)
            }
            Outcome::Replaced(added) => {
                self.overlay.added.push(*added);
                self.report.modified += 1;
                TripState::Modified
            }
        };
        let key = (about.trip, about.date);
        match self.addressing.options.source {
            0 => _ = self.overlay.sources.remove(&key),
            source => _ = self.overlay.sources.insert(key, source),
        }
        match about.run {
            Some(run) => _ = self.overlay.runs.entry(key).or_default().insert(run, state),
            None => _ = self.overlay.scheduled.insert(key, state),
        }
    }

    /// New times for a scheduled trip or run; if it skips calls or makes some at other stops, it is replaced by a trip that
    /// does.
    fn retimed(&self, update: &TripUpdate, about: &Addressed) -> Result<Outcome, Rejection> {
        let timetable = self.timetable();
        let scheduled = self.scheduled_calls(about);
        let shape = self.shape_of(update);
        let mut live = match (&update.calls[..], update.delay) {
            ([], Some(delay)) if shape.is_none() => {
                let times = scheduled.shifted(delay).map_err(|why| self.unusable(why, about.trip))?;
                return Ok(Outcome::Updated(times));
            }
            ([], None) if shape.is_none() => {
                let id = timetable.trip_id(about.trip);
                return Err(("empty-update", format!("trip {id}: has neither a delay nor calls")));
            }
            (calls, delay) => scheduled.apply(calls, delay).map_err(|why| self.unusable(why, about.trip))?,
        };
        live.leave_out_scheduled(timetable, about.trip);
        if live.are_scheduled() && shape.is_none() {
            return Ok(Outcome::Updated(live.times));
        }
        self.with_calls(live, self.replacement(update, about)).map(Outcome::replaced)
    }

    /// The calls of a trip or run by the schedule.
    fn scheduled_calls(&self, about: &Addressed) -> ScheduledCalls<'_> {
        let timetable = self.timetable();
        let pattern = timetable.pattern_of(about.trip);
        let stop_id = |&stop: &u32| timetable.texts.get(timetable.stops.id[stop as usize]);
        let stops = timetable.patterns.stops(pattern);
        ScheduledCalls {
            calls: timetable.trip_calls(about.trip).of_run(about.run),
            stop_ids: stops.iter().map(stop_id).collect(),
            stops,
            timetable,
            day_start: self.addressing.day_start(timetable.route_of(pattern), about.date),
        }
    }

    /// A trip that replaces or copies a scheduled one, with live calls at the stops of that one and at those that live data
    /// assigns.
    fn with_calls(&self, live: LiveCalls, trip: AddedTrip) -> Result<AddedTrip, Rejection> {
        let timetable = self.timetable();
        let Some(scheduled) = trip.scheduled() else { return Ok(trip) };
        let (patterns, pattern) = (&timetable.patterns, timetable.pattern_of(scheduled));
        let closed = |kinds: &[u8]| -> Vec<u8> {
            kinds.iter().zip(&live.skipped).map(|(kind, skipped)| if *skipped { 1 } else { *kind }).collect()
        };
        let mut trip = AddedTrip {
            stops: patterns.stops(pattern).iter().map(|&stop| StopIdx(stop)).collect(),
            pickup: closed(patterns.pickups(pattern)),
            dropoff: closed(patterns.dropoffs(pattern)),
            times: live.times,
            skipped: live.skipped,
            headsigns: live.headsigns,
            ..trip
        };
        for (call, [pickup, dropoff]) in live.rules {
            trip.change_rules(call, pickup, dropoff);
        }
        let feed = timetable.feed_id(timetable.feed_of_trip(scheduled));
        for (call, id) in live.assigned {
            let of_trip = |(code, reason)| (code, format!("trip {}: {reason}", timetable.trip_id(scheduled)));
            let stop = assigned_stop(timetable, feed, &id, trip.stops[call]).map_err(of_trip)?;
            trip.move_call(call, stop);
        }
        Ok(trip)
    }

    /// A scheduled trip or run with other stops.
    fn rerouted(&self, update: &TripUpdate, about: &Addressed) -> Result<AddedTrip, Rejection> {
        let timetable = self.timetable();
        let feed = timetable.feed_id(timetable.feed_of_trip(about.trip));
        let replacement = self.replacement(update, about);
        let day_start = self.addressing.day_start(replacement.route, about.date);
        let calls = self.scheduled_calls(about).with_stops(&update.calls);
        let added = added_trip(timetable, feed, &calls, day_start)?;
        let AddedTrip { id, route, direction, service_date, replaces, run, headsign, shape, .. } =
            replacement;
        Ok(AddedTrip { id, route, direction, service_date, replaces, run, headsign, shape, ..added })
    }

    /// What a trip takes over from the scheduled one that it replaces or copies; its calls are still missing.
    fn replacement(&self, update: &TripUpdate, about: &Addressed) -> AddedTrip {
        let (timetable, trip) = (self.timetable(), about.trip);
        let pattern = timetable.pattern_of(trip);
        let scheduled = timetable.texts.opt(timetable.trips.headsign[trip.index()]);
        AddedTrip {
            id: timetable.texts.get(timetable.trips.id[trip.index()]).to_owned(),
            route: timetable.route_of(pattern),
            direction: timetable.patterns.direction[pattern.index()],
            service_date: about.date,
            replaces: Some(trip),
            run: about.run,
            headsign: update.headsign().or(scheduled).map(str::to_owned),
            shape: self.shape_of(update),
            ..AddedTrip::default()
        }
    }

    /// The shape that an update names, if the message has it.
    fn shape_of(&self, update: &TripUpdate) -> Option<Shape> {
        self.shapes.get(update.shape_id()?).cloned()
    }

    /// A copy of a scheduled trip, with an id, a day and a start of its own.
    fn copy(
        &mut self,
        update: &TripUpdate,
        descriptor: &TripDescriptor,
        deleted: bool,
    ) -> Result<(), Rejection> {
        let scheduled_id = descriptor.trip_id.as_deref().unwrap_or("");
        let trips = self.addressing.trips(scheduled_id, descriptor.route_id.as_deref());
        let unknown = || ("unknown-trip", format!("trip '{scheduled_id}' is not in the schedule"));
        let trip = *trips.first().ok_or_else(unknown)?;
        let properties = update.properties.clone().unwrap_or_default();
        let required = |field: Option<String>, code, name| {
            let missing = || (code, format!("the copy of trip '{scheduled_id}' has no {name}"));
            field.filter(|text| !text.is_empty()).ok_or_else(missing)
        };
        let id = required(properties.trip_id, "duplicate-without-id", "trip_id")?;
        let date = required(properties.start_date, "duplicate-without-start-date", "start_date")?;
        let date = parse_date(&date)?;
        let timetable = self.timetable();
        let feed = timetable.feed_id(timetable.feed_of_trip(trip)).to_owned();
        if deleted {
            self.forget_added(&id, &feed, Some(date));
            return Ok(());
        }
        self.refuse_scheduled(&id, &feed)?;
        let start = required(properties.start_time, "duplicate-without-start-time", "start_time")?;
        let run = Some(parse_time(&start)?);
        let about = Addressed { trip, date, run };
        // Without calls, all of them are as late as the trip, which is on time unless it has a delay.
        let scheduled = self.scheduled_calls(&about);
        let live = scheduled.apply(&update.calls, update.delay).map_err(|why| self.unusable(why, trip))?;
        let replacement = self.replacement(update, &about);
        let source = self.addressing.options.source;
        let copy = AddedTrip { id, replaces: None, copies: Some(trip), source, ..replacement };
        let copy = self.with_calls(live, copy)?;
        self.push_added(&feed, Some(date), copy);
        Ok(())
    }

    /// A trip that is not in the schedule. Its route has to be known.
    fn add(
        &mut self,
        update: &TripUpdate,
        descriptor: &TripDescriptor,
        deleted: bool,
    ) -> Result<(), Rejection> {
        let id = descriptor.trip_id.clone().unwrap_or_default();
        let route_id = descriptor.route_id.as_deref().unwrap_or("");
        let found = self.addressing.route_of_calls(route_id, &update.calls);
        let route = found.as_ref().map_or(RouteIdx::NONE, |(_, route)| *route);
        let date = self.addressing.start_date(update, descriptor, route)?;
        // Without a date, an id stands for one trip, even if its first calls were left out after midnight.
        let replaced = descriptor.start_date.as_ref().map(|_| date);
        if deleted {
            let feeds = match &found {
                // Without stops it may be a trip of each route with this id.
                Some(_) if update.calls.is_empty() => self.addressing.feeds_of_route(route_id),
                Some((feed, _)) => vec![feed.clone()],
                None => vec![self.addressing.options.feed_id.clone()],
            };
            feeds.iter().for_each(|feed| _ = self.forget_added(&id, feed, replaced));
            return Ok(());
        }
        let (feed, route) = found.ok_or_else(|| {
            ("added-trip-without-route", format!("trip '{id}' has no known route ('{route_id}')"))
        })?;
        self.refuse_scheduled(&id, &feed)?;
        let day_start = self.addressing.day_start(route, date);
        let added = added_trip(self.timetable(), &feed, &update.calls, day_start)?;
        let direction = descriptor.direction_id.map_or(-1, |d| d as i32);
        let source = self.addressing.options.source;
        let headsign = update.headsign().map(str::to_owned);
        let shape = self.shape_of(update);
        let added = AddedTrip { id, route, direction, service_date: date, headsign, shape, source, ..added };
        self.push_added(&feed, replaced, added);
        Ok(())
    }

    /// Cancels a trip that is not in the schedule. Returns false if live data has not added it either.
    fn cancel_added(&mut self, descriptor: &TripDescriptor) -> Result<bool, Rejection> {
        let date = descriptor.start_date.as_deref().map(parse_date).transpose()?;
        let feed = self.addressing.options.feed_id.clone();
        let is_known = self.forget_added(descriptor.trip_id.as_deref().unwrap_or(""), &feed, date);
        self.report.canceled += u32::from(is_known);
        Ok(is_known)
    }

    /// Rejects the id of a trip of the schedule.
    fn refuse_scheduled(&self, id: &str, feed: &str) -> Result<(), Rejection> {
        match self.timetable().trip_by_id(&format!("{feed}:{id}")) {
            Some(_) => Err(("added-trip-is-scheduled", format!("trip '{id}' is in the schedule"))),
            None => Ok(()),
        }
    }

    /// Adds a trip that is not in the schedule, and forgets the one with its id on a day, or on all days.
    fn push_added(&mut self, feed: &str, replaced: Option<ServiceDate>, trip: AddedTrip) {
        self.forget_added(&trip.id, feed, replaced);
        self.known_added.entry(trip.id.clone()).or_default().push((trip.route, trip.service_date));
        self.overlay.added.push(trip);
        self.report.added += 1;
    }

    /// Forgets a trip of a feed that is not in the schedule, on a day or on all days. Other feeds may have trips with
    /// the same id; without the id of a feed, those of all feeds are forgotten. Returns whether there was any.
    fn forget_added(&mut self, id: &str, feed_id: &str, date: Option<ServiceDate>) -> bool {
        let timetable = &self.addressing.snapshot.graph.timetable;
        let Some(known) = self.known_added.get_mut(id) else { return false };
        let is_meant = |route: RouteIdx, day: ServiceDate| {
            date.is_none_or(|date| date == day)
                && (feed_id.is_empty() || timetable.feed_id(timetable.feed_of_route(route)) == feed_id)
        };
        let count = known.len();
        known.retain(|&(route, day)| !is_meant(route, day));
        let is_known = known.len() < count;
        if is_known {
            let is_it = |added: &AddedTrip| added.id == id && is_meant(added.route, added.service_date);
            self.overlay.added.retain(|added| added.replaces.is_some() || !is_it(added));
        }
        is_known
    }

    fn unusable(&self, why: Unusable, trip: TripIdx) -> Rejection {
        why.of_trip(&self.timetable().trip_id(trip))
    }

    fn purge(&mut self) {
        let snapshot = self.addressing.snapshot;
        let timetable = &snapshot.graph.timetable;
        let agencies = (0..timetable.agencies.id.len()).map(AgencyIdx::from);
        let first: Vec<ServiceDate> = agencies.map(|agency| self.addressing.first_kept(agency)).collect();
        let otherwise = self.addressing.first_kept(AgencyIdx::NONE);
        let is_kept = |route: RouteIdx, date: ServiceDate, _: u32| {
            date >= *first.get(timetable.agency_of(route).index()).unwrap_or(&otherwise)
        };
        let entries = |overlay: &Overlay| {
            let runs: usize = overlay.runs.values().map(|runs| runs.len()).sum();
            overlay.scheduled.len() + runs + overlay.added.len()
        };
        let before = entries(&self.overlay);
        self.overlay.retain(timetable, is_kept);
        self.report.expired = (before - entries(&self.overlay)) as u32;
    }
}
