//! Entities of a message that are not read.

use trestle_model::IssueSink;

use super::messages::FeedEntity;

/// How many entities of each kind a message has that are not read.
#[derive(Default)]
pub(super) struct UnreadEntities {
    shapes: usize,
    stops: usize,
    trip_modifications: usize,
}

impl UnreadEntities {
    pub(super) fn count(entities: &[FeedEntity]) -> UnreadEntities {
        let count =
            |is_there: fn(&FeedEntity) -> bool| entities.iter().filter(|entity| is_there(entity)).count();
        UnreadEntities {
            shapes: count(|entity| entity.shape.is_some()),
            stops: count(|entity| entity.stop.is_some()),
            trip_modifications: count(|entity| entity.trip_modifications.is_some()),
        }
    }

    /// An issue for the kinds that there are.
    pub(super) fn add_issue(&self, issues: &mut IssueSink) {
        let kinds =
            [(self.trip_modifications, "TripModifications"), (self.shapes, "Shape"), (self.stops, "Stop")];
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
