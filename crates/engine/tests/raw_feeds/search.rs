//! A slow search for the first arrival at every stop over runs in no order. Time runs backwards in the mirror image of
//! runs, so that the search has one direction.

use std::collections::BTreeMap;

use super::reading::Run;

/// A stop of a feed, as positions.
pub(crate) type Place = (usize, usize);

/// Seconds from one feed's stop to that of the other feed at the same place.
const WALK: i64 = 2;

/// The runs as if time ran backwards.
pub(crate) fn mirrored(runs: &[Run]) -> Vec<Run> {
    let mut mirrored = runs.to_vec();
    for run in &mut mirrored {
        run.calls.reverse();
        for call in &mut run.calls {
            (call.comes, call.goes) = (-call.goes, -call.comes);
            (call.boards, call.alights) = (call.alights, call.boards);
        }
        if let Some(headway) = &mut run.headway {
            (headway.first, headway.last) = (-headway.last, -headway.first);
        }
        (run.next, run.continues) = (Vec::new(), false);
    }
    for (before, run) in runs.iter().enumerate() {
        for &after in &run.next {
            mirrored[after].next.push(before);
            mirrored[before].continues = true;
        }
    }
    mirrored
}

/// When riders who are at a stop at some time leave a vehicle at each other stop, at the soonest.
pub(crate) fn first_arrivals(
    runs: &[Run],
    feeds: usize,
    (from, time): (Place, i64),
    rides: usize,
) -> BTreeMap<Place, i64> {
    let mut ready = BTreeMap::from([(from, time)]);
    let mut first = BTreeMap::new();
    for _ in 0..rides {
        let mut left = BTreeMap::new();
        for run in runs.iter().filter(|run| !run.continues) {
            ride(runs, run, false, &ready, &mut left);
        }
        left.iter().for_each(|(place, time)| lower(&mut first, *place, *time));
        ready = left.clone();
        for ((feed, stop), time) in left {
            for other in (0..feeds).filter(|other| *other != feed) {
                lower(&mut ready, (other, stop), time + WALK);
            }
        }
    }
    first
}

fn lower(times: &mut BTreeMap<Place, i64>, place: Place, time: i64) {
    let known = times.entry(place).or_insert(time);
    *known = time.min(*known);
}

/// Rides in a vehicle and the runs that it continues as.
fn ride(
    runs: &[Run],
    run: &Run,
    mut aboard: bool,
    ready: &BTreeMap<Place, i64>,
    left: &mut BTreeMap<Place, i64>,
) {
    for (at, call) in run.calls.iter().enumerate() {
        let place = (run.feed, call.stop);
        if aboard && call.alights {
            lower(left, place, call.comes);
        }
        let Some(&ready) = ready.get(&place).filter(|_| call.boards) else { continue };
        match &run.headway {
            None => aboard |= ready <= call.goes,
            Some(headway) => {
                // A vehicle comes within a headway, but none leaves the first stop before the first one.
                let shift = (ready + headway.seconds - call.goes).max(headway.first);
                if shift <= headway.last {
                    for later in run.calls[at + 1..].iter().filter(|later| later.alights) {
                        lower(left, (run.feed, later.stop), later.comes + shift);
                    }
                }
            }
        }
    }
    run.next.iter().for_each(|&next| ride(runs, &runs[next], aboard, ready, left));
}
