//! Stops that updates assign to calls in place of the scheduled ones.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use trestle_model::geo::{LatLon, distance_m};

use super::model::{Call, CallUpdate, Model};

impl CallUpdate {
    /// The stop that the vehicle uses; none where it does not stop.
    pub(super) fn assigned_stop(&self) -> Option<&String> {
        self.assigned.as_ref().filter(|id| !id.is_empty() && self.relationship != Some(1))
    }
}

impl Model {
    /// The number of a stop.
    pub(super) fn stop(&self, id: &String) -> Option<usize> {
        self.stops.iter().position(|stop| stop.0 == *id)
    }

    /// The stop that a vehicle uses at a call that is otherwise at `home`; `None` if an update assigns one that it cannot use
    /// instead.
    pub(super) fn stop_used(&self, home: usize, update: Option<&CallUpdate>) -> Option<usize> {
        let Some(id) = update.and_then(CallUpdate::assigned_stop) else { return Some(home) };
        self.stop(id).filter(|stop| self.are_together(home, *stop))
    }

    /// Whether stops are of one station or, where one has none, at most 300 metres apart.
    pub(super) fn are_together(&self, a: usize, b: usize) -> bool {
        if let [Some(one), Some(other)] = [a, b].map(|stop| self.station(stop)) {
            return one == other;
        }
        let [one, other] = [a, b].map(|stop| LatLon::new(self.stops[stop].1, self.stops[stop].2));
        distance_m(one, other) <= 300.0
    }

    fn station(&self, stop: usize) -> Option<&String> {
        self.stations.get(stop).filter(|id| !id.is_empty())
    }

    /// Whether an update names the assigned stop beside the sequence of a call that may be moved there.
    pub(super) fn names_assigned(&self, calls: &[Call], update: &CallUpdate) -> bool {
        let (Some(sequence), Some(assigned)) = (update.sequence, update.assigned_stop()) else {
            return false;
        };
        let Some(call) = calls.get((sequence as usize).wrapping_sub(1)) else { return false };
        let is_assigned = |call: &&Call| self.stops[call.stop].0 == *assigned;
        let is_of_station = |other: &Call| {
            self.station(call.stop).is_some() && self.station(call.stop) == self.station(other.stop)
        };
        update.stop.as_ref() == Some(assigned)
            && (is_assigned(&call) || calls.iter().find(is_assigned).is_none_or(is_of_station))
    }

    /// stops.txt, with a row for each station.
    pub(super) fn table_of_stops(&self) -> String {
        let mut table = String::from("stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n");
        let mut stations = BTreeSet::new();
        for (number, (id, lat, lon)) in self.stops.iter().enumerate() {
            let station = self.stations.get(number).map_or("", String::as_str);
            if !station.is_empty() && stations.insert(station) {
                writeln!(table, "{station},{station},{lat:.9},{lon:.9},1,").unwrap();
            }
            writeln!(table, "{id},{id},{lat:.9},{lon:.9},0,{station}").unwrap();
        }
        table
    }
}
