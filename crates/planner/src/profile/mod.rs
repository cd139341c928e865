//! Options between two places over a departure window: the combinations of routes, and the least, average and greatest
//! time of each.
//!
//! Finds stops in every mode, searches rides between stop clusters, chooses the best options, and describes them. All
//! rides between the same two clusters count as one.

mod answer;
mod error;
mod fares;
mod nearby_clusters;
mod network;
mod request;
mod rides;
mod search;
mod selection;
mod statistics;
mod street;

pub use answer::{ProfileOption, Segment, SegmentFare, SegmentPattern, StreetEdge, StreetSegment};
pub use error::ProfileError;
pub use request::{OrderBy, ProfileMode, ProfileRequest};
pub use statistics::Stats;

use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;

use crate::scratch::Scratch;
use network::Network;
use street::StreetSearches;

/// The options of a request: those with transit, best first, then the one without transit. If an end of the trip is far
/// from all streets, there is only an empty last option.
///
/// # Errors
/// [`ProfileError`]: an unusable value of the request, or stopped.
pub fn profile(
    snapshot: &Snapshot,
    request: &ProfileRequest,
    scratch: &mut Scratch,
    deadline: &Deadline,
) -> Result<Vec<ProfileOption>, ProfileError> {
    request.check()?;
    let streets = StreetSearches::new(snapshot, request, deadline);
    let direct = streets.direct_option(&mut scratch.direct)?;
    let mut options = if request.transit_modes.has_transit() {
        let service = snapshot.active_service(request.from_epoch, true);
        let network = Network::new(snapshot, &service, request);
        let ends = streets.ends(&network, scratch)?;
        let rides = search::rides(&network, request, &ends, deadline)?;
        let chosen = selection::choose(request, &ends, &rides);
        streets.describe(&network, &rides, &chosen, &ends, scratch)?
    } else {
        Vec::new()
    };
    options.push(direct);
    Ok(options)
}
