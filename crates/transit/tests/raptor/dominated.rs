//! Random small timetables: no trip dominates a path of an answer. A trip dominates a path if it leaves no earlier,
//! arrives no later, is more than five minutes shorter, and has no more boardings and at most 200 m more to walk.

use proptest::prelude::*;
use trestle_model::RoutingRequest;
use trestle_transit::path::TransitPath;
use trestle_transit::raptor::{TransitScratch, plan};

use super::brute_force::{Network, Question, walk_seconds};
use super::random::{ask, network, question, request, town_of_a_day};

const GAIN: i32 = 300;
/// 200 m at the usual speed.
const MORE_WALKING: i32 = 150;

/// A trip from place to place.
#[derive(Clone, Copy, Debug)]
struct Trip {
    departure: i32,
    arrival: i32,
    rides: usize,
    /// Seconds.
    walked: i32,
}

impl Trip {
    fn of(path: &TransitPath, question: &Question, day_start: i64) -> Trip {
        let ends = question.access[path.access.unwrap()].1 + question.egress[path.egress].1;
        let between: i32 = path.transfers.iter().flatten().map(|walk| walk.seconds).sum();
        Trip {
            departure: (path.departure - day_start) as i32,
            arrival: (path.arrival - day_start) as i32,
            rides: path.rides.len(),
            walked: ends + between,
        }
    }

    fn dominates(&self, other: &Trip) -> bool {
        let (later, earlier) = (self.departure - other.departure, other.arrival - self.arrival);
        later >= 0
            && earlier >= 0
            && later + earlier > GAIN
            && self.rides <= other.rides
            && self.walked <= other.walked + MORE_WALKING
    }
}

/// Tries every sequence of rides, with any trips, between the departure and the arrival of a trip.
struct Inside<'a> {
    network: &'a Network,
    question: &'a Question,
    given: Trip,
    /// Whether the trip itself was found.
    itself: bool,
    /// A trip that dominates it.
    better: Option<Trip>,
}

impl Inside<'_> {
    fn search(&mut self) {
        for &(stop, seconds) in &self.question.access {
            let ready = self.given.departure + seconds;
            self.enter_any(stop, ready, Trip { departure: 0, arrival: 0, rides: 0, walked: seconds });
        }
    }

    /// Enters every vehicle at a stop from a time on.
    fn enter_any(&mut self, stop: usize, ready: i32, so_far: Trip) {
        let (network, latest) = (self.network, self.given.arrival);
        for line in &network.lines {
            for (from, _) in line.stops.iter().enumerate().filter(|(_, other)| **other == stop) {
                let boarded = line.trips.iter().filter(|trip| (ready..=latest).contains(&trip[from].1));
                for trip in boarded {
                    let departure =
                        if so_far.rides == 0 { trip[from].1 - so_far.walked } else { so_far.departure };
                    for (to, (arrival, _)) in trip.iter().enumerate().skip(from + 1) {
                        self.leave(
                            line.stops[to],
                            *arrival,
                            Trip { departure, rides: so_far.rides + 1, ..so_far },
                        );
                    }
                }
            }
        }
    }

    fn leave(&mut self, stop: usize, time: i32, so_far: Trip) {
        for &(_, seconds) in self.question.egress.iter().filter(|(other, _)| *other == stop) {
            let whole = Trip { arrival: time + seconds, walked: so_far.walked + seconds, ..so_far };
            self.itself |= whole.departure == self.given.departure && whole.arrival == self.given.arrival;
            if whole.dominates(&self.given) {
                self.better = Some(whole);
            }
        }
        if so_far.rides == self.given.rides {
            return;
        }
        let ready = time + self.question.transfer_slack;
        self.enter_any(stop, ready, so_far);
        for walk in &self.network.walks {
            let (a, b) = walk.ends;
            for (_, to) in [(a, b), (b, a)].into_iter().filter(|(from, _)| *from == stop) {
                let seconds = walk_seconds(walk.meters);
                self.enter_any(to, ready + seconds, Trip { walked: so_far.walked + seconds, ..so_far });
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn no_trip_dominates_a_path_of_an_answer(network in network(), question in question(), wanted in 1..4i32) {
        let question = Question { waits: (40, 100), ..question };
        let town = town_of_a_day(&network);
        for arrive_by in [false, true] {
            let time = question.start + if arrive_by { 5400 } else { 0 };
            let request = RoutingRequest { num_itineraries: wanted, ..request(&town, &question, time, arrive_by) };
            let paths = ask(&town, &question, &request, |query| {
                plan(&town.timetable, &town.service, query, &mut TransitScratch::default()).paths
            });
            let trips: Vec<_> = paths.iter().map(|path| Trip::of(path, &question, town.day_start)).collect();
            for given in &trips {
                let mut inside = Inside {
                    network: &network,
                    question: &question,
                    given: *given,
                    itself: false,
                    better: None,
                };
                inside.search();
                prop_assert!(inside.itself, "cannot be travelled: {:?}", given);
                prop_assert!(inside.better.is_none(), "arrive by {}: {:?} dominates {:?}", arrive_by, inside.better, given);
                prop_assert!(trips.iter().all(|other| !other.dominates(given)));
            }
        }
    }
}
