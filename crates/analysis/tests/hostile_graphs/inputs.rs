//! Hostile feeds and maps: a graph built from them passes its own file check and can be searched. `PROPTEST_CASES` sets
//! how many are tried.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use trestle_engine::store;

use super::searches::ask_everything;
use super::town::{Folder, STREETS, TABLES, zipped};

/// Builds a graph and queries everything. Inputs that cannot be built do not matter.
fn build_and_ask(name: &str, streets: &str, feed: &[u8]) -> bool {
    let folder = Folder::new(name);
    match folder.build(streets, feed) {
        Some(_) => {
            ask_everything(store::open(&folder.graph_file()).unwrap());
            true
        }
        None => false,
    }
}

/// Cells that are sometimes valid.
fn cell() -> impl Strategy<Value = String> {
    let known = vec![
        "A",
        "B",
        "C",
        "D",
        "S",
        "E",
        "P",
        "R",
        "F",
        "X",
        "WK",
        "SA",
        "T1",
        "T2",
        "F1",
        "b",
        "AG",
        "Z1",
        "",
        "0",
        "1",
        "2",
        "3",
        "-1",
        "8:00:00",
        "7:59:00",
        "25:00:00",
        "0:00:30",
        "23:59:00",
        "240:00:00",
        "9999:00:00",
        "20240101",
        "20241231",
        "19000101",
        "21991231",
        "41.0",
        "41.01",
        "-8.6",
        "1e308",
        "nan",
        "4294967295",
        "99999999999",
    ];
    prop_oneof![8 => select(known).prop_map(str::to_owned), 1 => "[ -~]{0,6}"]
}

/// The town's tables, each with rows of random cells after its own, or with a cell of its own replaced.
fn feed() -> impl Strategy<Value = Vec<(String, String)>> {
    let table = |(name, text): (&'static str, &'static str)| {
        let columns = text.lines().next().unwrap().split(',').count();
        let rows = vec(vec(cell(), columns), 0..4);
        let changes = vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), cell()), 0..2);
        (rows, changes).prop_map(move |(rows, changes)| {
            let mut lines: Vec<Vec<String>> =
                text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect();
            for (row, column, with) in changes {
                if lines.len() > 1 {
                    let line = 1 + row.index(lines.len() - 1);
                    let cells = lines[line].len();
                    lines[line][column.index(cells)] = with;
                }
            }
            lines.extend(rows);
            let text = lines.iter().map(|cells| cells.join(",")).collect::<Vec<_>>().join("\n");
            (name.to_owned(), text)
        })
    };
    TABLES.into_iter().map(table).collect::<Vec<_>>()
}

/// The town's map with some numbers and values replaced, or lines repeated, removed or reordered.
fn streets() -> impl Strategy<Value = String> {
    let values = vec![
        "1",
        "2",
        "3",
        "4",
        "7",
        "18",
        "999",
        "41.0",
        "-8.6",
        "0",
        "-1",
        "91",
        "1e308",
        "nan",
        "yes",
        "no",
        "residential",
        "motorway",
        "footway",
        "steps",
        "elevator",
        "only_left_turn",
        "no_entry",
        "Mo-Fr 07:00-09:00",
        "00",
        "999999",
        "lift_gate",
        "bollard",
        "parking",
        "outer",
        "via",
        "to",
        "4294967296",
        "",
    ];
    let change = (any::<prop::sample::Index>(), select(values));
    let shuffle = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..3);
    (vec(change, 0..5), vec(shuffle, 0..3)).prop_map(|(changes, shuffles)| {
        let mut parts: Vec<String> = STREETS.split('"').map(str::to_owned).collect();
        for (at, with) in changes {
            // Every second part is inside quotes.
            let at = 1 + 2 * at.index(parts.len() / 2);
            parts[at] = with.to_owned();
        }
        let text = parts.join("\"");
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for (from, to, what) in shuffles {
            let (from, to) = (1 + from.index(lines.len() - 2), 1 + to.index(lines.len() - 2));
            match what {
                0 => lines.swap(from, to),
                1 => lines.insert(to, lines[from].clone()),
                _ => drop(lines.remove(from)),
            }
        }
        lines.join("\n")
    })
}

#[test]
fn the_town_itself_is_built_and_answers() {
    assert!(build_and_ask("itself", STREETS, &zipped(TABLES)));
}

#[test]
fn a_graph_without_input_answers() {
    let empty = TABLES.map(|(name, text)| (name, text.lines().next().unwrap()));
    build_and_ask("empty", "<osm version=\"0.6\"></osm>", &zipped(empty));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn graphs_of_hostile_feeds_answer(tables in feed()) {
        build_and_ask("feed", STREETS, &zipped(tables));
    }

    #[test]
    fn graphs_of_hostile_maps_answer(streets in streets()) {
        build_and_ask("map", &streets, &zipped(TABLES));
    }
}

fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(48)
}
