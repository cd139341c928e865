//! The modes that call at stops, and how far from the ground their stops are shown.

use trestle_model::Mode;
use trestle_model::ids::StopIdx;
use trestle_transit::timetable::Timetable;

/// Bits of the modes that call at each stop, and for stations at any of their stops.
pub(crate) fn modes_of_stops(timetable: &Timetable) -> Vec<u16> {
    let (stops, patterns, routes) = (&timetable.stops, &timetable.patterns, &timetable.routes);
    let mut modes = vec![0u16; stops.id.len()];
    for (i, own) in modes.iter_mut().enumerate() {
        for [pattern, _] in stops.calls_at(StopIdx::from(i)) {
            *own |= 1 << routes.mode[patterns.route[*pattern as usize] as usize];
        }
    }
    for i in 0..stops.id.len() {
        let own = modes[i];
        let station = stops.station_of(StopIdx::from(i));
        if let Some(all) = station.and_then(|station| modes.get_mut(station.index())) {
            *all |= own;
        }
    }
    modes
}

/// The zoom from which stops of these modes are shown; modes whose stops are far apart come first.
pub(crate) fn min_zoom(modes: u16) -> u8 {
    let has = |mode: Mode| modes & 1 << mode as u8 != 0;
    match () {
        () if has(Mode::Rail) || has(Mode::Ferry) || has(Mode::Airplane) => 9,
        () if has(Mode::Subway) || has(Mode::Funicular) || has(Mode::Gondola) => 11,
        () if has(Mode::Tram) || has(Mode::CableCar) => 12,
        () => 13,
    }
}
