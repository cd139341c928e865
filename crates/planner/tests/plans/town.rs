//! Builds towns from small texts, and writes their plans as lines.

use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use trestle_engine::build::{BuildOptions, build_directory};
use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::LatLon;
use trestle_model::itinerary::{Itinerary, Leg};
use trestle_model::request::PlaceRequest;
use trestle_model::{Direction, PlanErrorCode, RoutingRequest};
use trestle_planner::Scratch;
use trestle_planner::plan::plan;

use crate::feed;
use crate::streets;

/// A built town.
pub(crate) struct Town {
    pub(crate) snapshot: Snapshot,
    nodes: BTreeMap<String, LatLon>,
}

/// Options under which nothing of a small town is pruned.
pub(crate) fn options() -> BuildOptions {
    let mut options = BuildOptions::default();
    options.street.island_without_stops_max = 0;
    options
}

impl Town {
    /// A town of streets (`n1 lat lon key=value`, `w1 1,2 key=value`, `r1 from:w1 via:n1 to:w2 key=value`) and a feed
    /// (`stop A lat lon`, `route R 3`, `trip T R WK : A 8:00:00, B 8:10:00`).
    pub(crate) fn new(streets: &str, feed: &str) -> Town {
        Town::built(streets, &[feed], &options())
    }

    /// A town of several feeds, built with options.
    pub(crate) fn built(streets: &str, feeds: &[&str], options: &BuildOptions) -> Town {
        Town::with_raster(streets, feeds, &[], options)
    }

    /// A town with an elevation raster, the content of a GeoTIFF.
    pub(crate) fn with_raster(streets: &str, feeds: &[&str], raster: &[u8], options: &BuildOptions) -> Town {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let directory = std::env::temp_dir().join(format!("trestle-plans-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        if !streets.trim().is_empty() {
            std::fs::write(directory.join("town.osm"), streets::xml(streets)).unwrap();
        }
        if !raster.is_empty() {
            std::fs::write(directory.join("heights.tif"), raster).unwrap();
        }
        for (number, feed) in feeds.iter().enumerate().filter(|(_, feed)| !feed.trim().is_empty()) {
            std::fs::write(directory.join(format!("feed{number}.zip")), zipped(feed::tables(feed))).unwrap();
        }
        let output: PathBuf = directory.join("Graph.obj");
        let outcome = build_directory(&directory, &output, options, &mut |_, _| {}).unwrap();
        std::fs::remove_dir_all(&directory).unwrap();
        Town { snapshot: Snapshot::new(Arc::new(outcome.graph), 0), nodes: nodes(streets) }
    }

    /// The same places with another snapshot.
    pub(crate) fn with(&self, snapshot: Snapshot) -> Town {
        Town { snapshot, nodes: self.nodes.clone() }
    }

    /// Answers `n1 -> A at 8:00` (or `by 9:00`, or `at 2024-03-31T8:00`) with a line per itinerary, or the error's name.
    /// Places are nodes of the streets, stops of the first feed, or `lat,lon`; the day is 3 January 2024 unless given.
    pub(crate) fn plan(&self, question: &str, change: impl FnOnce(&mut RoutingRequest)) -> String {
        match self.itineraries(question, change) {
            Ok(itineraries) => itineraries.iter().map(|i| self.describe(i)).collect::<Vec<_>>().join("\n"),
            Err(code) => format!("{code:?}"),
        }
    }

    /// [`Town::plan`] with the plain question.
    pub(crate) fn ask(&self, question: &str) -> String {
        self.plan(question, |_| {})
    }

    /// The itineraries themselves.
    pub(crate) fn itineraries(
        &self,
        question: &str,
        change: impl FnOnce(&mut RoutingRequest),
    ) -> Result<Vec<Itinerary>, PlanErrorCode> {
        let mut request = self.request(question);
        change(&mut request);
        let answer = plan(&self.snapshot, &request, &mut Scratch::default(), &Deadline::default());
        answer.map(|plan| plan.itineraries).map_err(|error| error.code)
    }

    /// The name of the start of a plan.
    pub(crate) fn start_name(&self, question: &str, change: impl FnOnce(&mut RoutingRequest)) -> String {
        let mut request = self.request(question);
        change(&mut request);
        let answer = plan(&self.snapshot, &request, &mut Scratch::default(), &Deadline::default());
        answer.unwrap().from.name
    }

    pub(crate) fn request(&self, question: &str) -> RoutingRequest {
        let words: Vec<&str> = question.split_whitespace().collect();
        let [from, "->", to, kind, time] = words[..] else { panic!("what is “{question}”?") };
        RoutingRequest {
            from: self.place(from),
            to: self.place(to),
            epoch_seconds: self.epoch(time),
            direction: Direction::of_request(kind == "by"),
            num_itineraries: 1,
            max_walk_distance: 2000.0,
            max_transfers: 4,
            ..RoutingRequest::default()
        }
    }

    /// A place by node, stop or coordinate.
    pub(crate) fn place(&self, text: &str) -> PlaceRequest {
        let position = self.nodes.get(text).copied().or_else(|| {
            let (lat, lon) = text.split_once(',')?;
            Some(LatLon::new(lat.parse().ok()?, lon.parse().ok()?))
        });
        let label = if position.is_some() { String::new() } else { format!("1:{text}") };
        PlaceRequest { name: String::new(), position, label }
    }

    /// The epoch second of a local time.
    pub(crate) fn epoch(&self, time: &str) -> i64 {
        let (date, clock) = time.split_once('T').unwrap_or(("2024-01-03", time));
        let (hour, minute) = clock.split_once(':').unwrap();
        let midnight: DateTime = format!("{date}T00:00").parse().unwrap();
        let local = midnight + (hour.parse::<i64>().unwrap().hours().minutes(minute.parse::<i64>().unwrap()));
        local.to_zoned(self.snapshot.zone.clone()).unwrap().timestamp().as_second()
    }

    /// `7:58 walk 133 m, bus T1 A 8:00 - B 8:10, walk 50 m, 8:11`; times have seconds where they are not whole minutes.
    pub(crate) fn describe(&self, itinerary: &Itinerary) -> String {
        let zone = &self.snapshot.zone;
        let legs: Vec<String> = itinerary.legs.iter().map(|leg| describe_leg(leg, zone)).collect();
        format!(
            "{} {}, {}",
            clock(itinerary.start_time, zone),
            legs.join(", "),
            clock(itinerary.end_time, zone)
        )
    }
}

fn describe_leg(leg: &Leg, zone: &TimeZone) -> String {
    let mode = format!("{:?}", leg.mode).to_lowercase();
    let Some(transit) = &leg.transit else {
        let rented = if leg.rented_bike { "rented " } else { "" };
        return format!("{rented}{mode} {:.0} m", leg.distance);
    };
    let without_feed = |id: &str| id.split_once(':').map_or(id, |(_, id)| id).to_owned();
    let stop = |id: &Option<String>| id.as_deref().map_or_else(|| "on board".to_owned(), without_feed);
    let seated = if transit.interline_with_previous { "seated " } else { "" };
    format!(
        "{seated}{mode} {} {} {} - {} {}",
        without_feed(&transit.trip_id),
        stop(&leg.from.stop_id),
        clock(leg.start_time, zone),
        stop(&leg.to.stop_id),
        clock(leg.end_time, zone)
    )
}

/// Local `H:MM` or `H:MM:SS`.
fn clock(epoch_ms: i64, zone: &TimeZone) -> String {
    let time = Timestamp::from_millisecond(epoch_ms).unwrap().to_zoned(zone.clone());
    let seconds = if time.second() == 0 { String::new() } else { format!(":{:02}", time.second()) };
    format!("{}:{:02}{seconds}", time.hour(), time.minute())
}

fn nodes(streets: &str) -> BTreeMap<String, LatLon> {
    let words = streets.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let nodes = words.filter(|words| words.first().is_some_and(|id| id.starts_with('n')));
    nodes
        .map(|words| (words[0].to_owned(), LatLon::new(words[1].parse().unwrap(), words[2].parse().unwrap())))
        .collect()
}

fn zipped(tables: BTreeMap<String, String>) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in tables {
        writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}
