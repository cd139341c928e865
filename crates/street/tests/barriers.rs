//! Who may pass barriers and areas.

use crate::support::{edges, graph};

#[test]
fn bollards_stop_cars() {
    let closed =
        graph("n1 0 0\n n2 0.001 0 barrier=bollard\n n3 0.002 0\n w10 1,2,3 highway=residential name=A");
    assert_eq!(edges(&closed), ["1>2 WB 111 A", "2>1 WB 111 A", "2>3 WB 111 A", "3>2 WB 111 A"]);
    let open = graph(
        "n1 0 0\n n2 0.001 0 barrier=bollard motor_vehicle=yes\n n3 0.002 0\n w10 1,2,3 highway=residential name=A",
    );
    assert_eq!(edges(&open)[0], "1>2 WBC 111 A");
}

/// The edges along a street of five nodes with a barrier in the middle.
fn around(barrier: &str) -> Vec<String> {
    let nodes = format!("n1 0 0\n n2 0.001 0\n n3 0.0011 0 {barrier}\n n4 0.0012 0\n n5 0.002 0");
    let all = edges(&graph(&format!("{nodes}\n w10 1,2,3,4,5 highway=residential name=A")));
    all.into_iter().filter(|edge| edge.as_bytes()[0] < edge.as_bytes()[2]).collect()
}

#[test]
fn barriers_close_the_short_pieces_beside_them() {
    let closed = ["1>2 WBC 111 A", "2>3  11 A", "3>4  11 A", "4>5 WBC 89 A"];
    assert_eq!(around("barrier=gate access=no"), closed);
    let for_cyclists = ["1>2 WBC 111 A", "2>3 B 11 A", "3>4 B 11 A", "4>5 WBC 89 A"];
    assert_eq!(around("barrier=gate access=no bicycle=yes"), for_cyclists);
    assert_eq!(around("barrier=gate foot=no motor_vehicle=no"), for_cyclists);
    assert_eq!(around("barrier=block")[1], "2>3 WB 11 A");
    assert_eq!(around("barrier=cycle_barrier bicycle=no")[1], "2>3 W 11 A");
}

#[test]
fn barriers_that_everyone_can_pass_do_not_cut_streets() {
    let whole = ["1>5 WBC 222 A"];
    for barrier in ["barrier=gate", "barrier=gate access=private", "barrier=lift_gate", "barrier=toll_booth"]
    {
        assert_eq!(around(barrier), whole, "{barrier}");
    }
    assert_eq!(around("barrier=block motor_vehicle=yes"), whole);
}

#[test]
fn cyclists_dismount_on_areas() {
    let nodes = "n1 0 0\n n2 0 0.001\n n3 0.001 0.001\n n4 0.001 0\n";
    let on_area = |tags: &str| {
        edges(&graph(&format!("{nodes}w10 1,2,3,4,1 highway=pedestrian area=yes name=A {tags}")))
    };
    assert_eq!(on_area("")[0], "1>2 WB 111 A");
    assert_eq!(on_area("bicycle=dismount")[0], "1>2 W 111 A");
}
