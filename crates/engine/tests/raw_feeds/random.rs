//! Random feeds around the days on which clocks change.

use super::feed::{Call, Feed, Frequency, Service, Trip};

const HOUR: i32 = 3600;
const DAY: i32 = 24 * HOUR;

/// A sequence of random numbers.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % limit
    }

    pub(crate) fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }

    /// A number from `from` up to `to`, without it.
    pub(crate) fn between(&mut self, from: i32, to: i32) -> i32 {
        from + self.below((to - from) as u64) as i32
    }

    pub(crate) fn of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len() as u64) as usize]
    }

    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            list.swap(end, self.below(end as u64 + 1) as usize);
        }
    }
}

/// Clocks that change on a day: seconds ahead of UTC at noon of the days before, and from that day on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) zone: &'static str,
    pub(crate) day: i32,
    pub(crate) ahead: [i64; 2],
}

/// From the published rules of the zones.
pub(crate) const CHANGES: [Change; 10] = [
    // 31 March and 27 October 2024.
    Change { zone: "Europe/Lisbon", day: 19_813, ahead: [0, 3600] },
    Change { zone: "Europe/Lisbon", day: 20_023, ahead: [3600, 0] },
    // 4 November 2018, when 0:00 became 1:00, and 18 February 2018, when it became 23:00.
    Change { zone: "America/Sao_Paulo", day: 17_839, ahead: [-10_800, -7200] },
    Change { zone: "America/Sao_Paulo", day: 17_580, ahead: [-7200, -10_800] },
    // 7 April and 6 October 2024, by half an hour.
    Change { zone: "Australia/Lord_Howe", day: 19_820, ahead: [39_600, 37_800] },
    Change { zone: "Australia/Lord_Howe", day: 20_002, ahead: [37_800, 39_600] },
    // By two hours.
    Change { zone: "Antarctica/Troll", day: 19_813, ahead: [0, 7200] },
    Change { zone: "Antarctica/Troll", day: 20_023, ahead: [7200, 0] },
    Change { zone: "Asia/Kathmandu", day: 19_884, ahead: [20_700; 2] },
    Change { zone: "Pacific/Kiritimati", day: 19_884, ahead: [50_400; 2] },
];

/// Zones whose clocks never change in those years.
pub(crate) const STEADY: [(&str, i64); 4] =
    [("Asia/Kathmandu", 20_700), ("Pacific/Kiritimati", 50_400), ("Pacific/Honolulu", -36_000), ("UTC", 0)];

const STOPS: usize = 5;

/// A feed whose trips run around a day.
pub(crate) fn feed(random: &mut Random, name: &str, zone: &'static str, day: i32) -> Feed {
    let services: Vec<_> = (0..random.between(1, 4)).map(|_| service(random, day)).collect();
    let count = random.between(1, 7);
    let mut trips: Vec<Trip> = Vec::new();
    let mut linked = Vec::new();
    for number in 0..count {
        let service = random.below(services.len() as u64) as usize;
        let before = trips.last().filter(|_| random.one_in(2)).cloned();
        let before = before.map(|last| if random.one_in(3) { random.of(&trips).clone() } else { last });
        let mut trip = trip(random, before.as_ref(), service);
        trip.id = format!("{name}:{number}");
        if let Some(before) = before.filter(|_| random.one_in(2)) {
            linked.push((before.id, trip.id.clone()));
            let is_after_midnight = trip.calls.iter().filter_map(|call| call.arrival).all(|time| time >= DAY);
            if is_after_midnight && random.one_in(2) {
                trip = on_the_next_day(trip);
            }
        }
        trips.push(trip);
    }
    for _ in 0..random.below(4) {
        linked.push((random.of(&trips).id.clone(), random.of(&trips).id.clone()));
    }
    random.shuffle(&mut linked);
    random.shuffle(&mut trips);
    Feed { zone, stops: STOPS, services, trips, linked }
}

fn service(random: &mut Random, day: i32) -> Service {
    let weekly = (!random.one_in(3)).then(|| {
        let days = [0; 7].map(|_| !random.one_in(3));
        let first = day - random.between(-1, 4);
        // Some periods end before they begin.
        (first, day + random.between(-2, 4), days)
    });
    let exceptions = (0..random.below(5)).map(|_| (day + random.between(-3, 4), random.one_in(2))).collect();
    Service { weekly, exceptions }
}

/// The trip with the times of the service day after that of its runs.
fn on_the_next_day(trip: Trip) -> Trip {
    let earlier = |time: Option<i32>| time.map(|time| (time - DAY).max(0));
    let calls = trip.calls.into_iter();
    let calls =
        calls.map(|call| Call { arrival: earlier(call.arrival), departure: earlier(call.departure), ..call });
    Trip { calls: calls.collect(), ..trip }
}

/// A trip; `before` is one that its vehicle may have served.
fn trip(random: &mut Random, before: Option<&Trip>, service: usize) -> Trip {
    let mut time = match random.below(6) {
        0 => random.between(0, 2 * HOUR),
        1 => random.between(22 * HOUR, 25 * HOUR),
        2 => random.between(45 * HOUR, 50 * HOUR),
        _ => random.between(6 * HOUR, 9 * HOUR),
    };
    let (mut service, mut block, mut start) = (service, None, random.below(STOPS as u64) as usize);
    if let Some(before) = before {
        let end = before.calls.iter().rev().find_map(|call| call.departure.or(call.arrival));
        time = end.unwrap_or(time) + random.between(-60, 900);
        block = before.block.or(Some(random.below(2)));
        service = if random.one_in(4) { service } else { before.service };
        start = before.calls.last().map_or(start, |call| call.stop);
    } else if random.one_in(3) {
        block = Some(random.below(2));
    }
    time = time.max(0);
    let first = time;
    let mut calls: Vec<Call> = Vec::new();
    let mut stop = start;
    for at in 0..random.between(2, 6) {
        if at > 0 && !random.one_in(12) {
            stop = (stop + 1 + random.below(STOPS as u64 - 1) as usize) % STOPS;
        }
        calls.push(call(random, stop, &mut time));
    }
    let frequencies = match random.one_in(4) {
        true => (0..random.between(1, 3)).map(|_| frequency(random)).collect(),
        false => Vec::new(),
    };
    if first > 20 * HOUR && random.one_in(3) {
        // Times that begin again after midnight.
        let again = |time: Option<i32>| time.map(|time| if first < DAY { time % DAY } else { time });
        for call in &mut calls {
            (call.arrival, call.departure) = (again(call.arrival), again(call.departure));
        }
    }
    Trip { id: String::new(), service, block, calls, frequencies }
}

fn call(random: &mut Random, stop: usize, time: &mut i32) -> Call {
    *time += random.between(0, 1200);
    // Some vehicles seem to go back in time.
    let arrival = if random.one_in(15) { (*time - random.between(0, 2000)).max(0) } else { *time };
    *time += *random.of(&[0, 0, 30, 300]);
    let (arrival, departure) = match random.below(8) {
        0 => (None, None),
        1 => (Some(arrival), None),
        2 => (None, Some(*time)),
        _ => (Some(arrival), Some(*time)),
    };
    let kinds = [0, 0, 0, 1, 2, 3];
    Call { stop, arrival, departure, pickup: *random.of(&kinds), drop_off: *random.of(&kinds) }
}

fn frequency(random: &mut Random) -> Frequency {
    let start = random.between(5 * HOUR, 26 * HOUR);
    // Some windows end before they begin, and some overlap.
    let end = start + random.between(-600, 2 * HOUR);
    Frequency { start, end, headway: random.between(0, 4) * 421, exact: random.one_in(2) }
}
