//! feed_info.txt.

use crate::gtfs::table::{Reading, Table};

/// The first row of feed_info.txt; texts are 0 when not given.
#[derive(Clone, Debug, Default)]
pub(crate) struct FeedInfo {
    /// feed_id as written.
    pub(crate) id: u32,
    pub(crate) publisher_name: u32,
    pub(crate) publisher_url: u32,
    pub(crate) lang: u32,
    pub(crate) version: u32,
    /// Days since 1970.
    pub(crate) start_date: Option<i32>,
    pub(crate) end_date: Option<i32>,
}

pub(crate) fn read(reading: &mut Reading<'_>) -> Option<FeedInfo> {
    let table = Table::open(reading.files, "feed_info.txt")?;
    let id = table.col("feed_id");
    let (name, url) = (table.col("feed_publisher_name"), table.col("feed_publisher_url"));
    let (lang, version) = (table.col("feed_lang"), table.col("feed_version"));
    let (start, end) = (table.col("feed_start_date"), table.col("feed_end_date"));
    let mut info = None;
    let texts = &mut *reading.texts;
    table.for_each(reading.issues, |row, issues| {
        if info.is_some() {
            return row.issue("repeated-feed-info", "only the first row is used", issues);
        }
        info = Some(FeedInfo {
            id: row.intern(id, texts),
            publisher_name: row.intern(name, texts),
            publisher_url: row.intern(url, texts),
            lang: row.intern(lang, texts),
            version: row.intern(version, texts),
            start_date: row.date(start, issues).map(|d| d.0),
            end_date: row.date(end, issues).map(|d| d.0),
        });
    });
    info
}
