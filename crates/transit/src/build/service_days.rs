//! Issues about the days of a timetable: services that never run, and feeds that never run together.

use trestle_model::ids::ServiceIdx;
use trestle_model::{IssueSink, ServiceDate};

use crate::timetable::Timetable;

/// Reports services without days and feeds without a common day. `sources` has the table and line of each service.
pub(super) fn report(timetable: &Timetable, sources: &[(&str, u64)], issues: &mut IssueSink) {
    for (service, (table, line)) in sources.iter().enumerate() {
        let service = ServiceIdx::from(service);
        if timetable.services.days_of(service).next().is_none() {
            let path = format!("{}/{table}", file(timetable, timetable.services.feed[service.index()]));
            let id = timetable.texts.get(timetable.services.id[service.index()]);
            issues.add("service-without-days", &path, *line, format!("service “{id}” runs on no day"));
        }
    }
    let periods = periods(timetable);
    // The services of a feed that never runs are reported above.
    let runs = |&(first, last): &(ServiceDate, ServiceDate)| first <= last;
    for (feed, &(first, last)) in periods.iter().enumerate().filter(|(_, period)| runs(period)) {
        let apart = |other: &(ServiceDate, ServiceDate)| runs(other) && (other.0 > last || other.1 < first);
        let Some(other) = periods.iter().position(apart) else { continue };
        let (from, until) = periods[other];
        let message = format!(
            "it runs from {} to {}, and {} from {} to {}: there is no day on which both run",
            iso(first),
            iso(last),
            file(timetable, other as u32),
            iso(from),
            iso(until)
        );
        issues.add("feeds-without-common-day", file(timetable, feed as u32), 0, message);
    }
}

/// First and last day of each feed. For a feed that never runs, the last day is before the first.
fn periods(timetable: &Timetable) -> Vec<(ServiceDate, ServiceDate)> {
    let services = &timetable.services;
    let mut periods = vec![NEVER; timetable.feeds.id.len()];
    for service in (0..services.count()).map(ServiceIdx::from) {
        let (first, last) = &mut periods[services.feed[service.index()] as usize];
        for day in services.days_of(service) {
            *first = (*first).min(day);
            *last = (*last).max(day);
        }
    }
    periods
}

const NEVER: (ServiceDate, ServiceDate) = (ServiceDate(i32::MAX), ServiceDate(i32::MIN));

fn file(timetable: &Timetable, feed: u32) -> &str {
    timetable.texts.get(timetable.feeds.file[feed as usize])
}

/// `YYYY-MM-DD`.
fn iso(day: ServiceDate) -> String {
    let (year, month, day) = day.ymd();
    format!("{year}-{month:02}-{day:02}")
}
