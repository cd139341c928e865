//! Feeds as plain rows, and their tables as real feeds write them.

use super::random::Random;

/// Seconds of the service day, or blank.
pub(crate) type Time = Option<i32>;

#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) stop: usize,
    pub(crate) arrival: Time,
    pub(crate) departure: Time,
    pub(crate) pickup: u8,
    pub(crate) drop_off: u8,
}

/// A row of frequencies.txt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frequency {
    pub(crate) start: i32,
    pub(crate) end: i32,
    pub(crate) headway: i32,
    pub(crate) exact: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Trip {
    pub(crate) id: String,
    pub(crate) service: usize,
    pub(crate) block: Option<u64>,
    /// In the order of stop_sequence.
    pub(crate) calls: Vec<Call>,
    pub(crate) frequencies: Vec<Frequency>,
}

/// Days count from 1970.
#[derive(Clone, Debug)]
pub(crate) struct Service {
    /// First day, last day and weekdays from Monday on.
    pub(crate) weekly: Option<(i32, i32, [bool; 7])>,
    /// Day, and whether it is added.
    pub(crate) exceptions: Vec<(i32, bool)>,
}

#[derive(Clone, Debug)]
pub(crate) struct Feed {
    pub(crate) zone: &'static str,
    pub(crate) stops: usize,
    pub(crate) services: Vec<Service>,
    pub(crate) trips: Vec<Trip>,
    /// Ids of trips between which riders stay seated by transfers.txt, in the order of its rows.
    pub(crate) linked: Vec<(String, String)>,
}

impl Feed {
    /// The tables as (name, content), with all that tables of real feeds may have besides their rows.
    pub(crate) fn tables(&self, random: &mut Random) -> Vec<(&'static str, String)> {
        let agency = [row(&["AG", "Agency", "http://a.example", self.zone])];
        let routes = (0..self.trips.len()).map(|route| row(&[&route_id(route), "", "10", "3"]));
        let trips = self.trips.iter().enumerate().map(|(route, trip)| {
            let block = trip.block.map_or(String::new(), |block| format!("block {block}"));
            row(&[&route_id(route), &service_id(trip.service), &trip.id, &block])
        });
        let mut tables = vec![
            table("agency.txt", "agency_id,agency_name,agency_url,agency_timezone", agency, random),
            table("stops.txt", "stop_id,stop_name,stop_lat,stop_lon", self.stops(), random),
            table("routes.txt", "route_id,agency_id,route_short_name,route_type", routes, random),
            table("trips.txt", "route_id,service_id,trip_id,block_id", trips, random),
            table("stop_times.txt", STOP_TIMES, self.stop_times(random), random),
        ];
        tables.extend(self.calendars(random));
        let frequencies: Vec<Vec<String>> = self.frequencies().collect();
        if !frequencies.is_empty() || random.one_in(3) {
            let columns = "trip_id,start_time,end_time,headway_secs,exact_times";
            tables.push(table("frequencies.txt", columns, frequencies, random));
        }
        if !self.linked.is_empty() {
            let rows = self.linked.iter().map(|(from, to)| row(&["", "", "4", from, to]));
            let columns = "from_stop_id,to_stop_id,transfer_type,from_trip_id,to_trip_id";
            tables.push(table("transfers.txt", columns, rows, random));
        } else if random.one_in(3) {
            tables.push(("transfers.txt", String::new()));
        }
        tables
    }

    /// Three kilometres apart.
    fn stops(&self) -> impl Iterator<Item = Vec<String>> + use<> {
        (0..self.stops).map(|stop| {
            let (lat, lon) = (41.0 + stop as f64 * 0.027, -8.6);
            row(&[&stop_id(stop), "Praça \"D. João\",\n1º", &lat.to_string(), &lon.to_string()])
        })
    }

    fn stop_times(&self, random: &mut Random) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        for trip in &self.trips {
            let mut sequence = random.below(3);
            for call in &trip.calls {
                let time = |time: Time| time.map_or(String::new(), clock);
                let kind = |kind: u8| if kind == 0 { String::new() } else { kind.to_string() };
                rows.push(vec![
                    trip.id.clone(),
                    time(call.arrival),
                    time(call.departure),
                    stop_id(call.stop),
                    sequence.to_string(),
                    kind(call.pickup),
                    kind(call.drop_off),
                ]);
                sequence += 1 + random.below(3);
            }
        }
        random.shuffle(&mut rows);
        rows
    }

    fn frequencies(&self) -> impl Iterator<Item = Vec<String>> + '_ {
        self.trips.iter().flat_map(|trip| {
            trip.frequencies.iter().map(|frequency| {
                let exact = if frequency.exact { "1" } else { "" };
                let (start, end) = (clock(frequency.start), clock(frequency.end));
                row(&[&trip.id, &start, &end, &frequency.headway.to_string(), exact])
            })
        })
    }

    /// calendar.txt, unless no service is weekly, and calendar_dates.txt, unless there are no exceptions.
    fn calendars(&self, random: &mut Random) -> Vec<(&'static str, String)> {
        let weekly = self.services.iter().enumerate().filter_map(|(service, row)| {
            let (first, last, days) = row.weekly?;
            let days = days.iter().map(|&runs| u8::from(runs).to_string());
            Some([service_id(service)].into_iter().chain(days).chain([first, last].map(date)).collect())
        });
        let weekly: Vec<Vec<String>> = weekly.collect();
        let exceptions = self.services.iter().enumerate().flat_map(|(service, row)| {
            let kind = |added: bool| if added { "1" } else { "2" };
            row.exceptions
                .iter()
                .map(move |&(day, added)| vec![service_id(service), date(day), kind(added).to_owned()])
        });
        let exceptions: Vec<_> = exceptions.collect();
        let mut tables = Vec::new();
        let is_needed = exceptions.is_empty() || !weekly.is_empty();
        if is_needed || random.one_in(2) {
            let columns =
                "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date";
            tables.push(table("calendar.txt", columns, weekly, random));
        }
        if !exceptions.is_empty() || random.one_in(2) {
            tables.push(table("calendar_dates.txt", "service_id,date,exception_type", exceptions, random));
        }
        tables
    }
}

const STOP_TIMES: &str =
    "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type";

/// Ids have all that is allowed in them.
pub(crate) fn stop_id(stop: usize) -> String {
    format!("S:{stop} é")
}

fn route_id(route: usize) -> String {
    format!("R_{route}")
}

fn service_id(service: usize) -> String {
    format!("day {service}")
}

fn row(fields: &[&str]) -> Vec<String> {
    fields.iter().map(|&field| field.to_owned()).collect()
}

pub(crate) fn clock(seconds: i32) -> String {
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// `YYYYMMDD`.
fn date(day: i32) -> String {
    let (year, month, day) = trestle_model::ServiceDate(day).ymd();
    format!("{year}{month:02}{day:02}")
}

/// A table in one of many styles: columns in any order and unknown ones, a byte order mark, quotation marks, blanks, blank
/// lines, ends of lines, and last fields that are left out.
fn table(
    name: &'static str,
    columns: &str,
    rows: impl IntoIterator<Item = Vec<String>>,
    random: &mut Random,
) -> (&'static str, String) {
    let mut order: Vec<usize> = (0..columns.split(',').count()).collect();
    random.shuffle(&mut order);
    let (end, padding) = (*random.of(&["\n", "\r\n"]), *random.of(&["", " "]));
    let (extra, blank_lines, short_rows) = (random.one_in(3), random.one_in(3), random.one_in(3));
    let line = |fields: &[&str], random: &mut Random| {
        let mut fields: Vec<String> =
            order.iter().map(|&column| quoted(fields[column], padding, random)).collect();
        if extra {
            fields.push("x".to_owned());
        }
        while short_rows && fields.last().is_some_and(|field| field.trim().is_empty()) {
            fields.pop();
        }
        let blank = if blank_lines && random.one_in(4) { end } else { "" };
        format!("{}{end}{blank}", fields.join(","))
    };
    let mut text = if random.one_in(2) { "\u{feff}".to_owned() } else { String::new() };
    text += &line(&columns.split(',').collect::<Vec<_>>(), random);
    for row in rows {
        text += &line(&row.iter().map(String::as_str).collect::<Vec<_>>(), random);
    }
    if random.one_in(3) {
        text.truncate(text.trim_end().len());
    }
    (name, text)
}

fn quoted(field: &str, padding: &str, random: &mut Random) -> String {
    if field.contains(['"', ',', '\n']) || random.one_in(4) {
        return format!("\"{}\"", field.replace('"', "\"\""));
    }
    format!("{padding}{field}{padding}")
}
