//! A feed that is edited according to trip updates and built again answers like live data laid over the graph.
//! `PROPTEST_CASES` sets how many random towns are tried.

mod assigned;
mod calendar;
mod compare;
mod copied;
mod linked;
mod model;
mod named;
mod patched;
mod porto;

mod random;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use compare::{Comparison, built};

/// A town is built twice in each case.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(100)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn live_data_answers_like_a_feed_that_was_edited(
        town in random::town(),
        updates in vec((random::update(random::Size::TOWN), option::weighted(0.85, any::<usize>())), 1..8),
        seed in any::<u32>()
    ) {
        let updates = updates.into_iter().map(|(update, pick)| random::about(update, pick, &town));
        let updates: Vec<_> = updates.collect();
        // In rare cases vehicles are so late that a feed cannot say that they continue as another trip.
        prop_assume!(town.edited(&updates).0.can_be_written());
        let base = built(&town);
        let comparison = Comparison::new(&town, &base, &updates);
        comparison.reports_what_is_not_applied(&base, &updates);
        for number in 0..24 {
            comparison.check(&random::question(seed.wrapping_add(number), &town));
        }
        comparison.check_departures(&town);
    }
}
