//! A street, and messages of trip updates about the trips along it.

use std::sync::Arc;

use prost::Message;
use trestle_engine::realtime::messages::{FeedEntity, FeedHeader, FeedMessage, TripUpdate};
use trestle_engine::realtime::{TripUpdateOptions, TripUpdateReport, apply_trip_updates};

use super::town::Town;

/// A street along which vehicles run.
pub(crate) const STREET: &str = "
    n1 41 -8.000
    n2 41 -7.990
    n3 41 -7.970
    n4 41 -7.950
    w1 1,2,3,4 highway=residential
";

/// Options of messages that are the whole of a feed, received at `now`.
pub(crate) fn whole_feed(now: i64) -> TripUpdateOptions {
    TripUpdateOptions { purge_expired_data: false, now, ..TripUpdateOptions::default() }
}

/// The town after a message of trip updates, and the report of the message.
pub(crate) fn after_message(
    town: Town,
    options: &TripUpdateOptions,
    updates: Vec<TripUpdate>,
) -> (Town, TripUpdateReport) {
    let entity = |update| FeedEntity { trip_update: Some(update), ..FeedEntity::default() };
    after_entities(town, options, updates.into_iter().map(entity).collect())
}

/// The same for entities, which may be deleted ones.
pub(crate) fn after_entities(
    mut town: Town,
    options: &TripUpdateOptions,
    entities: Vec<FeedEntity>,
) -> (Town, TripUpdateReport) {
    let header = FeedHeader { version: Some("2.0".to_owned()), ..FeedHeader::default() };
    let message = FeedMessage { header: Some(header), entities };
    let (overlay, report) = apply_trip_updates(&town.snapshot, &message.encode_to_vec(), options).unwrap();
    town.snapshot = town.snapshot.with_overlay(Some(Arc::new(overlay)));
    (town, report)
}
