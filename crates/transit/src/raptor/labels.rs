//! What McRAPTOR keeps. An [`Entry`] of a stop's [`Bag`] is what riders are compared by; it becomes a [`Rider`] while a
//! lane is scanned, and another entry where the rider leaves the vehicle. Its [`Label`] only leads back to the start, so
//! that paths can be read from the labels of the [`Arrivals`].

use trestle_model::Directed;

use super::costs::Centicost;

/// How a label was reached from its parent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LabelKind {
    /// The endpoint with this index; no parent.
    Endpoint(u32),
    /// A start inside a vehicle; no parent.
    OnBoard,
    /// Riding.
    Ride {
        /// Index of the run in the service.
        run: u32,
        /// Seconds added to its times (headway service).
        shift: i32,
        /// Position at which it was entered.
        entered: u16,
        /// Position at which it was left.
        left: u16,
        /// The rider stayed seated: the same vehicle was the run of the parent label before.
        seated: bool,
    },
    /// Walking from the stop of the parent label.
    Walk { seconds: i32 },
}

/// A search state. Times are keys of the search direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    /// [`super::active_service::NONE`] for none.
    pub(super) parent: u32,
    pub(super) stop: u32,
    /// When the rider is ready.
    pub(super) time: i32,
    pub(super) kind: LabelKind,
}

/// An entry of a Pareto set.
///
/// `reduced_cost` is the cost minus the time since the start at the rate [`super::costs::Costs::reduction`]. With the
/// price of waiting as the rate, waiting does not change the reduced cost, so an entry that is no later and has no higher
/// reduced cost can reach everything that the other one can, at no higher cost. With rate 0 it is the cost itself: a
/// later and more expensive entry is dropped even if it would wait less.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// Ready at (key).
    pub(super) time: i32,
    pub(super) reduced_cost: Centicost,
    pub(super) label: u32,
    /// Active pattern that was left last, [`super::active_service::NONE`] before the first ride.
    pub(super) pattern: u32,
    /// Round in which it was made.
    pub(super) round: u32,
    /// Seconds by which the whole path so far can slide, see [`super::apart`].
    pub(super) slide: i32,
}

/// A Pareto set, earliest (and most expensive) first. At stops that keep entries apart (see [`super::apart`]) it also
/// holds some that are later and more expensive.
#[derive(Clone, Debug, Default)]
pub(super) struct Bag(Vec<Entry>);

impl Bag {
    /// Whether an entry of the set dominates this time and cost.
    #[inline(always)]
    pub(super) fn dominates(&self, time: i32, reduced_cost: Centicost) -> bool {
        for entry in &self.0 {
            if entry.time > time {
                return false;
            }
            if entry.reduced_cost <= reduced_cost {
                return true;
            }
        }
        false
    }

    /// Adds an entry that is not dominated and removes those it dominates.
    #[inline(always)]
    pub(super) fn insert(&mut self, entry: Entry) {
        let at = self.0.iter().position(|e| e.time >= entry.time).unwrap_or(self.0.len());
        let end = self.0[at..]
            .iter()
            .position(|e| e.reduced_cost < entry.reduced_cost)
            .map_or(self.0.len(), |n| at + n);
        if at < end {
            self.0[at] = entry;
            self.0.drain(at + 1..end);
        } else {
            self.0.insert(at, entry);
        }
    }

    /// Adds an entry to a set that keeps entries apart, unless one that is no later `dominates` it; removes those that it
    /// dominates. Returns whether it was added. Such a set is in order of time only.
    pub(super) fn insert_where(&mut self, entry: Entry, dominates: impl Fn(&Entry, &Entry) -> bool) -> bool {
        let until = self.0.partition_point(|other| other.time <= entry.time);
        if self.0[..until].iter().any(|other| dominates(other, &entry)) {
            return false;
        }
        let at = self.0.partition_point(|other| other.time < entry.time);
        self.0.insert(at, entry);
        let mut index = 0;
        self.0.retain(|other| {
            index += 1;
            index <= at + 1 || !dominates(&entry, other)
        });
        true
    }

    /// The entry of least reduced cost.
    pub(super) fn cheapest(&self) -> Option<&Entry> {
        self.0.iter().min_by_key(|entry| entry.reduced_cost)
    }

    /// Empties the set, keeping its memory.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    #[inline(always)]
    pub(super) fn entries(&self) -> &[Entry] {
        &self.0
    }
}

/// A complete path: its arrival and cost at the far place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Arrival {
    /// Arrival (key).
    pub(super) time: i32,
    pub(super) cost: Centicost,
    pub(super) path: ArrivalPath,
}

/// The path that arrives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ArrivalPath {
    /// One that the search found.
    Found(LastLabel),
    /// One that was known before the search: its number.
    Known(u32),
}

/// The end of a path that a search found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LastLabel {
    /// Label at the last stop.
    pub(super) label: u32,
    /// Index of the endpoint used at the far side.
    pub(super) endpoint: u32,
}

impl Arrival {
    /// The end of a path that the search found; `None` for one that was known before.
    pub(super) fn last_label(&self) -> Option<LastLabel> {
        match self.path {
            ArrivalPath::Found(last) => Some(last),
            ArrivalPath::Known(_) => None,
        }
    }
}

/// Pareto set of complete paths, earliest first, without those that cost far more than the cheapest.
#[derive(Clone, Debug, Default)]
pub(super) struct Arrivals {
    found: Vec<Arrival>,
    interest: Interest,
    /// Highest cost of interest.
    limit: Centicost,
}

/// Which paths of a search are of interest.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) enum Interest {
    /// The whole Pareto set.
    #[default]
    All,
    /// Paths that cost at most this many times as much as the cheapest.
    UpTo(f64),
    /// Paths that cost at most this much more than the cheapest.
    Within(Centicost),
    /// The cheapest.
    Cheapest,
}

impl Interest {
    /// The highest cost of interest when paths with some costs are known.
    pub(super) fn most(self, costs: impl Iterator<Item = Centicost>) -> Centicost {
        costs.min().map_or(Centicost::MAX, |cost| self.limit(cost))
    }

    /// The highest cost of interest when a path with a cost is known.
    fn limit(self, cost: Centicost) -> Centicost {
        match self {
            Interest::All => Centicost::MAX,
            Interest::UpTo(factor) => (f64::from(cost) * factor) as Centicost,
            Interest::Within(more) => cost.saturating_add(more),
            Interest::Cheapest => cost - 1,
        }
    }
}

impl Arrivals {
    /// Empties the set for a search with an interest, in which no path may cost more than `limit`.
    pub(super) fn reset(&mut self, interest: Interest, limit: Centicost) {
        self.found.clear();
        self.interest = interest;
        self.limit = limit;
    }

    /// Highest cost of interest.
    #[inline(always)]
    pub(super) fn limit(&self) -> Centicost {
        self.limit
    }

    /// Whether paths that arrive at `time` or later and cost `cost` or more are of no interest.
    #[inline(always)]
    pub(super) fn dominates(&self, time: i32, cost: Centicost) -> bool {
        if cost > self.limit {
            return true;
        }
        for arrival in &self.found {
            if arrival.time > time {
                return false;
            }
            if arrival.cost <= cost {
                return true;
            }
        }
        false
    }

    /// Adds a path if it is of interest.
    pub(super) fn add(&mut self, arrival: Arrival) {
        if self.dominates(arrival.time, arrival.cost) {
            return;
        }
        self.limit = self.limit.min(self.interest.limit(arrival.cost));
        let limit = self.limit.max(arrival.cost);
        self.found.retain(|a| (a.time < arrival.time || a.cost < arrival.cost) && a.cost <= limit);
        let at = self.found.partition_point(|a| a.time < arrival.time);
        self.found.insert(at, arrival);
    }

    /// Highest cost of interest according to the paths found, regardless of the limit with which the search began.
    pub(super) fn most_of_interest(&self) -> Centicost {
        self.interest.most(self.found.iter().map(|arrival| arrival.cost))
    }

    /// The paths.
    pub(super) fn found(&self) -> &[Arrival] {
        &self.found
    }
}

/// A rider in a vehicle while a lane is scanned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rider {
    /// Index of the run within the lane.
    pub(super) run: u32,
    /// Seconds added to its times (headway service), as a key.
    pub(super) shift: i32,
    /// Cost minus the price of riding for the time that has passed; riding does not change it.
    pub(super) reduced_cost: Centicost,
    /// Label before entering.
    pub(super) label: u32,
    /// Position at which the run was entered.
    pub(super) entered: u16,
    /// The rider stayed seated from another run of the block.
    pub(super) seated: bool,
    /// Seconds by which the whole path so far can slide, see [`super::apart`].
    pub(super) slide: i32,
}

impl Rider {
    /// How a label is reached when this rider leaves `run` at a position, or stays seated at its end.
    #[inline(always)]
    pub(super) fn ride<D: Directed>(&self, run: u32, left: usize) -> LabelKind {
        LabelKind::Ride {
            run,
            shift: D::key(self.shift),
            entered: self.entered,
            left: left as u16,
            seated: self.seated,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (time, cost) of the paths that are kept when these are added in order.
    fn kept(interest: Interest, paths: &[(i32, Centicost)]) -> Vec<(i32, Centicost)> {
        let mut arrivals = Arrivals::default();
        arrivals.reset(interest, Centicost::MAX);
        for &(time, cost) in paths {
            arrivals.add(Arrival { time, cost, path: ArrivalPath::Known(0) });
        }
        arrivals.found().iter().map(|a| (a.time, a.cost)).collect()
    }

    #[test]
    fn paths_that_no_other_dominates_stay() {
        let paths = [(100, 900), (200, 500), (150, 950), (90, 2000), (100, 800)];
        assert_eq!(kept(Interest::All, &paths), [(90, 2000), (100, 800), (200, 500)]);
    }

    #[test]
    fn expensive_paths_are_dropped_in_any_order() {
        let expected = [(150, 550), (200, 500)];
        assert_eq!(kept(Interest::UpTo(1.15), &[(90, 2000), (150, 550), (200, 500)]), expected);
        assert_eq!(kept(Interest::UpTo(1.15), &[(200, 500), (150, 550), (90, 2000)]), expected);
    }

    #[test]
    fn paths_within_a_difference_of_the_cheapest_stay() {
        let paths = [(90, 601), (150, 600), (200, 500)];
        assert_eq!(kept(Interest::Within(100), &paths), [(150, 600), (200, 500)]);
    }

    #[test]
    fn only_the_cheapest_stays() {
        assert_eq!(kept(Interest::Cheapest, &[(90, 700), (200, 500), (150, 550)]), [(200, 500)]);
    }
}
