//! Timetables in a few lines, questions and paths in one line each.
//!
//! ```text
//! 1/T1 : A 8:00, B 8:10-8:12, C 8:20     trip T1 of route 1; more columns of trips.txt may follow the trip
//! walk A B 400                           400 m between A and B, both ways
//! stop A wheelchair_boarding=1           columns of a stop (others need no line)
//! mode 1 0                               route_type of route 1 (3 without such a line)
//! days 20240610 20240610                 first and last day of all trips (every day of 2024 without such a line)
//! table transfers.txt                    followed by the table, up to a blank line
//! ```
//! Questions are about 10 June 2024.

use std::collections::{BTreeMap, BTreeSet};

use trestle_model::ids::StopIdx;
use trestle_model::{Direction, RoutingRequest, ServiceDate};
use trestle_transit::calendar::service_day_start;
use trestle_transit::overlay::Overlay;
use trestle_transit::path::TransitPath;
use trestle_transit::raptor::{
    ActiveService, Endpoint, OnBoardStart, StreetAlternative, TransitQuery, TransitScratch, plan,
};
use trestle_transit::scenario::{Applied, Modification, Report, apply};
use trestle_transit::timetable::{DirectTransfer, Timetable};
use trestle_transit::transfers::{TransferEdge, WHEELCHAIR, store_direct};

use crate::support::feed;

/// A timetable and its compiled service on the day of the questions.
pub(crate) struct Town {
    pub(crate) timetable: Timetable,
    pub(crate) service: ActiveService,
    pub(crate) day_start: i64,
}

/// Inputs of a query besides the request and the endpoints.
#[derive(Default)]
pub(crate) struct Traveller {
    pub(crate) on_board: Option<OnBoardStart>,
    pub(crate) on_streets: Option<StreetAlternative>,
}

/// Asks for one itinerary.
pub(crate) fn one(request: &mut RoutingRequest) {
    request.num_itineraries = 1;
}

/// Asks for two itineraries.
pub(crate) fn two(request: &mut RoutingRequest) {
    request.num_itineraries = 2;
}

impl Town {
    pub(crate) fn new(text: &str) -> Town {
        Town::with_overlay(text, |_| None)
    }

    pub(crate) fn with_overlay(text: &str, overlay: impl FnOnce(&Timetable) -> Option<Overlay>) -> Town {
        let mut source = Source::default();
        text.split("\n\n").for_each(|block| source.read(block));
        let (mut timetable, _) = feed::timetable(&source.feed());
        let edges: Vec<_> = source.walks.iter().flat_map(|walk| edges(&timetable, walk)).collect();
        store_direct(&mut timetable, &edges);
        let overlay = overlay(&timetable);
        let service = ActiveService::compile(&timetable, day(), 1, overlay.as_ref());
        let day_start = service_day_start(day(), &timetable.time_zone());
        Town { timetable, service, day_start }
    }

    /// The town with modifications, and the report of each.
    pub(crate) fn changed(&self, modifications: &[Modification]) -> (Town, Vec<Report>) {
        let Applied { timetable, reports, .. } = apply(&self.timetable, modifications);
        let service = ActiveService::compile(&timetable, day(), 1, None);
        (Town { timetable, service, day_start: self.day_start }, reports)
    }

    pub(crate) fn stop(&self, name: &str) -> StopIdx {
        self.timetable.stop_by_id(&format!("1:{name}")).unwrap_or_else(|| panic!("no stop {name}"))
    }

    /// Answers `A+60,B -> C at 8:00` (or `by 9:00`); `+60` is seconds of walking, at twice the cost.
    pub(crate) fn ask(&self, question: &str, change: impl FnOnce(&mut RoutingRequest)) -> Vec<TransitPath> {
        self.ask_as(question, change, Traveller::default())
    }

    pub(crate) fn ask_as(
        &self,
        question: &str,
        change: impl FnOnce(&mut RoutingRequest),
        traveller: Traveller,
    ) -> Vec<TransitPath> {
        self.ask_in(question, change, traveller, &mut TransitScratch::default())
    }

    /// The same with memory that the caller gives, and with its limit on labels.
    pub(crate) fn ask_in(
        &self,
        question: &str,
        change: impl FnOnce(&mut RoutingRequest),
        traveller: Traveller,
        scratch: &mut TransitScratch,
    ) -> Vec<TransitPath> {
        let words: Vec<&str> = question.split_whitespace().collect();
        let [from, "->", to, kind, time] = words[..] else { panic!("cannot parse “{question}”") };
        let mut request = RoutingRequest {
            epoch_seconds: self.day_start + i64::from(seconds(time)),
            direction: Direction::of_request(kind == "by"),
            max_transfers: 4,
            ..RoutingRequest::default()
        };
        change(&mut request);
        let query = TransitQuery {
            request: &request,
            access: &self.endpoints(from),
            egress: &self.endpoints(to),
            on_board: traveller.on_board,
            on_streets: traveller.on_streets,
            interrupted: &|_| false,
        };
        plan(&self.timetable, &self.service, &query, scratch).paths
    }

    pub(crate) fn endpoints(&self, list: &str) -> Vec<Endpoint> {
        let endpoint = |text: &str| {
            let (stop, seconds) = text.split_once('+').unwrap_or((text, "0"));
            let seconds: i32 = seconds.parse().unwrap();
            Endpoint { stop: self.stop(stop), seconds, cost: f64::from(seconds) * 2.0 }
        };
        list.split(',').filter(|text| *text != "-").map(endpoint).collect()
    }

    /// `8:00 A -[T1]-> B 8:10, 303 s to C, 8:20 C -[T2]-> D 8:30`; `on` instead of a comma when staying seated.
    pub(crate) fn describe(&self, path: &TransitPath) -> String {
        let mut line = String::new();
        for (index, ride) in path.rides.iter().enumerate() {
            let walk = index.checked_sub(1).and_then(|i| path.transfers[i]);
            if let Some(walk) = walk {
                line += &format!(", {} s to {}", walk.seconds, self.stop_name(walk.to_stop));
            }
            if index > 0 {
                line += if ride.interlined { " on " } else { ", " };
            }
            let trip = &self.timetable.trip_id(ride.trip);
            let pattern = self.timetable.pattern_of(ride.trip);
            let stops = self.timetable.patterns.stops(pattern);
            let stop = |position: u32| self.stop_name(StopIdx(stops[position as usize]));
            line += &format!(
                "{} {} -[{}]-> {} {}",
                self.clock(ride.board_time),
                stop(ride.board_position),
                trip.trim_start_matches("1:"),
                stop(ride.alight_position),
                self.clock(ride.alight_time)
            );
        }
        line
    }

    fn stop_name(&self, stop: StopIdx) -> String {
        self.timetable.stop_id(stop).trim_start_matches("1:").to_owned()
    }

    pub(crate) fn clock(&self, epoch: i64) -> String {
        let seconds = epoch - self.day_start;
        match seconds % 60 {
            0 => format!("{}:{:02}", seconds / 3600, seconds / 60 % 60),
            rest => format!("{}:{:02}:{rest:02}", seconds / 3600, seconds / 60 % 60),
        }
    }
}

/// Compares the lines of all paths with the expected ones.
pub(crate) fn check(
    town: &Town,
    question: &str,
    change: impl FnOnce(&mut RoutingRequest),
    expected: &[&str],
) {
    let lines: Vec<String> = town.ask(question, change).iter().map(|path| town.describe(path)).collect();
    assert_eq!(lines, expected, "{question}");
}

pub(crate) fn day() -> ServiceDate {
    ServiceDate::parse_compact("20240610").unwrap()
}

pub(crate) fn seconds(clock: &str) -> i32 {
    let parts: Vec<i32> = clock.split(':').map(|part| part.parse().unwrap()).collect();
    parts[0] * 3600 + parts[1] * 60 + parts.get(2).copied().unwrap_or(0)
}

fn edges(timetable: &Timetable, (a, b, meters): &(String, String, f32)) -> [TransferEdge; 2] {
    let stop = |name: &str| timetable.stop_by_id(&format!("1:{name}")).unwrap();
    [(a, b), (b, a)].map(|(from, to)| TransferEdge {
        from_stop: stop(from),
        transfer: DirectTransfer { other_stop: stop(to).0, meters: *meters, seconds: -1, flags: WHEELCHAIR },
    })
}

/// The lines of a town by kind.
#[derive(Default)]
struct Source {
    trips: Vec<String>,
    stops: BTreeMap<String, String>,
    routes: BTreeSet<String>,
    modes: BTreeMap<String, String>,
    walks: Vec<(String, String, f32)>,
    days: Option<String>,
    tables: Vec<String>,
}

impl Source {
    fn read(&mut self, block: &str) {
        if block.trim_start().starts_with("table ") {
            self.tables.push(block.to_owned());
            return;
        }
        for line in block.lines().map(str::trim) {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                [] => {}
                ["walk", a, b, meters] => {
                    self.walks.push((a.to_owned(), b.to_owned(), meters.parse().unwrap()))
                }
                ["stop", name, ref rest @ ..] => {
                    self.stops.insert(name.to_owned(), rest.join(" "));
                }
                ["days", first, last] => self.days = Some(format!("{first} {last}")),
                ["mode", route, mode] => {
                    self.modes.insert(route.to_owned(), mode.to_owned());
                }
                _ => self.read_trip(line),
            }
        }
    }

    fn read_trip(&mut self, line: &str) {
        let (head, calls) = line.split_once(" : ").unwrap_or_else(|| panic!("cannot parse “{line}”"));
        let (name, rest) = head.split_once(' ').unwrap_or((head, ""));
        let (route, trip) = name.split_once('/').unwrap();
        self.routes.insert(route.to_owned());
        let call = |call: &str| {
            let words: Vec<&str> = call.split_whitespace().collect();
            self.stops.entry(words[0].to_owned()).or_default();
            let full = |clock: &str| {
                if clock.matches(':').count() == 1 { format!("{clock}:00") } else { clock.to_owned() }
            };
            let times: Vec<_> = words[1].split('-').map(full).collect();
            format!("{} {} {}", words[0], times.join("-"), words[2..].join(" "))
        };
        let calls: Vec<_> = calls.split(',').map(call).collect();
        self.trips.push(format!("trip {trip} {route} D {rest} : {}", calls.join(",")));
    }

    fn feed(&self) -> String {
        let days = self.days.as_deref().unwrap_or("20240101 20241231");
        let mut lines = vec![format!("service D {days} 1111111")];
        for (index, (name, columns)) in self.stops.iter().enumerate() {
            lines.push(format!("stop {name} 41.{index:02} -8.60 {columns}"));
        }
        for route in &self.routes {
            let mode = self.modes.get(route).map_or("3", String::as_str);
            lines.push(format!("route {route} {mode} route_short_name={route}"));
        }
        lines.extend(self.trips.iter().cloned());
        for table in &self.tables {
            lines.extend(table.lines().map(|line| line.trim().to_owned()));
            lines.push(String::new());
        }
        lines.join("\n")
    }
}
