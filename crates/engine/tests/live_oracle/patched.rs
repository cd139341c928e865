//! A service that is patched from message to message equals one that is compiled from the last message.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use trestle_engine::realtime::{TripUpdateOptions, apply_trip_updates};
use trestle_engine::snapshot::Snapshot;
use trestle_model::{Direction, ServiceDate};
use trestle_transit::overlay::Overlay;
use trestle_transit::raptor::ActiveService;

use super::calendar::Calendar;
use super::compare::{built, message, options};
use super::model::{Model, Update};
use super::porto::{BUSES, TRAMS, TRAMS_BY_FREQUENCY, model};
use super::random::{self, Size};

/// Updates, and whether they add to the ones before.
type Message = (Vec<Update>, bool);

/// A snapshot and the service of each day, patched from message to message.
struct Patched {
    calendar: Calendar,
    snapshot: Snapshot,
    days: Vec<(ServiceDate, ActiveService)>,
}

impl Patched {
    fn new(model: &Model, snapshot: Snapshot) -> Patched {
        let compiled = |day: &str| {
            let date = ServiceDate::parse_compact(day).unwrap();
            (date, ActiveService::compile(&snapshot.graph.timetable, date, 1, None))
        };
        Patched {
            days: model.calendar.days.iter().map(|day| compiled(day)).collect(),
            calendar: model.calendar,
            snapshot,
        }
    }

    /// Applies a message; returns how many of its updates could be applied.
    fn apply(&mut self, (updates, differential): &Message) -> u32 {
        let options = TripUpdateOptions { differential: *differential, ..options(&self.calendar) };
        let (overlay, report) =
            apply_trip_updates(&self.snapshot, &message(&self.calendar, updates), &options).unwrap();
        self.lay_over(Some(Arc::new(overlay)));
        report.received - report.rejected
    }

    fn lay_over(&mut self, next: Option<Arc<Overlay>>) {
        let (timetable, previous) = (&self.snapshot.graph.timetable, &self.snapshot.overlay);
        for (date, service) in &mut self.days {
            // Half of the parts are known before the patch, the others are made after it.
            parts(service).step_by(2).for_each(drop);
            let patched = service.clone().patched(timetable, previous.as_deref(), next.as_deref());
            let compiled = ActiveService::compile(timetable, *date, 1, next.as_deref());
            assert_same(&patched, &compiled);
            *service = patched;
        }
        self.snapshot = self.snapshot.with_overlay(next);
    }
}

/// The least times of all parts of a service, as text.
fn parts(service: &ActiveService) -> impl Iterator<Item = String> + '_ {
    (0..60).filter_map(|hour| Some(format!("{:?}", service.hours_at(hour * 7200, Direction::Forward)?)))
}

/// Everything is the same except where in their column the times of a lane are.
fn assert_same(patched: &ActiveService, compiled: &ActiveService) {
    for lane in 0..compiled.lanes.len().max(patched.lanes.len()) {
        assert_eq!(lane_of(patched, lane), lane_of(compiled, lane), "lane {lane}");
    }
    assert_eq!(format!("{:?}", patched.runs), format!("{:?}", compiled.runs));
    assert_eq!(format!("{:?}", patched.patterns), format!("{:?}", compiled.patterns));
    assert_eq!(patched.call_stop, compiled.call_stop);
    assert_eq!(patched.call_flags, compiled.call_flags);
    assert_eq!(patched.headways, compiled.headways);
    assert_eq!(patched.stop_calls, compiled.stop_calls);
    assert_eq!(patched.stop_call_offsets, compiled.stop_call_offsets);
    assert_eq!(patched.continuations, compiled.continuations);
    assert_eq!(patched.live_trips, compiled.live_trips);
    assert_eq!((&patched.days, patched.origin), (&compiled.days, compiled.origin));
    assert_eq!(format!("{:?}", patched.least_times), format!("{:?}", compiled.least_times));
    assert!(parts(patched).eq(parts(compiled)), "least times of some hours");
    assert!(patched.id != compiled.id);
}

/// Pattern, first run, headway, and the arrivals and departures of each call.
fn lane_of(service: &ActiveService, lane: usize) -> (u32, u32, u32, Vec<[&[i32]; 2]>) {
    let lane = &service.lanes[lane];
    let calls = service.patterns[lane.pattern as usize].calls as usize;
    let times = |at: usize| [service.arrivals_at(lane, at), service.departures_at(lane, at)];
    (lane.pattern, lane.first_run, lane.headway, (0..calls).map(times).collect())
}

/// Updates that may still have to be fitted to a trip of the town.
type RandomUpdates = Vec<(Update, Option<usize>)>;

fn messages(size: Size) -> impl Strategy<Value = Vec<(RandomUpdates, bool)>> {
    let update = (random::update(size), option::weighted(0.9, any::<usize>()));
    vec((vec(update, 0..10), any::<bool>()), 1..6)
}

fn fitted(updates: RandomUpdates, model: &Model) -> Vec<Update> {
    updates.into_iter().map(|(update, pick)| random::about(update, pick, model)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: super::cases(), failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn random_towns(town in random::town(), messages in messages(Size::TOWN), repeated in any::<bool>()) {
        let mut patched = Patched::new(&town, built(&town));
        for (updates, differential) in messages {
            let message = (fitted(updates, &town), differential);
            patched.apply(&message);
            if repeated {
                patched.apply(&message);
            }
        }
        patched.lay_over(None);
    }
}

#[test]
fn trams_of_porto_by_timetable() {
    check(TRAMS);
}

#[test]
fn trams_of_porto_by_frequency() {
    check(TRAMS_BY_FREQUENCY);
}

#[test]
fn buses_of_porto() {
    check(BUSES);
}

/// Messages of different sizes: some only with delays of a few minutes, so that most runs stay in their lanes.
fn check((feed, days): (&str, [&str; 3])) {
    let Some(feed) = trestle_shared_data::shared(&format!("data/{feed}")) else { return };
    let model = model(&feed, days);
    let size =
        Size { trips: model.trips.len(), stops: model.stops.len(), routes: model.routes.len(), calls: 12 };
    let mut patched = Patched::new(&model, built(&model));
    let mut runner = TestRunner::deterministic();
    for (round, count) in [300, 5, 300, 40, 1, 0, 300].into_iter().enumerate() {
        let updates = vec((random::update(size), option::weighted(0.99, any::<usize>())), count);
        let mut updates = fitted(updates.new_tree(&mut runner).unwrap().current(), &model);
        if round % 2 == 0 {
            updates.iter_mut().for_each(only_late);
        }
        let applied = patched.apply(&(updates, round % 3 == 1));
        assert!(applied as usize >= count / 4, "{applied} of {count} updates are applied");
    }
    patched.lay_over(None);
}

/// Leaves nothing of an update but a delay of up to three minutes.
fn only_late(update: &mut Update) {
    if ![Some(1), Some(8)].contains(&update.relationship) {
        update.relationship = None;
        update.delay = Some(update.delay.unwrap_or(0).rem_euclid(180));
        update.calls.clear();
    }
}
