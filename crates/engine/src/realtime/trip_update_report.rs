//! What a message with trip updates did.

use trestle_model::IssueSink;

/// What a message did.
#[derive(Debug, Default)]
pub struct TripUpdateReport {
    /// Trip updates in the message.
    pub received: u32,
    /// Trips, and runs of frequency trips, with other times.
    pub updated: u32,
    /// Trips, and runs of frequency trips, that do not run.
    pub canceled: u32,
    /// Trips that the schedule does not have.
    pub added: u32,
    /// Trips, and runs of frequency trips, that skip stops or serve others.
    pub modified: u32,
    /// Updates that could not be applied; the issues say why.
    pub rejected: u32,
    /// Entries that were dropped because their day is over.
    pub expired: u32,
    /// When the message was made, epoch seconds.
    pub timestamp: Option<i64>,
    /// Reasons why updates were rejected, and which accepted updates have calls without data.
    pub issues: IssueSink,
}
