//! Riders between vehicles, and which of them the plain search keeps.

/// Hundredths of a cost unit.
pub(crate) type Cost = i64;

/// A rider at a stop who may board a vehicle.
#[derive(Clone, Copy)]
pub(crate) struct Waiting {
    pub(crate) ready: i64,
    /// Cost minus the cost of waiting since time 0, so that waiting does not change it.
    pub(crate) settled: Cost,
    /// Seconds by which the trip up to here may start later.
    pub(crate) slide: i64,
    /// The vehicle before, where rules for certain trips may depend on it.
    pub(crate) came: Option<Came>,
}

#[derive(Clone, Copy)]
pub(crate) struct Came {
    pub(crate) stop: u32,
    pub(crate) trip: u32,
    pub(crate) route: u32,
    /// Time of alighting.
    pub(crate) off: i64,
}

/// A rider who alighted at a stop.
#[derive(Clone, Copy)]
pub(crate) struct Left {
    pub(crate) time: i64,
    pub(crate) cost: Cost,
    pub(crate) slide: i64,
    pub(crate) came: Came,
}

/// Sorts riders who wait at a stop and drops those who are later than another one at no lower cost, because the
/// other one can board the same vehicles. Keeps riders for whom rules may depend on the vehicle before.
pub(crate) fn keep_useful(waiting: &mut Vec<Waiting>, saving: Cost) {
    waiting.sort_by_key(|w| (w.ready, w.settled));
    let mut kept = Kept::new(saving);
    waiting.retain(|w| w.came.is_some() || kept.keep((w.ready, w.settled, w.slide)));
}

/// The same for riders who alighted.
pub(crate) fn keep_useful_left(left: &mut Vec<Left>, wait: Cost, saving: Cost) {
    left.sort_by_key(|l| (l.time, l.cost));
    let mut kept = Kept::new(saving);
    left.retain(|l| kept.keep((l.time, l.cost - wait * l.time, l.slide)));
}

/// Riders kept so far: time, cost, and seconds by which they may start later.
struct Kept {
    saving: Cost,
    least: Cost,
    sliding: Vec<(i64, Cost, i64)>,
}

impl Kept {
    fn new(saving: Cost) -> Kept {
        Kept { saving, least: Cost::MAX, sliding: Vec::new() }
    }

    /// Keeps one more rider, unless one kept before is never more expensive.
    fn keep(&mut self, (ready, settled, slide): (i64, Cost, i64)) -> bool {
        let at = |(ready, settled, slide): (i64, Cost, i64), time: i64| {
            settled - self.saving * (time - ready).clamp(0, slide)
        };
        let own = |time: i64| at((ready, settled, slide), time);
        let last = ready + slide;
        let is_dominated = self.least <= own(last)
            || self
                .sliding
                .iter()
                .any(|&other| at(other, ready) <= own(ready) && at(other, last) <= own(last));
        if !is_dominated && slide > 0 {
            self.sliding.push((ready, settled, slide));
        } else if !is_dominated {
            self.least = settled;
        }
        !is_dominated
    }
}
