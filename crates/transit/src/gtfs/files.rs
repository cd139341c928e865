//! The tables of one feed as bytes, unpacked from a zip or given one by one.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read, Take};

use zip::ZipArchive;
use zip::result::ZipError;

use crate::error::TransitError;

/// Tables that are read; everything else in an archive is not unpacked.
const TABLES: [&str; 16] = [
    "feed_info.txt",
    "agency.txt",
    "stops.txt",
    "routes.txt",
    "trips.txt",
    "stop_times.txt",
    "calendar.txt",
    "calendar_dates.txt",
    "frequencies.txt",
    "shapes.txt",
    "transfers.txt",
    "pathways.txt",
    "fare_attributes.txt",
    "fare_rules.txt",
    "areas.txt",
    "locations.geojson",
];

/// Tables of GTFS that plans do not use.
const UNUSED_TABLES: [&str; 16] = [
    "fare_media.txt",
    "fare_products.txt",
    "fare_leg_rules.txt",
    "fare_leg_join_rules.txt",
    "fare_transfer_rules.txt",
    "rider_categories.txt",
    "timeframes.txt",
    "stop_areas.txt",
    "networks.txt",
    "route_networks.txt",
    "location_groups.txt",
    "location_group_stops.txt",
    "booking_rules.txt",
    "levels.txt",
    "translations.txt",
    "attributions.txt",
];

/// Total size that a feed may unpack to, bytes: several times the largest national feeds.
const MAX_FEED_BYTES: u64 = 6 << 30;
/// A table up to this size is accepted at any packing ratio.
const HARMLESS_BYTES: u64 = 64 << 20;
/// Largest packing ratio of larger tables. Schedules pack 5 to 30 times; only zip bombs exceed this.
const MAX_PACKING_RATIO: u64 = 200;

/// The table that is unpacked while it is read, because it is nearly all of a feed.
const STOP_TIMES: &str = "stop_times.txt";

/// The tables of one feed.
#[derive(Clone, Debug, Default)]
pub struct FeedFiles<'a> {
    name: String,
    tables: BTreeMap<String, Vec<u8>>,
    /// stop_times.txt, when it is still packed.
    stop_times: Option<PackedTable<'a>>,
    /// Entries that are or might be tables, and why they are not read.
    left_out: Vec<(String, &'static str)>,
}

impl<'a> FeedFiles<'a> {
    /// Unpacks the tables at the root of a zip archive, except for stop_times.txt.
    ///
    /// # Errors
    /// [`TransitError::UnreadableArchive`] for bytes that are not an archive, [`TransitError::TooLarge`] for a zip bomb,
    /// [`TransitError::TablesInFolder`] when the tables are not at the root, [`TransitError::TablesInCapitals`] when they
    /// have other names.
    pub fn from_zip(name: &str, bytes: &'a [u8]) -> Result<Self, TransitError> {
        let unreadable = |reason: String| TransitError::UnreadableArchive { file: name.to_owned(), reason };
        let mut archive =
            ZipArchive::new(Cursor::new(bytes)).map_err(|e| unreadable(why_unreadable(bytes, &e)))?;
        let mut files = FeedFiles { name: name.to_owned(), ..FeedFiles::default() };
        let (mut unpacked, mut stop_times, mut misplaced) = (0, None, None);
        for index in 0..archive.len() {
            let entry = archive.by_index(index).map_err(|e| unreadable(e.to_string()))?;
            // A name that cannot be decoded is not the name of a table.
            let entry_name = entry.name().unwrap_or_default().into_owned();
            // Some programs begin each name with the folder that they archive; it is the root then.
            let path = entry_name.strip_prefix("./").unwrap_or(&entry_name);
            let Some(&table) = TABLES.iter().find(|&&table| path == table) else {
                misplaced = misplaced.or_else(|| misplacement(name, path));
                files.left_out.extend(why_left_out(path).map(|why| (path.to_owned(), why)));
                continue;
            };
            let allowed = entry.compressed_size().saturating_mul(MAX_PACKING_RATIO).max(HARMLESS_BYTES);
            if table == STOP_TIMES {
                stop_times = Some((index, allowed));
                continue;
            }
            let limit = allowed.min(MAX_FEED_BYTES - unpacked);
            let content = unpack(entry, limit, || format!("{name}/{table}"), unreadable)?;
            unpacked += content.len() as u64;
            files.tables.insert(table.to_owned(), content);
        }
        let packed = |(index, allowed): (usize, u64)| PackedTable {
            archive,
            index,
            limit: allowed.min(MAX_FEED_BYTES - unpacked),
        };
        files.stop_times = stop_times.map(packed);
        match misplaced {
            Some(error) if files.is_empty() => Err(error),
            _ => Ok(files),
        }
    }

    /// A feed from (table name, content), e.g. of a folder or a test.
    pub fn from_tables<N: Into<String>, B: Into<Vec<u8>>>(
        name: &str,
        tables: impl IntoIterator<Item = (N, B)>,
    ) -> Self {
        let tables = tables.into_iter().map(|(table, bytes)| (table.into(), bytes.into())).collect();
        FeedFiles { name: name.to_owned(), tables, ..FeedFiles::default() }
    }

    /// Whether there is no table at all, so that the archive is not a feed.
    pub(crate) fn is_empty(&self) -> bool {
        self.tables.is_empty() && self.stop_times.is_none()
    }

    /// The tables that are unpacked, with their names.
    pub(crate) fn tables(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.tables.iter().map(|(table, content)| (table.as_str(), content.as_slice()))
    }

    /// Entries that are or might be tables but are not read, and why.
    pub(crate) fn left_out(&self) -> &[(String, &'static str)] {
        &self.left_out
    }

    /// Name of the archive or folder; feeds are numbered in the order of these names.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn packed_stop_times(&self) -> Option<PackedTable<'a>> {
        self.stop_times.clone()
    }

    /// Content of an unpacked table.
    pub fn table(&self, table: &str) -> Option<&[u8]> {
        self.tables.get(table).map(Vec::as_slice)
    }
}

/// Why an entry of an archive is not read, if it has the name of a table.
fn why_left_out(path: &str) -> Option<&'static str> {
    let name = path.rsplit(['/', '\\']).next()?.to_ascii_lowercase();
    if TABLES.contains(&name.as_str()) {
        return Some("a table has to be at the root, with a name in lower case");
    }
    UNUSED_TABLES.contains(&name.as_str()).then_some("plans do not use this table")
}

/// Why no table is found in an archive, if an entry has the name of stop_times.txt, but is in a folder or in capitals.
fn misplacement(file: &str, path: &str) -> Option<TransitError> {
    // Some programs write backslashes, against the format.
    let path = path.replace('\\', "/");
    let start = path.len().checked_sub(STOP_TIMES.len())?;
    let (folder, name) = path.split_at_checked(start)?;
    if !name.eq_ignore_ascii_case(STOP_TIMES) || !(folder.is_empty() || folder.ends_with('/')) {
        return None;
    }
    let file = file.to_owned();
    Some(match folder {
        "" => TransitError::TablesInCapitals { file, name: name.to_owned() },
        _ => TransitError::TablesInFolder { file, folder: folder.to_owned() },
    })
}

/// Why bytes are not an archive, in words that help somebody who has downloaded it.
fn why_unreadable(bytes: &[u8], error: &ZipError) -> String {
    if bytes.is_empty() {
        return "the file is empty".to_owned();
    }
    if !bytes.starts_with(b"PK") {
        let start = String::from_utf8_lossy(&bytes[..bytes.len().min(40)]);
        let shown: String = start.chars().filter(|c| !c.is_control()).collect();
        return format!("it begins with “{shown}”");
    }
    format!("{error}; is it complete?")
}

/// A table within an archive.
#[derive(Clone, Debug)]
pub(crate) struct PackedTable<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    index: usize,
    limit: u64,
}

impl PackedTable<'_> {
    /// The table's bytes up to one byte beyond its limit. A table that reaches that byte is too large.
    pub(crate) fn open(&mut self) -> io::Result<Take<impl Read + '_>> {
        Ok(self.archive.by_index(self.index)?.take(self.limit.saturating_add(1)))
    }

    /// The most bytes that it may unpack to.
    pub(crate) fn limit_bytes(&self) -> u64 {
        self.limit
    }
}

/// Unpacks one entry, stopping at `limit` bytes whatever size the archive declares.
fn unpack(
    entry: impl Read,
    limit: u64,
    file: impl Fn() -> String,
    unreadable: impl Fn(String) -> TransitError,
) -> Result<Vec<u8>, TransitError> {
    let mut content = Vec::new();
    entry.take(limit.saturating_add(1)).read_to_end(&mut content).map_err(|e| unreadable(e.to_string()))?;
    if content.len() as u64 > limit {
        return Err(TransitError::TooLarge { file: file(), limit_bytes: limit });
    }
    Ok(content)
}
