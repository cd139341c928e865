//! Trips whose vehicles continue as others, also over midnight, by the schedule and after updates.

use super::model::{Call, Model, Trip};

const DAY: i32 = 86_400;

/// A trip whose vehicle continues as another trip; positions of trips.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Link {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Days from the service day of the first trip to that of the second.
    pub(crate) days: usize,
}

/// The days after which a feed with both trips lets a vehicle go on, by their times alone.
pub(crate) fn days_between(from: &Trip, to: &Trip) -> Option<usize> {
    let (end, start) = (from.calls.last()?, to.calls.first()?);
    let order = |trip: &Trip| Some((trip.calls.first()?.departure, trip.calls.last()?.arrival));
    if !from.rows.is_empty() || !to.rows.is_empty() || end.home != start.home {
        return None;
    }
    if end.arrival <= start.departure {
        return (order(from) < order(to)).then_some(0);
    }
    (0..DAY / 2).contains(&(start.departure + DAY - end.arrival)).then_some(1)
}

impl Model {
    /// The links of this model between the copies of its trips in an edited feed: where both still call at the stop at
    /// which the vehicle goes on, and the second one does not leave before the first one comes.
    pub(super) fn links_between(&self, trips: &[Trip]) -> Vec<Link> {
        let mut links = Vec::new();
        let copies = |number: usize, day: usize| {
            let id = &self.trips[number].id;
            let is_copy =
                move |trip: &Trip| trip.id.split('~').next() == Some(id) && trip.days.get(day) == Some(&true);
            (0..trips.len()).filter(move |at| is_copy(&trips[*at]))
        };
        for link in &self.links {
            let (last, first) = (self.trips[link.from].calls.last(), self.trips[link.to].calls.first());
            let scheduled = last.zip(first).map(|(last, first)| (last.stop, first.stop));
            for day in 0..3 {
                for from in copies(link.from, day) {
                    for to in copies(link.to, day + link.days) {
                        let (Some(end), Some(start)) = (trips[from].calls.last(), trips[to].calls.first())
                        else {
                            continue;
                        };
                        let is_there = Some((end.home, start.home)) == scheduled && !start.is_cut;
                        let comes = self.calendar.start(day) + i64::from(end.arrival);
                        let goes = self.calendar.start(day + link.days) + i64::from(start.departure);
                        let link = Link { from, to, ..*link };
                        if is_there && comes <= goes && !links.contains(&link) {
                            links.push(link);
                        }
                    }
                }
            }
        }
        links
    }

    /// Whether a feed can say all this: no time is before its service day, and the days between the trips of its links
    /// follow from their times.
    pub(crate) fn can_be_written(&self) -> bool {
        let is_before = |call: &Call| call.arrival.min(call.departure) < 0;
        let has_days =
            |link: &Link| days_between(&self.trips[link.from], &self.trips[link.to]) == Some(link.days);
        !self.trips.iter().flat_map(|trip| &trip.calls).any(is_before) && self.links.iter().all(has_days)
    }
}
