//! Live timetable data as differences from the schedule.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashMap;
use trestle_model::ServiceDate;
use trestle_model::ids::{RouteIdx, StopIdx, TripIdx};

use crate::timetable::{Frequency, Timetable, Transfers};

/// Stands for the time of a call that comes before a trip's first updated call, for which there is no live data. Riders
/// can neither board nor alight there.
pub const NO_TIME: i32 = -1;

/// Times of one trip on one service day, one entry per call, seconds after the service day's start.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LiveTimes {
    /// Arrival at each call, or [`NO_TIME`].
    pub arrivals: Vec<i32>,
    /// Departure from each call, or [`NO_TIME`].
    pub departures: Vec<i32>,
}

impl LiveTimes {
    /// Arrival at and departure from a call, or [`NO_TIME`].
    pub fn at(&self, position: usize) -> (i32, i32) {
        let at = |times: &[i32]| times.get(position).copied().unwrap_or(NO_TIME);
        (at(&self.arrivals), at(&self.departures))
    }

    /// Earliest departure and latest arrival among the calls that have a time.
    pub fn span(&self) -> (i32, i32) {
        let first = self.departures.iter().find(|time| **time != NO_TIME);
        (first.copied().unwrap_or(i32::MAX), self.arrivals.last().copied().unwrap_or(i32::MIN))
    }

    /// Whether these are times of a trip with this many calls.
    pub(crate) fn are_for(&self, calls: usize) -> bool {
        [self.arrivals.len(), self.departures.len()] == [calls; 2]
    }
}

/// The state of a scheduled trip, or of one run of a frequency trip, on one service day.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TripState {
    /// Runs with these times (as many calls as its pattern has).
    Updated(LiveTimes),
    /// Does not run, and travellers should know.
    Canceled,
    /// Does not run, and is not to be shown at all.
    Deleted,
    /// Runs over other stops: see the [`AddedTrip`] that replaces it.
    Modified,
}

impl TripState {
    /// Whether no vehicle runs, not even over other stops.
    pub fn is_off(&self) -> bool {
        matches!(self, TripState::Canceled | TripState::Deleted)
    }
}

/// A trip that runs on one service day, with its own sequence of calls.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AddedTrip {
    /// Trip id (without the feed).
    pub id: String,
    /// Route it belongs to.
    pub route: RouteIdx,
    /// direction_id, −1 when unknown.
    pub direction: i32,
    /// The only day it runs.
    pub service_date: ServiceDate,
    /// The scheduled trip it replaces, when it is a modified one.
    pub replaces: Option<TripIdx>,
    /// The scheduled trip that it duplicates, for a trip that runs in addition to it.
    pub copies: Option<TripIdx>,
    /// Scheduled first departure of the run that it replaces, for frequency trips, or of a copy; seconds after the service
    /// day's start.
    pub run: Option<i32>,
    /// Stop of each call; at least two.
    pub stops: Vec<StopIdx>,
    /// The calls to which live data assigns another stop, in order: their positions, with the stops at which they would
    /// be otherwise.
    pub moved: Vec<(u32, StopIdx)>,
    /// pickup_type of each call.
    pub pickup: Vec<u8>,
    /// drop_off_type of each call.
    pub dropoff: Vec<u8>,
    /// Whether live data says that the vehicle skips each call; calls beyond the end are not skipped. Nobody may board
    /// or alight at a call that is skipped.
    pub skipped: Vec<bool>,
    /// Times of each call.
    pub times: LiveTimes,
    /// Scheduled times of each call that live data gives; empty if it gives none.
    pub planned: LiveTimes,
    /// stop_sequence of each call; empty if live data does not give those of all calls in ascending order.
    pub sequences: Vec<u32>,
    /// The line that the vehicle runs along, if live data gives one: latitude and longitude of its points, in
    /// hundred-thousandths of a degree.
    pub shape: Option<Arc<[[i32; 2]]>>,
    /// Headsign, when known.
    pub headsign: Option<String>,
    /// The calls at which live data gives a headsign, in order: their positions, with the headsigns.
    pub headsigns: Vec<(u32, String)>,
    /// Number of the source that it comes from, if it replaces no scheduled trip. [`Overlay::sources`] has the others.
    pub source: u32,
}

impl AddedTrip {
    /// The scheduled trip that it replaces or copies: it has the facts of that trip, such as whether bikes are allowed.
    pub fn scheduled(&self) -> Option<TripIdx> {
        self.replaces.or(self.copies)
    }

    /// [`Self::scheduled`], if its calls are those of this trip one by one: at the same stops in the same order, but for
    /// the stops that live data assigns.
    pub fn scheduled_with_same_calls(&self, timetable: &Timetable) -> Option<TripIdx> {
        self.scheduled().filter(|&trip| {
            let stops = timetable.patterns.stops(timetable.pattern_of(trip));
            stops.iter().copied().eq(self.stops_before().map(|stop| stop.0))
        })
    }

    /// The stop of each call without the stops that live data assigns.
    fn stops_before(&self) -> impl Iterator<Item = StopIdx> {
        let mut moved = self.moved.iter().peekable();
        (0u32..).zip(&self.stops).map(move |(position, &stop)| {
            moved.next_if(|(call, _)| *call == position).map_or(stop, |(_, before)| *before)
        })
    }

    /// Scheduled arrival and departure of a call, if live data gives scheduled times.
    pub fn planned_at(&self, position: usize) -> Option<(i32, i32)> {
        let planned = &self.planned;
        planned.arrivals.get(position).copied().zip(planned.departures.get(position).copied())
    }

    /// The stop of a call without the stop that live data assigns; `None` for an unknown call.
    pub fn stop_before(&self, position: u32) -> Option<StopIdx> {
        let moved = self.moved.iter().find(|(call, _)| *call == position);
        moved.map(|(_, before)| *before).or_else(|| self.stops.get(position as usize).copied())
    }

    /// Moves a call to a stop that live data assigns; calls have to be moved in order.
    pub fn move_call(&mut self, position: usize, stop: StopIdx) {
        let before = std::mem::replace(&mut self.stops[position], stop);
        if before != stop {
            self.moved.push((position as u32, before));
        }
    }

    /// Gives a call another pickup_type and drop_off_type, where there is one.
    pub fn change_rules(&mut self, position: usize, pickup: Option<u8>, dropoff: Option<u8>) {
        for (kinds, kind) in [(&mut self.pickup, pickup), (&mut self.dropoff, dropoff)] {
            if let (Some(known), Some(kind)) = (kinds.get_mut(position), kind) {
                *known = kind;
            }
        }
    }

    /// The headsign that live data gives at a call.
    pub fn headsign_at(&self, position: u32) -> Option<&str> {
        let at_call = self.headsigns.iter().rev().find(|(call, _)| *call == position);
        at_call.map(|(_, headsign)| headsign.as_str())
    }

    /// Whether the vehicle passes the stop of this call. At other calls where nobody may board or alight, such as a
    /// depot of the schedule, it stops.
    pub fn passes(&self, position: usize) -> bool {
        self.skipped.get(position) == Some(&true)
    }

    /// Seconds from the times of [`Self::scheduled`] to the scheduled times of the replaced run or of the copy; 0 for
    /// others.
    pub fn run_shift(&self, timetable: &Timetable) -> i32 {
        self.scheduled().map_or(0, |trip| timetable.trip_calls(trip).shift_to(self.run))
    }

    /// `feed:trip`.
    pub fn outer_id(&self, timetable: &Timetable) -> String {
        format!("{}:{}", timetable.feed_id(timetable.feed_of_route(self.route)), self.id)
    }
}

/// The transfers of a timetable, with the walks to and from the stops of live trips that it lacks.
#[derive(Debug)]
pub struct LiveTransfers {
    /// Unique in this process.
    pub id: u64,
    /// The sequences of stops that these are for, sorted: those of live trips that no scheduled trip has.
    pub sequences: Vec<Vec<u32>>,
    pub transfers: Transfers,
}

impl LiveTransfers {
    /// Transfers with a new id.
    pub fn new(sequences: Vec<Vec<u32>>, transfers: Transfers) -> LiveTransfers {
        static IDS: AtomicU64 = AtomicU64::new(1);
        LiveTransfers { id: IDS.fetch_add(1, Ordering::Relaxed), sequences, transfers }
    }
}

/// The transfers follow from the sequences.
impl PartialEq for LiveTransfers {
    fn eq(&self, other: &LiveTransfers) -> bool {
        self.sequences == other.sequences
    }
}

impl Eq for LiveTransfers {}

/// Runs of one frequency trip on one day, by their scheduled departure from the first call (`start_time`).
pub type RunStates = BTreeMap<i32, TripState>;

/// One state of live data. Immutable once made; a newer state is a new overlay with a new version.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Overlay {
    /// Different for every state; part of the key of compiled service days.
    pub version: u64,
    /// Scheduled trips with live data.
    pub scheduled: FxHashMap<(TripIdx, ServiceDate), TripState>,
    /// Runs of frequency trips with live data.
    pub runs: FxHashMap<(TripIdx, ServiceDate), RunStates>,
    /// Added and modified trips. Trip `number of scheduled trips + i` of a path is `added[i]`, and its pattern is
    /// `number of scheduled patterns + i`.
    pub added: Vec<AddedTrip>,
    /// Number of the source of the last update of a scheduled trip on a day, unless it is 0.
    pub sources: FxHashMap<(TripIdx, ServiceDate), u32>,
    /// The transfers of searches, if the timetable's are not enough for the added and modified trips.
    pub transfers: Option<Arc<LiveTransfers>>,
}

impl Overlay {
    /// A copy to be changed, with a version that no overlay has had before. Versions are unique in the process, so an
    /// overlay that starts again from nothing is not mistaken for an earlier one.
    pub fn successor(&self) -> Overlay {
        static VERSIONS: AtomicU64 = AtomicU64::new(1);
        Overlay { version: VERSIONS.fetch_add(1, Ordering::Relaxed), ..self.clone() }
    }

    /// The last arrival of any vehicle, seconds after the start of its service day.
    pub fn last_second(&self) -> i32 {
        let runs = self.runs.values().flat_map(|runs| runs.values());
        let updated = self.scheduled.values().chain(runs).filter_map(|state| match state {
            TripState::Updated(times) => Some(times),
            TripState::Canceled | TripState::Deleted | TripState::Modified => None,
        });
        let times = updated.chain(self.added.iter().map(|added| &added.times));
        times.filter_map(|times| times.arrivals.last().copied()).max().unwrap_or(0)
    }

    /// The state of a scheduled trip on `date`; `None` when it runs as scheduled.
    pub fn state(&self, trip: TripIdx, date: ServiceDate) -> Option<&TripState> {
        self.scheduled.get(&(trip, date))
    }

    /// The trips and service days whose live data differs between two states, including frequency trips with a run that
    /// differs; in order, each once.
    pub fn differences(previous: Option<&Overlay>, next: Option<&Overlay>) -> Vec<(TripIdx, ServiceDate)> {
        let nothing = Overlay::default();
        let (previous, next) = (previous.unwrap_or(&nothing), next.unwrap_or(&nothing));
        let mut found: Vec<_> = different_keys(&previous.scheduled, &next.scheduled)
            .chain(different_keys(&previous.runs, &next.runs))
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Forgets what is known of trips whose routes, service days and sources are not to be kept.
    pub fn retain(&mut self, timetable: &Timetable, is_kept: impl Fn(RouteIdx, ServiceDate, u32) -> bool) {
        let sources = std::mem::take(&mut self.sources);
        let source_of = |key: &(TripIdx, ServiceDate)| sources.get(key).copied().unwrap_or(0);
        let is_scheduled_kept =
            |key: &(TripIdx, ServiceDate)| is_kept(timetable.route_of_trip(key.0), key.1, source_of(key));
        self.scheduled.retain(|key, _| is_scheduled_kept(key));
        self.runs.retain(|key, _| is_scheduled_kept(key));
        // The state of a run and the trip that replaces it are dropped together. Without the trip, the run would be lost;
        // without the state, there would be two of it.
        let source_of_added = |added: &AddedTrip| {
            added.replaces.map_or(added.source, |trip| source_of(&(trip, added.service_date)))
        };
        self.added.retain(|added| is_kept(added.route, added.service_date, source_of_added(added)));
        self.sources = sources;
        self.sources.retain(|key, _| self.scheduled.contains_key(key) || self.runs.contains_key(key));
    }

    /// The runs of a frequency trip on `date` that have live data.
    pub fn runs_of(&self, trip: TripIdx, date: ServiceDate) -> Option<&RunStates> {
        self.runs.get(&(trip, date))
    }
}

/// The keys whose values differ, or that only one of the maps has.
fn different_keys<'a, K: Copy + Eq + Hash, V: PartialEq>(
    previous: &'a FxHashMap<K, V>,
    next: &'a FxHashMap<K, V>,
) -> impl Iterator<Item = K> + 'a {
    let changed = next.iter().filter(|(key, value)| previous.get(key) != Some(value));
    let gone = previous.keys().filter(|key| !next.contains_key(key));
    changed.map(|(key, _)| key).chain(gone).copied()
}

/// What is left of a row of frequencies.txt after these runs are taken out, in order. With exact times all other runs
/// are left; otherwise a vehicle may leave at any time that is not within a headway after one of the runs.
pub fn without_runs(row: Frequency, runs: Option<&RunStates>) -> Vec<Frequency> {
    let mut left = Vec::new();
    let mut start = row.start;
    for (&run, _) in runs.into_iter().flat_map(|runs| runs.range(row.start..row.end.max(row.start))) {
        if !has_run(&row, run) {
            continue;
        }
        if run > start {
            left.push(Frequency { start, end: run, ..row });
        }
        start = start.max(run.saturating_add(row.headway));
    }
    if start < row.end {
        left.push(Frequency { start, ..row });
    }
    left
}

/// Whether a vehicle of a row of frequencies.txt may leave the first call at `time`: with exact times once per headway
/// from the start, otherwise at any time of the service.
pub fn has_run(row: &Frequency, time: i32) -> bool {
    let on_time = row.exact != 1 || (time - row.start) % row.headway.max(1) == 0;
    row.headway > 0 && (row.start..row.end).contains(&time) && on_time
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(exact: i32, runs: &[i32]) -> Vec<(i32, i32)> {
        let row = Frequency { start: 1000, end: 2000, headway: 200, exact };
        let runs: RunStates = runs.iter().map(|run| (*run, TripState::Canceled)).collect();
        without_runs(row, Some(&runs)).iter().map(|row| (row.start, row.end)).collect()
    }

    #[test]
    fn runs_are_taken_out_of_a_row() {
        assert_eq!(left(1, &[]), [(1000, 2000)]);
        assert_eq!(left(1, &[1000]), [(1200, 2000)]);
        assert_eq!(left(1, &[1400, 1600]), [(1000, 1400), (1800, 2000)]);
        assert_eq!(left(1, &[1800]), [(1000, 1800)]);
        assert_eq!(left(1, &[1500, 999, 2000]), [(1000, 2000)]);
        assert_eq!(left(0, &[1500, 1600]), [(1000, 1500), (1800, 2000)]);
        assert_eq!(left(0, &[1900]), [(1000, 1900)]);
        assert_eq!(left(0, &[1000, 1100, 1250, 1400, 1600, 1800]), []);
    }

    #[test]
    fn versions_differ_after_a_restart_from_nothing() {
        let first = Overlay::default().successor();
        let (next, again) = (first.successor(), Overlay::default().successor());
        assert!(first.version != 0 && next.version != first.version);
        assert!(again.version != first.version && again.version != next.version);
    }
}
