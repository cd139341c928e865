//! agency.txt.

use crate::error::TransitError;
use crate::gtfs::IdIndex;
use crate::gtfs::table::{Reading, Table};

#[derive(Clone, Default, Debug)]
pub(crate) struct AgencyRow {
    /// agency_id; 0 when blank (replaced by the feed id).
    pub(crate) id: u32,
    pub(crate) name: u32,
    pub(crate) url: u32,
    pub(crate) timezone: u32,
    pub(crate) lang: u32,
    pub(crate) phone: u32,
    pub(crate) fare_url: u32,
    pub(crate) branding_url: u32,
}

pub(crate) fn read(reading: &mut Reading<'_>) -> Result<(Vec<AgencyRow>, IdIndex), TransitError> {
    let table = Table::open_required(reading.files, "agency.txt", &["agency_timezone"])?;
    let path = table.path().to_owned();
    let (id, name, url) = (table.col("agency_id"), table.col("agency_name"), table.col("agency_url"));
    let (timezone, lang) = (table.col("agency_timezone"), table.col("agency_lang"));
    let (phone, fare_url) = (table.col("agency_phone"), table.col("agency_fare_url"));
    let branding_url = table.col("agency_branding_url");
    let (mut rows, mut ids) = (Vec::new(), IdIndex::default());
    // Positions and lines of the agencies whose time zone is unknown, and the zone of the first other one.
    let (mut unknown_zones, mut known_zone) = (Vec::new(), None);
    let texts = &mut *reading.texts;
    table.for_each(reading.issues, |row, issues| {
        // The only agency of a feed may have no id. Adding "\0" instead keeps the number of ids equal to the number of
        // rows.
        let added = if row.is_blank(id) { ids.add(b"\0") } else { ids.add(row.bytes(id)) };
        if !added {
            return row.issue("repeated-id", format!("agency “{}”; row dropped", row.text(id)), issues);
        }
        let zone = row.intern(timezone, texts);
        match jiff::tz::TimeZone::get(&row.text(timezone)) {
            Ok(_) => known_zone = known_zone.or(Some(zone)),
            Err(_) => unknown_zones.push((rows.len(), row.line())),
        }
        rows.push(AgencyRow {
            id: row.intern(id, texts),
            name: row.intern(name, texts),
            url: row.intern(url, texts),
            timezone: zone,
            lang: row.intern(lang, texts),
            phone: row.intern(phone, texts),
            fare_url: row.intern(fare_url, texts),
            branding_url: row.intern(branding_url, texts),
        });
    });
    for (agency, line) in unknown_zones {
        replace_unknown_zone(&mut rows[agency], known_zone, (&path, line), reading);
    }
    if rows.is_empty() {
        reading.issues.add("no-agency", &path, 0, "no agency; an agency without a name in UTC is used");
        rows.push(AgencyRow::default());
    }
    Ok((rows, ids))
}

/// Gives an agency a zone of another agency: all agencies of a feed have the same one, by the rules of GTFS.
fn replace_unknown_zone(
    row: &mut AgencyRow,
    known_zone: Option<u32>,
    (path, line): (&str, u64),
    reading: &mut Reading<'_>,
) {
    let given = reading.texts.get(row.timezone);
    let message = match known_zone.map(|zone| reading.texts.get(zone)) {
        Some(zone) => format!("“{given}”; times read as {zone}, like those of another agency"),
        None => format!("“{given}”; times read as UTC"),
    };
    reading.issues.add("unknown-time-zone", path, line, message);
    row.timezone = known_zone.unwrap_or(row.timezone);
}
