//! Service days: the days on which services run, and when a service day begins.

use std::collections::BTreeSet;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use trestle_model::ids::{AgencyIdx, ServiceIdx, TripIdx};
use trestle_model::{Column, ServiceDate};

use crate::gtfs::ServiceRow;
use crate::overlay::Overlay;
use crate::timetable::{MOST_DAYS_UNDER_WAY, Services, Timetable};

const SECONDS_PER_DAY: i64 = 86_400;
/// A service day starts 12 hours before noon, which is not midnight on the days when clocks change.
const HALF_DAY: i64 = SECONDS_PER_DAY / 2;

impl Services {
    /// Number of services.
    pub fn count(&self) -> usize {
        self.id.len()
    }

    /// Whether a service runs on a day.
    #[inline]
    pub fn runs_on(&self, service: ServiceIdx, date: ServiceDate) -> bool {
        let words = self.words_per_service();
        let Ok(day) = usize::try_from(i64::from(date.0) - i64::from(self.first())) else { return false };
        if day / 64 >= words || service.index() >= self.count() {
            return false;
        }
        self.days.get(service.index() * words + day / 64).is_some_and(|word| word >> (day % 64) & 1 == 1)
    }

    /// The days on which a service runs, ascending.
    pub fn days_of(&self, service: ServiceIdx) -> impl Iterator<Item = ServiceDate> + '_ {
        let words = self.words_per_service();
        let from = service.index().saturating_mul(words);
        let days = self.days.get(from..from.saturating_add(words)).unwrap_or_default();
        let first = self.first();
        days.iter().enumerate().flat_map(move |(word, &bits)| {
            let set = (0..64).filter(move |bit| bits >> bit & 1 == 1);
            set.map(move |bit| ServiceDate(first + word as i32 * 64 + bit))
        })
    }

    /// First and last day on which any service runs; `None` without services that run.
    pub fn date_range(&self) -> Option<(ServiceDate, ServiceDate)> {
        (0..self.count()).filter_map(|service| self.date_range_of(service)).reduce(both)
    }

    /// The same for the services of each of `feeds` feeds.
    fn date_ranges_of_feeds(&self, feeds: usize) -> Vec<Option<(ServiceDate, ServiceDate)>> {
        let mut ranges = vec![None; feeds];
        for (service, &feed) in self.feed.iter().enumerate() {
            if let Some(range) = ranges.get_mut(feed as usize) {
                let known = range.take().into_iter();
                *range = known.chain(self.date_range_of(service)).reduce(both);
            }
        }
        ranges
    }

    fn date_range_of(&self, service: usize) -> Option<(ServiceDate, ServiceDate)> {
        let mut days = self.days_of(ServiceIdx::from(service));
        let first = days.next()?;
        Some((first, days.last().unwrap_or(first)))
    }

    fn first(&self) -> i32 {
        self.first_day.first().copied().unwrap_or(0)
    }

    fn words_per_service(&self) -> usize {
        self.words.first().copied().unwrap_or(0) as usize
    }
}

/// Days as a bit set in the layout of [`Services::days`]; days outside the schedule are left out.
pub(crate) fn date_bits(services: &Services, dates: impl Iterator<Item = ServiceDate>) -> Vec<u64> {
    let mut bits = vec![0; services.words_per_service()];
    for date in dates {
        let Ok(day) = usize::try_from(i64::from(date.0) - i64::from(services.first())) else { continue };
        if let Some(word) = bits.get_mut(day / 64) {
            *word |= 1 << (day % 64);
        }
    }
    bits
}

/// Bit sets over the days on which any service runs.
pub(crate) fn service_columns<'a>(rows: impl Iterator<Item = (u32, &'a ServiceRow)> + Clone) -> Services {
    let ranges = rows.clone().filter_map(|(_, row)| named_days(row));
    let (first, last) = ranges.fold((i32::MAX, i32::MIN), |(a, b), (c, d)| (a.min(c), b.max(d)));
    let words = if first > last { 0 } else { (last - first) as usize / 64 + 1 };
    let mut days: Vec<u64> = Vec::new();
    for (_, row) in rows.clone() {
        let from = days.len();
        days.resize(from + words, 0);
        fill(&mut days[from..], row, first);
    }
    Services {
        feed: rows.clone().map(|(feed, _)| feed).collect(),
        id: rows.map(|(_, row)| row.id).collect(),
        first_day: Column::from(vec![if words == 0 { 0 } else { first }]),
        words: Column::from(vec![words as u32]),
        days: days.into(),
    }
}

/// First and last day on which a row of the service says that it runs.
fn named_days(row: &ServiceRow) -> Option<(i32, i32)> {
    let weekly = row
        .weekly
        .filter(|(_, _, weekdays)| weekdays.contains(&true))
        .map(|(start, end, _)| (start.0, end.0));
    let added = row.exceptions.iter().filter(|(_, runs)| *runs).map(|(day, _)| (day.0, day.0));
    weekly.into_iter().chain(added).reduce(|(a, b), (c, d)| (a.min(c), b.max(d)))
}

fn fill(bits: &mut [u64], row: &ServiceRow, first: i32) {
    let mut set = |day: ServiceDate, runs: bool| {
        let Ok(offset) = usize::try_from(i64::from(day.0) - i64::from(first)) else { return };
        if let Some(word) = bits.get_mut(offset / 64) {
            let mask = 1 << (offset % 64);
            *word = if runs { *word | mask } else { *word & !mask };
        }
    };
    if let Some((start, end, weekdays)) = row.weekly {
        for day in (start.0..=end.0).map(ServiceDate).filter(|day| weekdays[day.weekday()]) {
            set(day, true);
        }
    }
    for &(day, runs) in &row.exceptions {
        set(day, runs);
    }
}

/// The most days that a vehicle can be under way after its service day; 0 when all trips end before 24:00:00. A vehicle
/// that is under way at some moment belongs to a service day that began up to this many days before. `last_scheduled`
/// is [`Timetable::last_second`].
pub fn days_under_way(last_scheduled: i32, overlay: Option<&Overlay>) -> i32 {
    let live = overlay.map_or(0, Overlay::last_second);
    let last = i64::from(last_scheduled.max(live));
    (last / SECONDS_PER_DAY).clamp(0, i64::from(MOST_DAYS_UNDER_WAY)) as i32
}

/// The most that clocks go forward at once. After such a change, vehicles of earlier service days come that much later
/// by the clock.
const LONGEST_STEP: i64 = 2 * 3600;

/// The service days around a moment in a time zone: the earlier days whose vehicles may still be under way (at least
/// one), the day of the moment, and the next day.
pub fn service_days_around(
    epoch: i64,
    zone: &TimeZone,
    days_under_way: i32,
) -> impl Iterator<Item = ServiceDate> + use<> {
    let first = date_at(epoch.saturating_sub(LONGEST_STEP), zone).plus(-days_under_way.max(1));
    let last = date_at(epoch, zone).plus(1);
    (first.0..=last.0).map(ServiceDate)
}

impl Timetable {
    /// End of the last scheduled run, seconds after the start of its service day. Looks at all trips.
    pub fn last_second(&self) -> i32 {
        let trips = (0..self.trips.count()).map(TripIdx::from);
        trips.map(|trip| self.last_second_of(trip)).max().unwrap_or(0)
    }

    /// End of the last run of a trip on a service day, seconds after the start of that day.
    fn last_second_of(&self, trip: TripIdx) -> i32 {
        let calls = self.trip_calls(trip);
        let arrival = calls.last_arrival().unwrap_or(0);
        let first = calls.first_departure().unwrap_or(0);
        let shifts = self.trips.frequencies_of(trip).iter().map(|frequency| frequency.end - first);
        arrival.saturating_add(shifts.max().unwrap_or(0))
    }

    /// The first day on which any service runs, and the number of trips on each day from then to the last such day. A
    /// trip with frequencies counts once a day. `None` if no service runs.
    pub fn trips_by_day(&self) -> Option<(ServiceDate, Vec<u32>)> {
        let (first, last) = self.services.date_range()?;
        let mut trips_of_service = vec![0; self.services.count()];
        for &service in self.trips.service.iter() {
            if let Some(trips) = trips_of_service.get_mut(service as usize) {
                *trips += 1;
            }
        }
        let mut trips_of_day = vec![0; usize::try_from(last.0 - first.0).unwrap_or(0) + 1];
        for (service, trips) in trips_of_service.into_iter().enumerate() {
            for day in self.services.days_of(ServiceIdx::from(service)) {
                if let Some(sum) = trips_of_day.get_mut((day.0 - first.0) as usize) {
                    *sum += trips;
                }
            }
        }
        Some((first, trips_of_day))
    }

    /// Epoch seconds: midnight of the first service date, and of the last plus a day, in the zone of the graph.
    pub fn service_period(&self) -> Option<(i64, i64)> {
        Some(period_in(self.services.date_range()?, &self.time_zone()))
    }

    /// The same from the earliest midnight to the latest one in the zones of each feed's agencies. The days that it
    /// touches in the zone of the graph need not be service days.
    pub fn service_period_in_all_zones(&self) -> Option<(i64, i64)> {
        let mut period = None;
        for (feed, dates) in (0..).zip(self.services.date_ranges_of_feeds(self.feeds.id.len())) {
            let Some(dates) = dates else { continue };
            let zones = self.time_zones_of(feed);
            let periods = zones.iter().map(|zone| period_in(dates, zone));
            period = period.into_iter().chain(periods).reduce(both);
        }
        period
    }

    /// Time zones of the agencies of a feed; the graph's for a feed without any.
    fn time_zones_of(&self, feed: u32) -> Vec<TimeZone> {
        let own = self.agencies.feed.iter().zip(self.agencies.timezone.iter()).filter(|(of, _)| **of == feed);
        let names: BTreeSet<u32> = own.map(|(_, &name)| name).collect();
        if names.is_empty() {
            return vec![self.time_zone()];
        }
        names.into_iter().map(|name| time_zone(self.texts.get(name))).collect()
    }

    /// Time zone of the graph: the first agency's; UTC without agencies or for an unknown name.
    pub fn time_zone(&self) -> TimeZone {
        time_zone(self.time_zone_name())
    }

    /// Time zone of an agency, in which its service days begin; the graph's for an unknown agency.
    pub fn agency_time_zone(&self, agency: AgencyIdx) -> TimeZone {
        let name = self.agencies.timezone.get(agency.index()).map(|&text| self.texts.get(text));
        name.map_or_else(|| self.time_zone(), time_zone)
    }

    /// Name of [`Self::time_zone`].
    pub fn time_zone_name(&self) -> &str {
        let name = self.agencies.timezone.first().map_or("", |&text| self.texts.get(text));
        if TimeZone::get(name).is_ok() { name } else { "UTC" }
    }
}

/// Midnight of the first of two dates, and of the last plus a day.
fn period_in((first, last): (ServiceDate, ServiceDate), zone: &TimeZone) -> (i64, i64) {
    (midnight(first, zone), midnight(last, zone) + SECONDS_PER_DAY)
}

/// The time from the first of two starts to the last of two ends.
fn both<T: Ord>(a: (T, T), b: (T, T)) -> (T, T) {
    (a.0.min(b.0), a.1.max(b.1))
}

/// The time zone of this name; UTC for an unknown one.
pub fn time_zone(name: &str) -> TimeZone {
    TimeZone::get(name).unwrap_or(TimeZone::UTC)
}

/// Start of a service day in epoch seconds: noon in `zone` minus 12 hours.
pub fn service_day_start(date: ServiceDate, zone: &TimeZone) -> i64 {
    let utc_midnight = i64::from(date.0) * SECONDS_PER_DAY;
    let noon = civil(date).map(|day| day.at(12, 0, 0, 0));
    let noon = noon.and_then(|noon| zone.to_ambiguous_zoned(noon).compatible().ok());
    noon.map_or(utc_midnight, |noon| noon.timestamp().as_second() - HALF_DAY)
}

/// Midnight at the start of a calendar day in `zone`, epoch seconds (the day's first moment where clocks skip
/// midnight).
pub fn midnight(date: ServiceDate, zone: &TimeZone) -> i64 {
    let start = civil(date).and_then(|day| day.to_zoned(zone.clone()).ok());
    start.map_or(i64::from(date.0) * SECONDS_PER_DAY, |midnight| midnight.timestamp().as_second())
}

/// After 400 years the weekdays of all dates repeat.
const CALENDAR_CYCLE: i64 = 146_097 * SECONDS_PER_DAY;

/// Seconds that the clocks of `zone` are ahead of UTC at an epoch second. After the year 9999 clocks change as they did
/// 400 years earlier; before the year -9999 they do not change.
pub fn utc_offset(epoch_seconds: i64, zone: &TimeZone) -> i32 {
    let beyond = epoch_seconds.saturating_sub(jiff::Timestamp::MAX.as_second()).max(0);
    let within = epoch_seconds - (beyond as u64).div_ceil(CALENDAR_CYCLE as u64) as i64 * CALENDAR_CYCLE;
    let moment = jiff::Timestamp::from_second(within).unwrap_or(jiff::Timestamp::MIN);
    zone.to_offset(moment).seconds()
}

/// The calendar day in `zone` at an epoch second.
pub fn date_at(epoch_seconds: i64, zone: &TimeZone) -> ServiceDate {
    let civil = jiff::Timestamp::from_second(epoch_seconds).map(|moment| zone.to_datetime(moment).date());
    civil.map_or(ServiceDate(0), |day| {
        ServiceDate::from_ymd(day.year().into(), day.month().into(), day.day().into())
    })
}

fn civil(date: ServiceDate) -> Option<Date> {
    let (year, month, day) = date.ymd();
    Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timetable::Trips;

    fn date(text: &str) -> ServiceDate {
        ServiceDate::parse_compact(text).unwrap()
    }

    #[test]
    fn weekly_ranges_and_exceptions() {
        let workdays = [true, true, true, true, true, false, false];
        let row = ServiceRow {
            id: 0,
            weekly: Some((date("20241007"), date("20241231"), workdays)),
            exceptions: vec![(date("20241009"), false), (date("20250104"), true), (date("20230101"), false)],
            ..ServiceRow::default()
        };
        let never =
            ServiceRow { weekly: Some((date("19000101"), date("21990101"), [false; 7])), ..row.clone() };
        let never = ServiceRow { exceptions: Vec::new(), ..never };
        let services = service_columns([(0, &row), (0, &never)].into_iter());
        let runs = |text| services.runs_on(ServiceIdx(0), date(text));
        assert!(runs("20241007") && runs("20241231") && runs("20250104"));
        assert!(!runs("20241006") && !runs("20241009") && !runs("20241012") && !runs("20250103"));
        assert!(!runs("18500101") && !runs("29990101") && !services.runs_on(ServiceIdx(7), date("20241007")));
        assert_eq!(services.days_of(ServiceIdx(1)).count(), 0);
        assert_eq!(services.date_range(), Some((date("20241007"), date("20250104"))));
    }

    #[test]
    fn trips_are_counted_by_day() {
        let row = |exceptions: &[&str]| ServiceRow {
            id: 0,
            weekly: None,
            exceptions: exceptions.iter().map(|text| (date(text), true)).collect(),
            ..ServiceRow::default()
        };
        let (often, once) = (row(&["20241007", "20241008", "20241010"]), row(&["20241010"]));
        let services = service_columns([(0, &often), (0, &once)].into_iter());
        let trips = Trips { service: vec![0, 1, 0].into(), ..Trips::default() };
        let timetable = Timetable { services, trips, ..Timetable::default() };
        assert_eq!(timetable.trips_by_day(), Some((date("20241007"), vec![2, 2, 0, 3])));
        assert_eq!(Timetable::default().trips_by_day(), None);
    }

    #[test]
    fn a_service_day_is_noon_minus_twelve_hours() {
        let zone = time_zone("America/Los_Angeles");
        let start = |text| service_day_start(date(text), &zone);
        assert_eq!(start("20190513"), 1_557_730_800);
        assert_eq!(midnight(date("20190513"), &zone), 1_557_730_800);
        // Clocks go forward at 2:00, so the service day starts at 23:00 on the day before.
        assert_eq!(start("20190310"), midnight(date("20190310"), &zone) - 3600);
        assert_eq!(start("20191103"), midnight(date("20191103"), &zone) + 3600);
        assert_eq!(date_at(1_557_730_799, &zone), date("20190512"));
        assert_eq!(service_day_start(date("20190513"), &time_zone("Mars/Olympus")), 1_557_705_600);
    }

    #[test]
    fn vehicles_are_under_way_for_longer_by_the_clock_where_it_goes_forward() {
        // 47:30:00 of the day before clocks go forward is half past midnight two days later.
        let zone = time_zone("Europe/Lisbon");
        let moment = service_day_start(date("20240330"), &zone) + 47 * 3600 + 1800;
        assert_eq!(date_at(moment, &zone), date("20240401"));
        let days = |moment: i64| service_days_around(moment, &zone, 1).map(|day| day.0).collect::<Vec<_>>();
        let from = |first: &str| (date(first).0..=date("20240402").0).collect::<Vec<_>>();
        assert_eq!(days(moment), from("20240330"));
        assert_eq!(days(moment + 3 * 3600), from("20240331"));
    }

    #[test]
    fn every_time_has_an_offset_from_utc() {
        let zone = time_zone("America/Los_Angeles");
        let change = 1_552_212_000;
        assert_eq!(utc_offset(change - 1, &zone), -8 * 3600);
        assert_eq!(utc_offset(change, &zone), -7 * 3600);
        // Clocks still change after the year 9999: 20 July and 20 January of the year 12019.
        let years = 25 * CALENDAR_CYCLE;
        assert_eq!(utc_offset(change + 132 * SECONDS_PER_DAY + years, &zone), -7 * 3600);
        assert_eq!(utc_offset(change - 49 * SECONDS_PER_DAY + years, &zone), -8 * 3600);
        assert_eq!(utc_offset(-3_000_000_000, &zone), -(7 * 3600 + 52 * 60 + 58));
        assert_eq!(utc_offset(i64::MIN, &zone), utc_offset(-300_000_000_000, &zone));
        assert!([-7 * 3600, -8 * 3600].contains(&utc_offset(i64::MAX, &zone)));
        assert_eq!(utc_offset(change, &time_zone("Mars/Olympus")), 0);
    }
}
