//! A brute-force search: tries every sequence of rides on a small network.

/// Trips of one route over the same stops; no trip overtakes another.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) stops: Vec<usize>,
    /// (arrival, departure) at every stop, trip by trip, in seconds.
    pub(crate) trips: Vec<Vec<(i32, i32)>>,
}

/// A walk between two stops, in both directions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Footpath {
    pub(crate) ends: (usize, usize),
    pub(crate) meters: i32,
}

#[derive(Clone, Debug)]
pub(crate) struct Network {
    pub(crate) stops: usize,
    pub(crate) lines: Vec<Line>,
    pub(crate) walks: Vec<Footpath>,
}

/// A query with (stop, seconds) at both ends; a second of walking costs 2.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) start: i32,
    pub(crate) access: Vec<(usize, i32)>,
    pub(crate) egress: Vec<(usize, i32)>,
    pub(crate) max_rides: usize,
    /// Cost of a second of waiting in hundredths: (first wait, later waits).
    pub(crate) waits: (i64, i64),
    /// Seconds between leaving a vehicle and entering the next.
    pub(crate) transfer_slack: i32,
}

/// Arrival and cost in hundredths.
pub(crate) type Found = (i32, i64);

const BOARDING: i64 = 60_000;

pub(crate) fn walk_seconds(meters: i32) -> i32 {
    (f64::from(meters as f32) / 1.33).ceil() as i32 + 2
}

/// The arrivals of all sequences of rides that always take the next trip of a line.
#[derive(Default)]
pub(crate) struct RideSequences {
    /// Sequences that never take the line they just left.
    pub(crate) proper: Vec<Found>,
    /// All others.
    pub(crate) same_line_again: Vec<Found>,
}

impl RideSequences {
    pub(crate) fn find(network: &Network, question: &Question) -> RideSequences {
        let mut found = RideSequences::default();
        for &(stop, seconds) in &question.access {
            let time = question.start + seconds;
            let cost = i64::from(seconds) * 200;
            let state = State { stop, time, cost, rides: 0, last: None, again: false };
            board_any(network, question, &state, &mut found);
        }
        found
    }

    /// The earliest arrival of all.
    pub(crate) fn first(&self) -> Option<i32> {
        self.proper.iter().chain(&self.same_line_again).map(|found| found.0).min()
    }

    /// The proper ones that no other one, proper or not, dominates in arrival and cost.
    pub(crate) fn front(&self) -> Vec<Found> {
        let mut all = self.proper.clone();
        all.sort_unstable();
        let mut front: Vec<Found> = Vec::new();
        for found in all {
            if front.last().is_none_or(|best| found.1 < best.1) {
                front.push(found);
            }
        }
        front.retain(|found| {
            !self.same_line_again.iter().any(|other| other.0 <= found.0 && other.1 <= found.1)
        });
        front
    }
}

#[derive(Clone, Copy)]
struct State {
    stop: usize,
    time: i32,
    cost: i64,
    rides: usize,
    /// Line just left.
    last: Option<usize>,
    /// Whether some line was taken again just after it was left.
    again: bool,
}

fn board_any(network: &Network, question: &Question, state: &State, found: &mut RideSequences) {
    if state.rides == question.max_rides {
        return;
    }
    let slack = if state.rides == 0 { 0 } else { question.transfer_slack };
    let price = if state.rides == 0 { question.waits.0 } else { question.waits.1 };
    let ready = state.time + slack;
    for (index, line) in network.lines.iter().enumerate() {
        let again = state.again || state.last == Some(index);
        for (from, _) in line.stops.iter().enumerate().filter(|(_, stop)| **stop == state.stop) {
            let next = line.trips.iter().filter(|trip| trip[from].1 >= ready).min_by_key(|trip| trip[from].1);
            let Some(trip) = next else { continue };
            let departure = trip[from].1;
            let cost = state.cost + i64::from(slack) * 100 + i64::from(departure - ready) * price + BOARDING;
            for (to, (arrival, _)) in trip.iter().enumerate().skip(from + 1) {
                let cost = cost + i64::from(arrival - departure) * 100;
                let left = State {
                    stop: line.stops[to],
                    time: *arrival,
                    cost,
                    rides: state.rides + 1,
                    last: Some(index),
                    again,
                };
                leave_and_continue(network, question, &left, found);
            }
        }
    }
}

fn leave_and_continue(network: &Network, question: &Question, left: &State, found: &mut RideSequences) {
    for &(_, seconds) in question.egress.iter().filter(|(stop, _)| *stop == left.stop) {
        let arrival = (left.time + seconds, left.cost + i64::from(seconds) * 200);
        if left.again { found.same_line_again.push(arrival) } else { found.proper.push(arrival) }
    }
    board_any(network, question, left, found);
    for walk in &network.walks {
        let (a, b) = walk.ends;
        let to = if a == left.stop { b } else { a };
        if a == left.stop || b == left.stop {
            let seconds = walk_seconds(walk.meters);
            let walked = State {
                stop: to,
                time: left.time + seconds,
                cost: left.cost + i64::from(seconds) * 200,
                ..*left
            };
            board_any(network, question, &walked, found);
        }
    }
}
