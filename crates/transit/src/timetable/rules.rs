//! Rules that compare several columns of the timetable. Each function returns what is wrong with a row. Columns that
//! are declared later may still be damaged when a rule is checked, so every look-up is guarded.

use trestle_model::Mode;
use trestle_model::ids::{PatternIdx, StopIdx, TripIdx};
use trestle_model::rules::{Rule, Wrong, broken, first_wrong, is_index_or_none};
use trestle_model::{Column, ColumnError};

use super::{
    DirectTransfer, FareAttribute, FareRule, FlexCall, FlexTrip, Frequency, LAST_SECOND, MOST_EXACT_RUNS,
    Pathway, RentalPrice, Timetable, TransferRule,
};
use crate::fares::{GREATEST_PRICE, SERVICE_KINDS};
use crate::gtfs::{DATE_RANGE, LONGEST_SECONDS};
use crate::transfers::{AT_ONE_POINT, PATHWAY, WHEELCHAIR, WHEELCHAIR_ONLY};

/// The last [`Mode`] as a number.
pub(super) const LAST_MODE: u8 = (Mode::ALL.len() - 1) as u8;
/// The number of the last kind of fare services.
pub(super) const LAST_FARE_SERVICE: u32 = SERVICE_KINDS - 1;

/// A day that a feed may name.
pub(super) fn day(day: &i32) -> Wrong {
    (!(DATE_RANGE.contains(day) || *day == 0)).then_some("not a day that a feed may name")
}

/// A day that a feed may name, or `i32::MIN`.
pub(super) fn day_or_none(_row: usize, date: &i32) -> Wrong {
    if *date == i32::MIN { None } else { day(date) }
}

/// At most as many words as all days that a feed may name need.
pub(super) fn words(words: &u32) -> Wrong {
    let most = (DATE_RANGE.end() - DATE_RANGE.start()) as u32 / 64 + 1;
    (*words > most).then_some("longer than all days that a feed may name")
}

/// Number of words of all services together.
pub(super) fn service_words(t: &Timetable) -> usize {
    let words = t.services.words.first().map_or(0, |&words| words as usize);
    t.services.id.len().saturating_mul(words)
}

/// Following a stop's parent stations comes to an end.
pub(super) fn parents(t: &Timetable, stop: usize) -> Wrong {
    let outermost = t.stops.with_stations(StopIdx::from(stop)).last();
    let is_end = outermost.is_none_or(|station| t.stops.station_of(station).is_none());
    (!is_end).then_some("too many stations around each other")
}

/// The pattern calls at the stop at this position.
#[inline]
pub(super) fn call_at(t: &Timetable, stop: usize, [pattern, position]: [u32; 2]) -> Wrong {
    let called = t.patterns.stops(PatternIdx(pattern)).get(position as usize);
    (called != Some(&(stop as u32))).then_some("the pattern does not call at this stop")
}

/// The pattern belongs to the route.
pub(super) fn pattern_of_route(t: &Timetable, route: usize, pattern: u32) -> Wrong {
    let of_pattern = t.patterns.route.get(pattern as usize);
    (of_pattern != Some(&(route as u32))).then_some("the pattern belongs to another route")
}

/// No list has fewer than two entries.
pub(super) fn lists_of_two(offsets: &Column<u32>) -> impl Rule<Column<u32>> + '_ {
    Whole(|| {
        let short = offsets.windows(2).any(|ends| ends[1] - ends[0] < 2);
        short.then_some("a list has fewer than two entries")
    })
}

/// The trip is stored with its pattern.
pub(super) fn trip_of_pattern(t: &Timetable, trip: usize, pattern: u32) -> Wrong {
    let is_listed = t.patterns.trips(PatternIdx(pattern)).contains(&trip);
    (!is_listed).then_some("the trip is not listed under its pattern")
}

#[inline]
fn call_count(t: &Timetable, trip: usize) -> usize {
    t.patterns.calls(t.pattern_of(TripIdx::from(trip))).len()
}

/// The calls of a trip follow those of the trip before.
#[inline]
pub(super) fn call_offset(t: &Timetable, trip: usize, offset: u32) -> Wrong {
    let expected = match trip.checked_sub(1) {
        None => 0,
        Some(before) => t.trips.call_offset.get(before).map_or(0, |&at| at as usize) + call_count(t, before),
    };
    (offset as usize != expected).then_some("the calls do not follow those of the trip before")
}

/// A list with an entry for each call of the trip ends within its column.
#[inline]
pub(super) fn call_list(t: &Timetable, trip: usize, offset: u32, end: usize) -> Wrong {
    (offset as usize + call_count(t, trip) > end).then_some("the list ends after the column")
}

/// Like [`call_list`], but there may be no list.
pub(super) fn headsign_list(t: &Timetable, trip: usize, offset: u32) -> Wrong {
    if offset == u32::MAX { None } else { call_list(t, trip, offset, t.trips.headsigns.len()) }
}

/// The times of a trip never decrease, and the last one is not after [`LAST_SECOND`].
#[inline]
pub(super) fn run_profile(t: &Timetable, trip: usize, offset: u32) -> Wrong {
    let trips = &t.trips;
    let range = offset as usize..offset as usize + call_count(t, trip);
    let (Some(arrivals), Some(departures)) =
        (trips.profile_arrival.get(range.clone()), trips.profile_departure.get(range))
    else {
        return Some("the times end after the column");
    };
    // Trips of a pattern often share their times, and those of the trip before have been checked already.
    let same_as_before = trip.checked_sub(1).is_some_and(|before| {
        trips.profile_offset.get(before) == Some(&offset)
            && trips.pattern.get(before) == trips.pattern.get(trip)
    });
    if !same_as_before {
        let stays = arrivals.iter().zip(departures).all(|(arrival, departure)| arrival <= departure);
        let rides = departures.iter().zip(arrivals.iter().skip(1)).all(|(departure, next)| departure <= next);
        if !(stays && rides) {
            return Some("times decrease along the trip");
        }
    }
    let start = trips.start.get(trip).copied().unwrap_or(0);
    let last = departures.last().copied().unwrap_or(0);
    (i64::from(start) + i64::from(last) > i64::from(LAST_SECOND)).then_some("the trip ends too late")
}

/// The row has runs, and they are within the times that trips may have.
pub(super) fn frequency(_row: usize, row: &Frequency) -> Wrong {
    let &Frequency { start, end, headway, exact } = row;
    first_wrong([
        (0 <= start && start < end && end <= LAST_SECOND, "not a start that is before an end"),
        (headway > 0 && headway <= LONGEST_SECONDS, "the headway is not a time"),
        (exact == 0 || exact == 1, "exact is neither 0 nor 1"),
    ])
}

/// The feeds have no more exact runs in total than each of them may have.
pub(super) fn bounded_runs(t: &Timetable) -> impl Rule<Column<Frequency>> + '_ {
    Whole(|| {
        let runs: u64 = t.trips.frequencies.iter().map(Frequency::exact_runs).sum();
        (runs > MOST_EXACT_RUNS * t.feeds.id.len() as u64).then_some("too many runs with exact times")
    })
}

/// A rule between stops; the column is sorted by both.
pub(super) fn transfer_rule(t: &Timetable, row: usize, rule: &TransferRule) -> Wrong {
    let &TransferRule { from_stop, to_stop, from_route, to_route, from_trip, to_trip, kind, seconds } = rule;
    let (stops, routes, trips) = (t.stops.id.len(), t.routes.id.len(), t.trips.id.len());
    let before = row.checked_sub(1).and_then(|before| t.transfers.rules.get(before));
    first_wrong([
        ((from_stop as usize) < stops && (to_stop as usize) < stops, "no such stop"),
        (is_index_or_none(from_route, routes) && is_index_or_none(to_route, routes), "no such route"),
        (is_index_or_none(from_trip, trips) && is_index_or_none(to_trip, trips), "no such trip"),
        (kind <= TransferRule::FORBIDDEN, "no such kind"),
        ((-1..=LONGEST_SECONDS).contains(&seconds), "not a time of a transfer"),
        (
            before.is_none_or(|b| (b.from_stop, b.to_stop) <= (from_stop, to_stop)),
            "not in the order of the stops",
        ),
    ])
}

/// A walk or a connection of known length.
#[inline]
pub(super) fn direct_transfer(t: &Timetable, edge: &DirectTransfer) -> Wrong {
    let &DirectTransfer { other_stop, meters, seconds, flags } = edge;
    first_wrong([
        ((other_stop as usize) < t.stops.id.len(), "no such stop"),
        ((0.0..=1e8).contains(&meters), "not a length"),
        ((-1..=LONGEST_SECONDS).contains(&seconds), "not a time of a transfer"),
        (flags & !(WHEELCHAIR | PATHWAY | AT_ONE_POINT | WHEELCHAIR_ONLY) == 0, "no such flag"),
    ])
}

/// A pathway inside a station.
pub(super) fn pathway(t: &Timetable, row: &Pathway) -> Wrong {
    let &Pathway { from_stop, to_stop, seconds, wheelchair_seconds } = row;
    let stops = t.stops.id.len();
    first_wrong([
        ((from_stop as usize) < stops && (to_stop as usize) < stops, "no such stop"),
        ((0..=LONGEST_SECONDS).contains(&seconds), "not a time of a transfer"),
        ((-1..=LONGEST_SECONDS).contains(&wheelchair_seconds), "not a time of a transfer"),
    ])
}

fn is_text(t: &Timetable, text: u32) -> bool {
    (text as usize) < t.texts.len().max(1)
}

/// A fare with prices that are small enough to be added up.
pub(super) fn fare(t: &Timetable, fare: &FareAttribute) -> Wrong {
    let &FareAttribute {
        minor_units,
        youth_minor_units,
        senior_minor_units,
        feed,
        id,
        currency,
        transfers,
        transfer_duration: _,
        journey_duration: _,
    } = fare;
    first_wrong([
        ((0..=GREATEST_PRICE).contains(&minor_units), "not a price"),
        ((-1..=GREATEST_PRICE).contains(&youth_minor_units), "not a price for youth"),
        ((-1..=GREATEST_PRICE).contains(&senior_minor_units), "not a price for seniors"),
        ((feed as usize) < t.feeds.id.len(), "no such feed"),
        (is_text(t, id) && is_text(t, currency), "no such text"),
        (transfers >= -1, "not a number of transfers"),
    ])
}

/// The route and zones of a fare.
pub(super) fn fare_rule(t: &Timetable, rule: &FareRule) -> Wrong {
    let &FareRule { fare, route, origin, destination, contains } = rule;
    first_wrong([
        ((fare as usize) < t.fares.len(), "no such fare"),
        (is_index_or_none(route, t.routes.id.len()), "no such route"),
        ([origin, destination, contains].iter().all(|&zone| is_text(t, zone)), "no such text"),
    ])
}

/// A price of a service.
pub(super) fn rental_price(t: &Timetable, price: &RentalPrice) -> Wrong {
    let &RentalPrice { minor_units, service, below_seconds: _ } = price;
    first_wrong([
        ((0..=GREATEST_PRICE).contains(&minor_units), "not a price"),
        ((service as usize) < t.fare_services.kind.len(), "no such fare service"),
    ])
}

pub(super) fn max_fare_agency(t: &Timetable, [service, agency]: [u32; 2]) -> Wrong {
    first_wrong([
        ((service as usize) < t.fare_services.kind.len(), "no such fare service"),
        (is_text(t, agency), "no such text"),
    ])
}

/// Flexible service of a trip; one row per trip, in the order of the trips.
pub(super) fn flex_trip(t: &Timetable, row: usize, of: &FlexTrip) -> Wrong {
    let &FlexTrip {
        advance_book_min,
        trip,
        max_travel_time,
        avg_travel_time,
        pickup_message,
        drop_off_message,
        continuous_pickup_message,
        continuous_drop_off_message,
        padding: _,
    } = of;
    let texts = [
        max_travel_time,
        avg_travel_time,
        pickup_message,
        drop_off_message,
        continuous_pickup_message,
        continuous_drop_off_message,
    ];
    let before = row.checked_sub(1).and_then(|before| t.flex.trips.get(before));
    first_wrong([
        (advance_book_min.is_finite(), "not a time"),
        ((trip as usize) < t.trips.id.len(), "no such trip"),
        (before.is_none_or(|before| before.trip < trip), "not in the order of the trips"),
        (texts.iter().all(|&text| is_text(t, text)), "no such text"),
    ])
}

/// Flexible service of a call; one row per call, in the order of the calls.
pub(super) fn flex_call(t: &Timetable, row: usize, of: &FlexCall) -> Wrong {
    let &FlexCall { radius, call, continuous_pickup, continuous_drop_off, area } = of;
    let before = row.checked_sub(1).and_then(|before| t.flex.calls.get(before));
    first_wrong([
        (radius.is_finite(), "not a length"),
        (before.is_none_or(|before| before.call < call), "not in the order of the calls"),
        (continuous_pickup <= 3 && continuous_drop_off <= 3, "no such kind"),
        (is_index_or_none(area, t.flex.areas.id.len()), "no such area"),
    ])
}

/// A rule for a column as a whole.
struct Whole<C>(C);

impl<T, C: Fn() -> Wrong> Rule<Column<T>> for Whole<C> {
    fn check(&self, name: &str, _column: &Column<T>) -> Result<(), ColumnError> {
        (self.0)().map_or(Ok(()), |why| Err(broken(name, why)))
    }
}
