use std::fs;
use std::path::PathBuf;

use super::*;

/// A file of its own per test, removed at the end.
struct TemporaryFile(PathBuf);

impl TemporaryFile {
    fn new(name: &str) -> Self {
        TemporaryFile(std::env::temp_dir().join(format!("trestle-store-{}-{name}", std::process::id())))
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn small_graph() -> Graph {
    let mut graph = Graph::default();
    graph.street.vertex_lat = vec![1.0, 2.0].into();
    graph.timetable.stops.code = vec![7, 8, 9].into();
    graph.facts.stop_access_seconds = vec![42].into();
    graph
}

#[test]
fn a_saved_graph_opens_with_the_same_columns() {
    let file = TemporaryFile::new("same");
    save(&small_graph(), &file.0).unwrap();
    let graph = open(&file.0).unwrap();
    assert_eq!(&graph.street.vertex_lat[..], &[1.0, 2.0]);
    assert_eq!(&graph.timetable.stops.code[..], &[7, 8, 9]);
    assert_eq!(&graph.facts.stop_access_seconds[..], &[42]);
}

#[test]
fn saving_twice_gives_the_same_bytes() {
    let (a, b) = (TemporaryFile::new("a"), TemporaryFile::new("b"));
    save(&small_graph(), &a.0).unwrap();
    save(&small_graph(), &b.0).unwrap();
    assert_eq!(fs::read(&a.0).unwrap(), fs::read(&b.0).unwrap());
}

#[test]
fn every_damage_is_a_clear_error() {
    let file = TemporaryFile::new("damage");
    save(&small_graph(), &file.0).unwrap();
    let good = fs::read(&file.0).unwrap();
    let code_of = |bytes: &[u8]| {
        fs::write(&file.0, bytes).unwrap();
        open(&file.0).map(|_| "opened").unwrap_or_else(|e| e.code())
    };
    assert_eq!(code_of(b""), "GRAPH_FOREIGN");
    assert_eq!(
        code_of(b"PK\x03\x04 something else entirely, long enough to hold a whole header of ours ..."),
        "GRAPH_FOREIGN"
    );
    for length in [1, 63, 64, 65, good.len() / 2, good.len() - 1] {
        assert_ne!(code_of(&good[..length]), "opened", "cut to {length}");
    }
    let mut older = good.clone();
    older[8] = 0;
    assert_eq!(code_of(&older), "GRAPH_VERSION");
    for at in (64..good.len()).step_by(97) {
        let mut flipped = good.clone();
        flipped[at] ^= 1;
        assert_eq!(code_of(&flipped), "GRAPH_DAMAGED", "byte {at}");
    }
    assert_eq!(code_of(&good), "opened");
}
