//! Least, average and greatest seconds, and the waits of travellers.

use trestle_model::ids::{RouteIdx, StopIdx};

/// Seconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    pub min: i32,
    pub avg: i32,
    pub max: i32,
    /// Number of values; 1 for a sum.
    pub num: i32,
}

impl Stats {
    /// Statistics of some values; all 0 without values.
    pub fn of(values: impl IntoIterator<Item = i32>) -> Stats {
        let (mut min, mut max, mut sum, mut num) = (i32::MAX, i32::MIN, 0i64, 0);
        for value in values {
            (min, max) = (min.min(value), max.max(value));
            sum += i64::from(value);
            num += 1;
        }
        match num {
            0 => Stats::default(),
            _ => Stats { min, avg: (sum / i64::from(num)) as i32, max, num },
        }
    }

    /// The sum of two parts of a trip.
    pub fn plus(self, other: Stats) -> Stats {
        Stats { min: self.min + other.min, avg: self.avg + other.avg, max: self.max + other.max, num: 1 }
    }

    /// The same with a fixed time added.
    pub fn later(self, seconds: i32) -> Stats {
        self.plus(Stats { min: seconds, avg: seconds, max: seconds, num: 1 })
    }
}

/// When travellers are ready to board.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Ready {
    /// One traveller at each second between two times.
    Between(i32, i32),
    /// At a number of seconds after arrivals, which are sorted.
    After(Vec<Arrival>, i32),
}

/// The end of a ride at a stop with rules of transfers.txt.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct RuledEnd {
    pub(super) stop: StopIdx,
    pub(super) route: RouteIdx,
}

/// The arrival of a vehicle with travellers who alight.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Arrival {
    pub(super) time: i32,
    /// The end of the ride, if there are rules for transfers from it.
    pub(super) end: Option<RuledEnd>,
}

/// A vehicle that can be boarded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Departure {
    pub(super) departs: i32,
    pub(super) arrives: i32,
    /// Index of its ride among those of the choice.
    pub(super) ride: u32,
}

impl Ready {
    /// When the first traveller is ready.
    pub(super) fn first(&self) -> i32 {
        match self {
            Ready::Between(from, _) => *from,
            Ready::After(arrivals, later) => arrivals.first().map_or(i32::MAX, |a| a.time + later),
        }
    }

    /// When the last traveller is ready.
    pub(super) fn last(&self) -> i32 {
        match self {
            Ready::Between(_, to) => *to,
            Ready::After(arrivals, later) => arrivals.last().map_or(i32::MIN, |a| a.time + later),
        }
    }

    /// Lets all travellers board the first vehicle that departs when they are ready or later, and returns the vehicles
    /// used and the waits. Travellers without a vehicle do not count. `departures` are sorted. `change` returns the least
    /// seconds between the end of a ride and a departure, `None` where the transfer is forbidden.
    pub(super) fn board(
        &self,
        departures: &[Departure],
        change: impl Fn(RuledEnd, &Departure) -> Option<i32>,
    ) -> (Vec<Departure>, Stats) {
        match self {
            Ready::Between(from, to) => board_all_seconds(*from, *to, departures),
            Ready::After(arrivals, later) => board_after(arrivals, *later, departures, change),
        }
    }
}

fn board_all_seconds(from: i32, to: i32, departures: &[Departure]) -> (Vec<Departure>, Stats) {
    let mut used = Vec::new();
    let mut wait = Stats { min: i32::MAX, ..Stats::default() };
    let (mut ready, mut waited, mut travellers) = (from, 0i64, 0i64);
    for departure in departures.iter().filter(|d| d.departs >= from) {
        if ready > to {
            break;
        }
        // All travellers have boarded an earlier vehicle or one that departs at the same time.
        if departure.departs < ready {
            continue;
        }
        let last = departure.departs.min(to);
        let (longest, shortest) = (departure.departs - ready, departure.departs - last);
        let count = i64::from(last - ready) + 1;
        waited += i64::from(longest + shortest) * count / 2;
        travellers += count;
        wait = Stats { min: wait.min.min(shortest), max: wait.max.max(longest), ..wait };
        used.push(*departure);
        ready = departure.departs + 1;
    }
    match travellers {
        0 => (used, Stats::default()),
        _ => {
            let stats = Stats { avg: (waited / travellers) as i32, num: used.len() as i32, ..wait };
            (used, stats)
        }
    }
}

fn board_after(
    arrivals: &[Arrival],
    later: i32,
    departures: &[Departure],
    change: impl Fn(RuledEnd, &Departure) -> Option<i32>,
) -> (Vec<Departure>, Stats) {
    let mut used: Vec<Departure> = Vec::new();
    let mut waits = Vec::new();
    for &Arrival { time, end } in arrivals {
        let ready = time + later;
        let mut next = departures[departures.partition_point(|d| d.departs < ready)..].iter();
        let departure = match end {
            None => next.next(),
            Some(end) => next.find(|d| change(end, d).is_some_and(|least| d.departs - time >= least)),
        };
        let Some(departure) = departure else { continue };
        waits.push(departure.departs - ready);
        used.push(*departure);
    }
    used.sort_unstable();
    used.dedup();
    (used, Stats::of(waits))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn departures(times: &[i32]) -> Vec<Departure> {
        times.iter().map(|&departs| Departure { departs, arrives: departs + 100, ride: 0 }).collect()
    }

    /// Transfers without rules.
    fn free(_: RuledEnd, _: &Departure) -> Option<i32> {
        Some(0)
    }

    /// Travellers who are ready five seconds after arrivals.
    fn after(times: &[i32], end: Option<RuledEnd>) -> Ready {
        Ready::After(times.iter().map(|&time| Arrival { time, end }).collect(), 5)
    }

    #[test]
    fn transfer_rules_make_travellers_wait_for_another_vehicle() {
        let end = RuledEnd { stop: StopIdx(0), route: RouteIdx(0) };
        let mut vehicles = departures(&[20, 30, 40]);
        vehicles[0].ride = 1;
        let rule = |_: RuledEnd, vehicle: &Departure| (vehicle.ride == 0).then_some(20);
        let (used, wait) = after(&[10, 15, 30], Some(end)).board(&vehicles, rule);
        assert_eq!(used, &vehicles[1..], "not the first, and not within 20 s");
        assert_eq!(wait, Stats { min: 15, avg: 17, max: 20, num: 2 });
        assert_eq!(after(&[10], None).board(&vehicles, rule).0, &vehicles[..1]);
    }

    #[test]
    fn travellers_of_every_second_wait_half_a_headway() {
        let (used, wait) = Ready::Between(1, 1200).board(&departures(&[0, 600, 1200, 1800]), free);
        assert_eq!(used, departures(&[600, 1200]));
        assert_eq!(wait, Stats { min: 0, avg: 299, max: 599, num: 2 });
    }

    #[test]
    fn the_last_travellers_take_a_vehicle_after_the_window() {
        let (used, wait) = Ready::Between(0, 99).board(&departures(&[199]), free);
        assert_eq!(used, departures(&[199]));
        assert_eq!(wait, Stats { min: 100, avg: 149, max: 199, num: 1 });
        assert_eq!(Ready::Between(0, 99).board(&[], free), (Vec::new(), Stats::default()));
    }

    #[test]
    fn travellers_who_miss_the_last_vehicle_do_not_count() {
        let (used, wait) = after(&[5, 15, 495], None).board(&departures(&[20, 300]), free);
        assert_eq!(used, departures(&[20]));
        assert_eq!(wait, Stats { min: 0, avg: 5, max: 10, num: 2 });
    }
}
