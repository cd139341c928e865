use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;

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
    graph.street.top_car_speed = vec![42.0].into();
    graph.timetable.services.words = vec![7].into();
    graph.facts.hull = vec![[1.0, 2.0], [3.0, 4.0]].into();
    graph
}

#[test]
fn a_saved_graph_opens_with_the_same_columns() {
    let file = TemporaryFile::new("same");
    save(&small_graph(), &file.0).unwrap();
    let graph = open(&file.0).unwrap();
    assert_eq!(&graph.street.top_car_speed[..], &[42.0]);
    assert_eq!(&graph.timetable.services.words[..], &[7]);
    assert_eq!(&graph.facts.hull[..], &[[1.0, 2.0], [3.0, 4.0]]);
}

#[test]
fn a_graph_is_written_twice_at_the_same_time() {
    let file = TemporaryFile::new("twice");
    let mut inner = Ok(());
    let outer = writer::replace(&file.0, |writer| {
        inner = save(&small_graph(), &file.0);
        small_graph().write("graph", writer);
    });
    inner.unwrap();
    outer.unwrap();
    assert_eq!(&open(&file.0).unwrap().street.top_car_speed[..], &[42.0]);
}

#[test]
fn an_open_graph_is_replaced_by_giving_it_another_name_first() {
    let [file, finished, backup] = ["open", "finished", "open.bak"].map(TemporaryFile::new);
    save(&small_graph(), &file.0).unwrap();
    let before = open(&file.0).unwrap();
    let mut changed = small_graph();
    changed.street.top_car_speed = vec![7.0].into();
    save(&changed, &finished.0).unwrap();
    writer::replace_open(&finished.0, &file.0).unwrap();
    assert_eq!(&open(&file.0).unwrap().street.top_car_speed[..], &[7.0]);
    assert_eq!(&before.street.top_car_speed[..], &[42.0]);
    assert_eq!(&open(&backup.0).unwrap().street.top_car_speed[..], &[42.0]);
    // The graph keeps its name when there is nothing to replace it by.
    writer::replace_open(&finished.0, &file.0).unwrap_err();
    assert_eq!(&open(&file.0).unwrap().street.top_car_speed[..], &[7.0]);
}

#[test]
fn checking_reports_its_progress_and_stops_at_any_step() {
    let file = TemporaryFile::new("watched");
    let mut graph = small_graph();
    graph.facts.hull = vec![[1.0, 2.0]; 5 << 19].into();
    save(&graph, &file.0).unwrap();
    let (graph, contents) = open_unchecked(&file.0).unwrap();
    let mut reports = Vec::new();
    let mut report = |step: &str, fraction: f32| {
        reports.push((step.to_owned(), fraction));
        true
    };
    contents.check(&graph, &mut report).unwrap();
    // 40 MB are read in three parts.
    let steps: Vec<&str> = reports.iter().map(|(step, _)| step.as_str()).collect();
    assert_eq!(steps, ["read", "read", "read", "read", "check", "check"]);
    assert!(reports[..4].is_sorted_by(|a, b| a.1 < b.1) && reports[0].1 == 0.0 && reports[3].1 == 1.0);
    for last in 0..reports.len() {
        let mut calls = 0;
        let mut until = |_: &str, _: f32| {
            calls += 1;
            calls <= last
        };
        let error = contents.check(&graph, &mut until).unwrap_err();
        assert_eq!((error.code(), calls), ("ABORTED", last + 1));
    }
}

#[test]
fn a_damaged_column_is_named_when_the_contents_are_checked() {
    let file = TemporaryFile::new("column");
    save(&small_graph(), &file.0).unwrap();
    let mut bytes = fs::read(&file.0).unwrap();
    let at = bytes.windows(4).position(|window| window == 42f32.to_le_bytes()).unwrap();
    bytes[at] ^= 1;
    fs::write(&file.0, &bytes).unwrap();
    let (graph, contents) = open_unchecked(&file.0).unwrap();
    let error = contents.check(&graph, &mut |_, _| true).unwrap_err();
    let reason = "column graph.street.top_car_speed is damaged: the checksum does not match";
    assert_eq!(error.code(), "GRAPH_DAMAGED");
    assert_eq!(error.to_string(), format!("{}: damaged graph file: {reason}", file.0.display()));
}

#[test]
fn a_column_that_breaks_its_rule_is_named() {
    let file = TemporaryFile::new("rule");
    let mut graph = small_graph();
    graph.facts.hull = vec![[1.0, 2.0], [3.0, 91.0]].into();
    save(&graph, &file.0).unwrap();
    let error = open(&file.0).unwrap_err();
    assert_eq!(error.code(), "GRAPH_DAMAGED");
    let reason = "column graph.facts.hull is damaged: row 1: not a place on Earth";
    assert_eq!(error.to_string(), format!("{}: damaged graph file: {reason}", file.0.display()));
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

#[test]
fn a_directory_is_told_from_other_files() {
    let directory = std::env::temp_dir();
    let error = open(&directory).map(|_| ()).unwrap_err();
    assert_eq!(error.code(), "GRAPH_IO");
    let expected = format!(
        "{}: is a directory; give the graph file in it, such as {}",
        directory.display(),
        directory.join("Graph.obj").display()
    );
    assert_eq!(error.to_string(), expected);
}

/// Ways to damage a file: bytes changed, removed or repeated, or the end cut off.
#[derive(Clone, Debug)]
enum Damage {
    Overwrite(f64, Vec<u8>),
    Remove(f64, usize),
    Insert(f64, Vec<u8>),
    Cut(f64),
}

impl Damage {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let at = |place: f64| (place * bytes.len() as f64) as usize;
        match self {
            Damage::Overwrite(place, with) => {
                let start = at(*place);
                bytes[start..].iter_mut().zip(with).for_each(|(byte, new)| *byte = *new);
            }
            Damage::Remove(place, length) => {
                let start = at(*place);
                let end = (start + length).min(bytes.len());
                bytes.drain(start..end);
            }
            Damage::Insert(place, new) => {
                let start = at(*place);
                bytes.splice(start..start, new.iter().copied());
            }
            Damage::Cut(place) => bytes.truncate(at(*place)),
        }
    }
}

fn damage() -> impl Strategy<Value = Damage> {
    let bytes = || proptest::collection::vec(any::<u8>(), 1..24);
    // The header and the table of columns are at the start, so half of the damage is done there.
    let place = || prop_oneof![0.0..1.0f64, 0.0..0.1f64];
    prop_oneof![
        (place(), bytes()).prop_map(|(at, with)| Damage::Overwrite(at, with)),
        (place(), 1..200usize).prop_map(|(at, length)| Damage::Remove(at, length)),
        (place(), bytes()).prop_map(|(at, new)| Damage::Insert(at, new)),
        (0.0..1.0f64).prop_map(Damage::Cut),
    ]
}

proptest! {
    #[test]
    fn any_damage_is_noticed(damages in proptest::collection::vec(damage(), 1..4)) {
        let file = TemporaryFile::new("any-damage");
        save(&small_graph(), &file.0).unwrap();
        let good = fs::read(&file.0).unwrap();
        let mut bytes = good.clone();
        for damage in damages {
            if !bytes.is_empty() {
                damage.apply(&mut bytes);
            }
        }
        fs::write(&file.0, &bytes).unwrap();
        prop_assert_eq!(open(&file.0).is_ok(), bytes == good);
    }
}
