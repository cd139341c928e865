//! What the sections of a trip are rendered from, and what is known of one that is rendered.

use trestle_engine::snapshot::Snapshot;
use trestle_model::RoutingRequest;
use trestle_model::geo::LatLon;
use trestle_model::itinerary::Itinerary;
use trestle_street::path::{StreetPath, TraversalKind};
use trestle_transit::path::{Ride, TransferWalk};

use super::live_facts::LiveFacts;

/// One end of a section of a trip.
#[derive(Clone, PartialEq, Debug)]
pub enum SectionEnd {
    /// The start or destination of the whole trip.
    Requested {
        /// Name shown: the user's, a stop's, or `Origin` / `Destination`.
        name: String,
        /// The position as requested, not the point on the street.
        position: LatLon,
        /// The name part of the request; may be empty.
        orig: String,
        /// Id of the rental station, if the request names one.
        station: Option<String>,
    },
    /// An intermediate place that the section arrives at.
    Via {
        /// Name shown.
        name: String,
        /// The position as requested.
        position: LatLon,
    },
    /// The intermediate place where the previous section ended, shown as the street corner where the path continues.
    Resumed,
}

impl SectionEnd {
    /// The user's name for the place, if the whole trip starts or ends there.
    pub(super) fn orig(&self) -> Option<String> {
        match self {
            SectionEnd::Requested { orig, .. } => Some(orig.clone()),
            SectionEnd::Via { .. } | SectionEnd::Resumed => None,
        }
    }
}

/// The parts of a section that have prices.
#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct Payable {
    /// Rides in travel order.
    pub(super) rides: Vec<Ride>,
    /// The walk after each ride except the last, `None` where there is none.
    pub(super) transfers: Vec<Option<TransferWalk>>,
    /// Seconds from picking up each rented bike to having returned it.
    pub(super) rental_seconds: Vec<i64>,
}

impl Payable {
    /// The parts of a street path that have prices.
    pub(super) fn on_streets(path: &StreetPath) -> Self {
        let (mut rental_seconds, mut since) = (Vec::new(), None);
        for traversal in &path.traversals {
            let rented: Option<i64> = since.map(|seconds: i64| seconds + i64::from(traversal.seconds));
            match traversal.kind {
                TraversalKind::RentalPickup => since = Some(0),
                TraversalKind::RentalDropoff => {
                    rental_seconds.extend(rented);
                    since = None;
                }
                _ => since = rented,
            }
        }
        Payable { rental_seconds, ..Payable::default() }
    }

    /// Appends the parts that follow.
    pub(super) fn extend(&mut self, next: Payable) {
        if !self.rides.is_empty() && !next.rides.is_empty() {
            self.transfers.push(None);
        }
        self.rides.extend(next.rides);
        self.transfers.extend(next.transfers);
        self.rental_seconds.extend(next.rental_seconds);
    }
}

/// A rendered section of a trip.
#[derive(Clone, PartialEq, Debug)]
pub struct Section {
    pub itinerary: Itinerary,
    /// The paid parts, from which the fare of the whole trip is computed.
    pub(super) payable: Payable,
    /// Azimuth at the start of the first step of its first leg, if that is on streets.
    pub(super) first_step_angle: Option<f64>,
    /// Azimuth at the start of its last step, to which the next section's first turn is relative.
    pub(super) last_step_angle: Option<f64>,
}

/// What the legs and steps of a section depend on besides its paths.
pub struct SectionContext<'a> {
    /// The graph and its live data.
    pub snapshot: &'a Snapshot,
    /// The request of the section; its time is that of the section's start (backward: its end). Where
    /// sections are joined, it is that of the whole trip.
    pub request: &'a RoutingRequest,
    pub from: SectionEnd,
    pub to: SectionEnd,
    /// The section before this one.
    pub previous: Option<&'a Section>,
}

impl<'a> SectionContext<'a> {
    /// The live data that the request wants.
    pub(super) fn live(&self) -> LiveFacts<'a> {
        LiveFacts::new(self.snapshot, self.request)
    }

    /// Azimuth at the start of the last step before this section.
    pub(super) fn previous_step_angle(&self) -> Option<f64> {
        self.previous.and_then(|section| section.last_step_angle)
    }

    /// Offset of the graph's zone from UTC at an epoch second, milliseconds.
    pub(super) fn zone_offset_ms(&self, epoch_seconds: i64) -> i32 {
        self.snapshot.utc_offset(epoch_seconds) * 1000
    }
}

#[cfg(test)]
mod tests {
    use trestle_street::path::Traversal;

    use super::*;

    #[test]
    fn a_bike_is_paid_for_until_it_is_returned() {
        use TraversalKind::{RentalDropoff, RentalPickup, Street};
        let steps = [(Street, 40), (RentalPickup, 60), (Street, 300), (RentalDropoff, 30), (Street, 50)];
        let traversals = steps.map(|(kind, seconds)| Traversal { kind, seconds, ..Traversal::event() });
        let path = StreetPath { traversals: traversals.to_vec(), ..StreetPath::default() };
        assert_eq!(Payable::on_streets(&path).rental_seconds, [330]);
    }
}
