//! Graph files with a wrong value in a column and a corrected checksum.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;

use trestle_engine::store;
use trestle_model::processors::{Supply, on_processors};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::searches::ask_everything;
use super::town::{Folder, graph_bytes};

const HEADER_BYTES: usize = 64;
const ALIGNMENT: usize = 64;
/// Bytes of a row of the directory without its name.
const ROW_BYTES: usize = 32;
const DIRECTORY_AT: usize = 24;
const CHECKSUM_AT: std::ops::Range<usize> = 32..40;

static TOWN: LazyLock<Vec<u8>> = LazyLock::new(graph_bytes);

/// A column in the file.
#[derive(Clone)]
struct StoredColumn {
    name: String,
    element: usize,
    offset: usize,
    length: usize,
}

fn number(bytes: &[u8], at: usize, length: usize) -> usize {
    bytes[at..at + length].iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
}

/// The columns of a graph file.
fn columns_of(bytes: &[u8]) -> Vec<StoredColumn> {
    let mut at = number(bytes, DIRECTORY_AT, 8);
    let count = number(bytes, at, 4);
    at += 4;
    let mut found = Vec::new();
    for _ in 0..count {
        let name_length = number(bytes, at, 4);
        found.push(StoredColumn {
            element: number(bytes, at + 4, 4),
            offset: number(bytes, at + 8, 8),
            length: number(bytes, at + 16, 8),
            name: String::from_utf8(bytes[at + ROW_BYTES..at + ROW_BYTES + name_length].to_vec()).unwrap(),
        });
        at += ROW_BYTES + name_length;
    }
    found
}

/// Sets the checksum of each column, then that of the header.
fn mend_checksums(bytes: &mut [u8]) {
    let directory = number(bytes, DIRECTORY_AT, 8);
    let mut at = directory + 4;
    while at < bytes.len() {
        let (offset, length) = (number(bytes, at + 8, 8), number(bytes, at + 16, 8));
        let sum = xxh3_64(&bytes[offset..offset + length.next_multiple_of(ALIGNMENT)]);
        bytes[at + 24..at + 32].copy_from_slice(&sum.to_le_bytes());
        at += ROW_BYTES + number(bytes, at, 4);
    }
    bytes[CHECKSUM_AT].fill(0);
    let mut hash = Xxh3::new();
    hash.update(&bytes[directory..]);
    hash.update(&bytes[..HEADER_BYTES]);
    let sum = hash.digest();
    bytes[CHECKSUM_AT].copy_from_slice(&sum.to_le_bytes());
}

/// Pseudo-random numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below.max(1)
    }
}

/// Values that are written into a number of `width` bytes.
const WAYS: [&str; 7] = ["largest", "largest signed", "zero", "one more", "random", "small", "swapped"];

fn write(way: &str, bytes: &mut [u8], column: &StoredColumn, dice: &mut Dice) {
    // Elements are numbers of one size, or records of numbers of 4 or 8 bytes with a few of 1 and 2.
    let widths = [1, 2, 4, 8];
    let fitting: Vec<usize> =
        widths.into_iter().filter(|width| column.element.is_multiple_of(*width)).collect();
    let width = match column.element {
        1 | 2 | 4 | 8 => column.element,
        _ => fitting[fitting.len() - 1 - dice.roll(fitting.len().min(2))],
    };
    let at = column.offset + dice.roll(column.length / width) * width;
    let value = &mut bytes[at..at + width];
    match way {
        "largest" => value.fill(0xff),
        "largest signed" => {
            value.fill(0xff);
            value[width - 1] = 0x7f;
        }
        "zero" => value.fill(0),
        "one more" => {
            let next = number(value, 0, width).wrapping_add(1).to_le_bytes();
            value.copy_from_slice(&next[..width]);
        }
        "random" => value.iter_mut().for_each(|byte| *byte = dice.roll(256) as u8),
        "small" => {
            let small = dice.roll(12).to_le_bytes();
            value.copy_from_slice(&small[..width]);
        }
        _ => {
            let other = column.offset + dice.roll(column.length / width) * width;
            (0..width).for_each(|i| bytes.swap(at + i, other + i));
        }
    }
}

/// Whether the damaged file was opened. Panics if it was and an answer is missing.
fn opened(folder: &Folder, bytes: &[u8]) -> bool {
    std::fs::write(folder.graph_file(), bytes).unwrap();
    match store::open(&folder.graph_file()) {
        Ok(graph) => {
            ask_everything(graph);
            true
        }
        Err(error) => {
            assert_eq!(error.code(), "GRAPH_DAMAGED", "{error}");
            false
        }
    }
}

/// The most megabytes that the process has used at once, where the system reports it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}

#[test]
fn the_town_fills_the_columns() {
    let empty: Vec<String> =
        columns_of(&TOWN).into_iter().filter(|column| column.length == 0).map(|column| column.name).collect();
    let allowed =
        ["elevation", "slope", "rental_prices", "max_fare_agencies", "flex.trips", "fare_services.currency"];
    let unexpected: Vec<_> =
        empty.iter().filter(|name| !allowed.iter().any(|part| name.contains(part))).collect();
    assert!(unexpected.is_empty(), "nothing in {unexpected:?}");
}

/// What became of damaged files.
#[derive(Default)]
struct Outcome {
    tried: usize,
    refused: usize,
    /// What was written into the files that were opened and not answered for.
    failed: Vec<String>,
}

/// Damages one column in all ways.
fn damage(column: &StoredColumn, rounds: u64, folder: &Folder, outcome: &mut Outcome) {
    for (number, way) in WAYS.iter().enumerate() {
        for round in 0..rounds {
            let mut dice = Dice(round << 40 | (column.offset as u64) << 8 | number as u64);
            let mut bytes = TOWN.clone();
            write(way, &mut bytes, column, &mut dice);
            if bytes == *TOWN {
                continue;
            }
            mend_checksums(&mut bytes);
            outcome.tried += 1;
            match catch_unwind(AssertUnwindSafe(|| opened(folder, &bytes))) {
                Ok(true) => {}
                Ok(false) => outcome.refused += 1,
                Err(_) => outcome.failed.push(format!("{}: {way}, round {round}", column.name)),
            }
        }
    }
}

#[test]
fn a_wrong_value_is_refused_or_harmless() {
    assert!(opened(&Folder::new("damage"), &TOWN));
    let rounds: u64 = std::env::var("DAMAGE_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(1);
    let columns = columns_of(&TOWN);
    let supply = Supply::of(columns.iter().filter(|column| column.length > 0));
    let outcomes = on_processors(usize::MAX, || {
        let folder = Folder::new(&format!("damage-{:?}", std::thread::current().id()));
        let mut outcome = Outcome::default();
        while let Some(column) = supply.take() {
            damage(column, rounds, &folder, &mut outcome);
        }
        outcome
    });
    let tried: usize = outcomes.iter().map(|outcome| outcome.tried).sum();
    let refused: usize = outcomes.iter().map(|outcome| outcome.refused).sum();
    let failed: Vec<&String> = outcomes.iter().flat_map(|outcome| &outcome.failed).collect();
    eprintln!("{refused} of {tried} files were refused; {:?} MB at most", peak_memory());
    assert!(failed.is_empty(), "{} files were opened and not answered for: {failed:#?}", failed.len());
    assert!(refused * 3 > tried, "{refused} of {tried} were refused");
    assert!(peak_memory().is_none_or(|megabytes| megabytes < 1000), "{:?} MB", peak_memory());
}
