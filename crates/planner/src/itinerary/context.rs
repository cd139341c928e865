//! The parts of a request that its itineraries depend on.

use jiff::tz::TimeZone;
use trestle_model::Mode;
use trestle_model::geo::LatLon;
use trestle_model::itinerary::Fare;
use trestle_street::path::{StreetPath, TraversalKind};
use trestle_transit::calendar::utc_offset;
use trestle_transit::path::{Ride, TransferWalk};

use super::live::LegFacts;

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
    },
    /// An intermediate place that the section arrives at.
    Via {
        /// Name shown.
        name: String,
        /// The position as requested.
        position: LatLon,
    },
    /// The intermediate place where the section before ended, shown as the street corner where the path continues.
    Resumed,
}

/// The parts of a section that have prices.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Payable {
    /// Rides in travel order.
    pub rides: Vec<Ride>,
    /// The walk after each ride except the last, `None` where there is none.
    pub transfers: Vec<Option<TransferWalk>>,
    /// Seconds from picking up each rented bike to having returned it.
    pub rental_seconds: Vec<i64>,
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

/// Returns prices in the order in which they are shown.
pub type FareFunction<'a> = dyn Fn(&Payable) -> Vec<Fare> + 'a;

/// What legs and steps depend on besides the path.
pub struct ItineraryContext<'a> {
    /// Start of the section.
    pub from: SectionEnd,
    /// End of the section.
    pub to: SectionEnd,
    /// Requested departure, or arrival with `arrive_by`, epoch seconds. Transit paths have their own times.
    pub requested_time: i64,
    /// `requested_time` is the arrival.
    pub arrive_by: bool,
    /// Whether legs list their intermediate stops.
    pub show_intermediate_stops: bool,
    /// Language of street names and notes, e.g. `en`.
    pub locale: &'a str,
    /// Time zone of the graph.
    pub zone: &'a TimeZone,
    /// Metres above which `walk_limit_exceeded` is set; infinite without a limit.
    pub walk_limit: f64,
    /// Seconds between the arrival of a vehicle and the start of the walk to the next one, by number of its mode.
    pub alight_seconds: [i32; Mode::COUNT],
    /// Live delays, alerts and rental stations.
    pub facts: &'a dyn LegFacts,
    /// Fares of the rides.
    pub fare: &'a FareFunction<'a>,
}

impl ItineraryContext<'_> {
    /// The user's name for the start, if the section starts there.
    pub(super) fn orig_from(&self) -> Option<String> {
        orig(&self.from)
    }

    /// The user's name for the destination, if the section ends there.
    pub(super) fn orig_to(&self) -> Option<String> {
        orig(&self.to)
    }

    /// Offset of the graph's zone from UTC at an epoch second, milliseconds.
    pub(super) fn zone_offset_ms(&self, epoch_seconds: i64) -> i32 {
        utc_offset(epoch_seconds, self.zone) * 1000
    }
}

fn orig(end: &SectionEnd) -> Option<String> {
    match end {
        SectionEnd::Requested { orig, .. } => Some(orig.clone()),
        SectionEnd::Via { .. } | SectionEnd::Resumed => None,
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
