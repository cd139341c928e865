//! Options between two places over a window of departures: which combinations of routes there are, and what each
//! takes at least, on average and at most.
//!
//! reach stops by every street mode → ride between places, most promising first → choose the best options →
//! describe them. A *place* is a stop cluster: rides between the same two places are one.

mod answer;
mod error;
mod fares;
mod network;
mod reach;
mod request;
mod rides;
mod search;
mod selection;
mod statistics;
mod street;

pub use answer::{ProfileOption, Segment, SegmentFare, SegmentPattern, StreetEdge, StreetSegment};
pub use error::ProfileError;
pub use request::{OrderBy, ProfileRequest, StreetMode};
pub use statistics::Stats;

use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;

use crate::scratch::Scratch;
use network::Network;
use reach::Ends;
use street::StreetWays;

/// The options of a request: those with transit, the best first, then the one without. A place that is off the map
/// leaves only an empty last option.
///
/// # Errors
/// [`ProfileError`]: a mode that cannot be used where it is asked for, or stopped.
pub fn profile(
    snapshot: &Snapshot,
    request: &ProfileRequest,
    scratch: &mut Scratch,
    deadline: &Deadline,
) -> Result<Vec<ProfileOption>, ProfileError> {
    request.check()?;
    let ways = StreetWays::new(snapshot, request, deadline);
    let direct = ways.direct_option(&mut scratch.direct)?;
    let mut options = if request.transit_modes.has_transit() {
        let window = snapshot.service_window(request.from_epoch, true);
        let network = Network::new(snapshot, &window, request);
        let ends = Ends { access: ways.access(&network, scratch)?, egress: ways.egress(&network, scratch)? };
        let rides = search::rides(&network, request, &ends, deadline)?;
        let chosen = selection::choose(request, &ends, &rides);
        ways.describe(&network, &rides, &chosen, &ends, scratch)?
    } else {
        Vec::new()
    };
    options.push(direct);
    Ok(options)
}
