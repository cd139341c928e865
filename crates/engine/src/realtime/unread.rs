//! Entities of a message that are not read.

use rustc_hash::FxHashMap;
use trestle_model::IssueSink;

use super::messages::{FeedEntity, TripUpdate};
use super::shapes::Shape;

/// How many entities of each kind a message has that are not read.
#[derive(Default)]
pub(super) struct UnreadEntities {
    stops: usize,
    trip_modifications: usize,
    /// Trip updates with the `shape_id` of a shape that the message does not have.
    shapes_of_trips: usize,
}

impl UnreadEntities {
    /// `shapes` are those of the message.
    pub(super) fn count(entities: &[FeedEntity], shapes: &FxHashMap<String, Shape>) -> UnreadEntities {
        let names_other_shape = |entity: &&FeedEntity| {
            if entity.is_deleted == Some(true) {
                return false;
            }
            let id = entity.trip_update.as_ref().and_then(TripUpdate::shape_id);
            id.is_some_and(|id| !shapes.contains_key(id))
        };
        let count =
            |is_there: fn(&FeedEntity) -> bool| entities.iter().filter(|entity| is_there(entity)).count();
        UnreadEntities {
            stops: count(|entity| entity.stop.is_some()),
            trip_modifications: count(|entity| entity.trip_modifications.is_some()),
            shapes_of_trips: entities.iter().filter(names_other_shape).count(),
        }
    }

    /// An issue for the kinds that there are.
    pub(super) fn add_issue(&self, issues: &mut IssueSink) {
        let kinds = [
            (self.trip_modifications, "TripModifications"),
            (self.stops, "Stop"),
            (self.shapes_of_trips, "shape_id without Shape"),
        ];
        let found: Vec<String> = kinds
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, kind)| format!("{count} {kind}"))
            .collect();
        if !found.is_empty() {
            issues.add("unread-entities", "", 0, format!("entities that are not read: {}", found.join(", ")));
        }
    }
}
