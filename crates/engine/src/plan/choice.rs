//! Which itineraries are kept, and in which order.

use trestle_model::RoutingRequest;
use trestle_model::itinerary::Itinerary;
use trestle_transit::path::TransitPath;

/// Departure, arrival and cost of a street path beside transit ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DirectFigures {
    pub(super) departure: i64,
    pub(super) arrival: i64,
    pub(super) weight: f64,
}

/// Drops transit paths until they and the street path are no more than were asked for. The path of least cost
/// and the one that arrives first (leaves last with `arrive_by`) stay; of the others the dearest go.
/// Returns whether the street path stays too.
pub(super) fn keep_best(
    request: &RoutingRequest,
    paths: &mut Vec<TransitPath>,
    direct: Option<DirectFigures>,
) -> bool {
    let limit = request.num_itineraries.max(1) as usize;
    let Some(direct) = direct else {
        paths.truncate(limit);
        return false;
    };
    let lateness = |departure: i64, arrival: i64| if request.arrive_by { -departure } else { arrival };
    while paths.len() + 1 > limit {
        let cheapest = paths.iter().map(|p| p.weight).fold(f64::INFINITY, f64::min);
        let earliest = paths.iter().map(|p| lateness(p.departure, p.arrival)).min().unwrap_or(i64::MAX);
        if limit == 1 {
            if direct.weight <= cheapest {
                paths.clear();
                return true;
            }
            return drop_direct(paths, limit);
        }
        let direct_is_extreme =
            direct.weight <= cheapest || lateness(direct.departure, direct.arrival) <= earliest;
        let spare = (paths.iter().enumerate())
            .filter(|(_, p)| {
                let wins = (p.weight <= cheapest && p.weight < direct.weight)
                    || lateness(p.departure, p.arrival)
                        <= earliest.min(lateness(direct.departure, direct.arrival));
                !wins
            })
            .max_by(|(_, a), (_, b)| a.weight.total_cmp(&b.weight))
            .map(|(i, p)| (i, p.weight));
        match spare {
            Some((i, weight)) if direct_is_extreme || weight >= direct.weight => {
                paths.remove(i);
            }
            _ => return drop_direct(paths, limit),
        }
    }
    true
}

fn drop_direct(paths: &mut Vec<TransitPath>, limit: usize) -> bool {
    paths.truncate(limit);
    false
}

/// Drops itineraries of `max_hours` or more.
pub(super) fn drop_too_long(request: &RoutingRequest, itineraries: &mut Vec<Itinerary>) {
    if !request.max_hours.is_finite() {
        return;
    }
    let requested = request.epoch_seconds * 1000;
    itineraries.retain(|i| {
        let millis = match (request.use_requested_time_in_max_hours, request.arrive_by) {
            (false, _) => i.end_time - i.start_time,
            (true, false) => i.end_time - requested,
            (true, true) => requested - i.start_time,
        };
        (millis as f64) < request.max_hours * 3_600_000.0
    });
}

/// Earliest arrival first, with `arrive_by` latest departure first; or shortest first when asked for.
pub(super) fn sort(request: &RoutingRequest, itineraries: &mut [Itinerary]) {
    if request.sort_by_duration {
        itineraries.sort_by_key(|i| i.end_time - i.start_time);
    } else if request.arrive_by {
        itineraries.sort_by_key(|i| -i.start_time);
    } else {
        itineraries.sort_by_key(|i| i.end_time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(arrival: i64, weight: f64) -> TransitPath {
        TransitPath {
            access: Some(0),
            egress: 0,
            rides: Vec::new(),
            transfers: Vec::new(),
            departure: 0,
            arrival,
            weight,
        }
    }

    fn kept(limit: i32, paths: &[(i64, f64)], direct: (i64, f64)) -> (Vec<i64>, bool) {
        let request = RoutingRequest { num_itineraries: limit, ..RoutingRequest::default() };
        let mut paths: Vec<TransitPath> = paths.iter().map(|&(a, w)| path(a, w)).collect();
        let figures = DirectFigures { departure: 0, arrival: direct.0, weight: direct.1 };
        let stays = keep_best(&request, &mut paths, Some(figures));
        (paths.into_iter().map(|p| p.arrival).collect(), stays)
    }

    #[test]
    fn both_extremes_stay_and_the_dearest_other_goes() {
        assert_eq!(
            kept(3, &[(100, 900.0), (200, 700.0), (300, 950.0)], (400, 800.0)),
            (vec![100, 200], true)
        );
        assert_eq!(
            kept(3, &[(100, 900.0), (200, 700.0), (300, 950.0)], (400, 2000.0)),
            (vec![100, 200, 300], false)
        );
        assert_eq!(kept(1, &[(100, 900.0)], (400, 800.0)), (vec![], true));
        assert_eq!(kept(1, &[(100, 700.0)], (400, 800.0)), (vec![100], false));
        assert_eq!(kept(4, &[(100, 900.0)], (400, 9000.0)), (vec![100], true));
    }
}
