//! Reads GTFS: one file per table. Texts of rows are in the timetable's text table, and references are positions. Unusable
//! rows are dropped with an issue.

mod agency;
mod areas;
mod calendar;
mod counted_lines;
mod fares;
mod feed_info;
mod files;
mod flex;
mod frequencies;
mod pathways;
mod quotes;
mod routes;
mod shapes;
mod stop_times;
mod stops;
mod table;
mod transfers;
mod trips;

use rustc_hash::FxHashMap;
use trestle_model::IssueSink;
use trestle_model::strings::StringsBuilder;

pub(crate) use agency::AgencyRow;
pub(crate) use areas::AreaRow;
pub(crate) use calendar::ServiceRow;
pub(crate) use feed_info::FeedInfo;
pub use files::FeedFiles;
pub(crate) use flex::{BLANK, FlexCallRow, Hailing};
pub(crate) use frequencies::FrequencyRow;
pub(crate) use routes::{RouteRow, mode_of};
pub(crate) use shapes::{ShapePoint, Shapes};
#[cfg(test)]
pub(crate) use stop_times::NO_FLEX;
pub(crate) use stop_times::{MISSING_TIME, StopTimeRow};
pub use stops::STATION;
pub(crate) use stops::{MOST_PARENTS, StopRow};
use table::Reading;
pub(crate) use table::{DATE_RANGE, LONGEST_SECONDS};
pub(crate) use transfers::{SeatRow, TransferRow};
pub(crate) use trips::{TripFacts, TripRow};

use crate::error::TransitError;
use crate::timetable::{FareAttribute, FareRule, Pathway};

/// A row and the feed it is from.
pub(crate) struct OfFeed<T> {
    pub(crate) feed: u32,
    pub(crate) row: T,
}

/// Everything read from one feed. References are positions in this feed's own tables.
#[derive(Debug, Default)]
pub(crate) struct Feed {
    pub(crate) info: Option<FeedInfo>,
    pub(crate) agencies: Vec<AgencyRow>,
    pub(crate) stops: Vec<StopRow>,
    pub(crate) routes: Vec<RouteRow>,
    pub(crate) services: Vec<ServiceRow>,
    pub(crate) trips: Vec<TripRow>,
    /// Sorted by trip, then stop_sequence.
    pub(crate) stop_times: Vec<StopTimeRow>,
    /// [`StopTimeRow::flex`] refers to these.
    pub(crate) flex_calls: Vec<FlexCallRow>,
    /// In file order.
    pub(crate) frequencies: Vec<FrequencyRow>,
    pub(crate) shapes: Shapes,
    pub(crate) transfers: Vec<TransferRow>,
    pub(crate) seats: Vec<SeatRow>,
    pub(crate) pathways: Vec<Pathway>,
    pub(crate) fares: Vec<FareAttribute>,
    pub(crate) fare_rules: Vec<FareRule>,
    pub(crate) areas: Vec<AreaRow>,
}

/// Reads all tables of a feed.
///
/// # Errors
/// [`TransitError`] when a required table or one of its key columns is missing.
pub(crate) fn read_feed(
    files: &FeedFiles<'_>,
    texts: &mut StringsBuilder,
    issues: &mut IssueSink,
) -> Result<Feed, TransitError> {
    for (path, why) in files.left_out() {
        issues.add("table-left-out", &format!("{}/{path}", files.name()), 0, *why);
    }
    report_other_encodings(files, issues);
    let reading = &mut Reading { files, texts, issues };
    let info = feed_info::read(reading);
    let (agencies, agency_ids) = agency::read(reading)?;
    let (stops, stop_ids) = stops::read(reading)?;
    let (routes, route_ids) = routes::read(reading, &agency_ids)?;
    let (services, service_ids) = calendar::read(reading)?;
    let (shapes, shape_ids) = shapes::read(reading);
    let (trips, trip_ids) = trips::read(reading, &route_ids, &service_ids, &shape_ids)?;
    let areas = areas::read(reading);
    let (stop_times, flex_calls) = stop_times::read(reading, &trip_ids, &stop_ids, &areas)?;
    report_calls_elsewhere(reading, &stops, &stop_times);
    let (mut fares, fare_ids) = fares::read_attributes(reading);
    let fare_rules = fares::read_rules(reading, &mut fares, &fare_ids, &route_ids);
    let frequencies = frequencies::read(reading, &trip_ids);
    let (transfers, seats) = transfers::read(reading, &stop_ids, &route_ids, &trip_ids);
    Ok(Feed {
        info,
        agencies,
        routes,
        services,
        stop_times,
        flex_calls,
        frequencies,
        transfers,
        seats,
        pathways: pathways::read(reading, &stops, &stop_ids),
        fare_rules,
        areas,
        stops,
        shapes,
        trips,
        fares,
    })
}

/// Reports stations, entrances and other places that GTFS does not let vehicles call at.
fn report_calls_elsewhere(reading: &mut Reading<'_>, stops: &[StopRow], calls: &[StopTimeRow]) {
    let path = format!("{}/stops.txt", reading.files.name());
    let mut is_called = vec![false; stops.len()];
    calls.iter().for_each(|call| is_called[call.stop as usize] = true);
    let called =
        stops.iter().zip(is_called).filter(|(stop, is_called)| *is_called && stop.location_type != 0);
    for (StopRow { location_type, line, .. }, _) in called {
        let message =
            format!("vehicles call here, although location_type is {location_type}; read as a stop");
        reading.issues.add("call-not-at-stop", &path, *line, message);
    }
}

/// Reports tables with bytes that are not UTF-8. stop_times.txt, which is read in pieces, has hardly any text.
fn report_other_encodings(files: &FeedFiles<'_>, issues: &mut IssueSink) {
    for (table, content) in files.tables() {
        if let Err(error) = std::str::from_utf8(content) {
            let before = &content[..error.valid_up_to()];
            let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count() as u64;
            let message = "the table is not in UTF-8; characters in another encoding are read as “\u{fffd}”";
            issues.add("not-utf8", &format!("{}/{table}", files.name()), line, message);
        }
    }
}

/// Positions of a table's rows by id.
#[derive(Debug, Default)]
pub(crate) struct IdIndex(FxHashMap<Box<[u8]>, u32>);

impl IdIndex {
    /// Gives `id` the next position; `false` when it is blank or exists already.
    pub(crate) fn add(&mut self, id: &[u8]) -> bool {
        let next = self.0.len() as u32;
        if id.is_empty() || self.0.contains_key(id) {
            return false;
        }
        self.0.insert(id.into(), next);
        true
    }

    /// Number of rows.
    fn len(&self) -> usize {
        self.0.len()
    }

    /// Position of `id`.
    #[inline]
    pub(crate) fn get(&self, id: &[u8]) -> Option<u32> {
        self.0.get(id).copied()
    }

    /// Gives ids the positions that `number` makes of theirs, and forgets those for which it has none.
    fn renumber(&mut self, number: impl Fn(u32) -> Option<u32>) {
        self.0.retain(|_, position| number(*position).inspect(|&new| *position = new).is_some());
    }

    /// Adds the id in `col` of `row` and reports a blank or repeated one; `false` when the row must be dropped.
    fn add_row(&mut self, row: &table::Row<'_>, col: table::Col, issues: &mut IssueSink) -> bool {
        let added = self.add(row.bytes(col));
        if !added {
            let code = if row.is_blank(col) { "blank-id" } else { "repeated-id" };
            row.issue(code, format!("id “{}”; row dropped", row.text(col)), issues);
        }
        added
    }
}
