//! Places whose nearest nodes lead nowhere, such as those on a path behind a private road, which plans link to another
//! street.

use crate::single_times::{in_matrix, in_plan};
use crate::support::{GridTown, crossing, request_from};
use trestle_model::{Mode, ModeSet, RoutingRequest};

#[test]
fn matrices_lead_out_of_yards_and_into_them_like_plans() {
    let town = GridTown::new("yards", 20, 8, "yard 9 3 9.5 3.5");
    let (yard, elsewhere) = (crossing(9.5, 3.5), crossing(16.0, 5.0));
    for modes in [ModeSet::of(&[Mode::Walk]), ModeSet::of(&[Mode::Bicycle])] {
        for [from, to] in [[yard, elsewhere], [elsewhere, yard]] {
            let request = RoutingRequest { modes, ..request_from(from, "8:00") };
            let planned = in_plan(&town, &request, [from, to]);
            let seconds = in_matrix(&town, &request, [from, to]);
            assert!((seconds - planned).abs() < 90, "{modes:?}: {seconds} s, plan {planned} s");
        }
    }
}
