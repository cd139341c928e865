//! Reader of OSM XML files.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use rustc_hash::FxHashMap;
use trestle_model::geo::LatLon;

use super::{ElementSink, MemberKind, NO_HISTORY, Pass, RawMember};
use crate::error::StreetError;

/// Whether the first visible byte opens a tag.
pub(super) fn looks_like_xml(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b'<')
}

/// Passes all elements of the wanted kind to `sink`.
///
/// # Errors
/// [`StreetError::Osm`] with the offset of the first place that is not well-formed, of an outermost element other than
/// `osm` (a web page with an error message, for example), or of the end of a cut file.
pub(super) fn read(
    file: &str,
    bytes: &[u8],
    pass: Pass,
    sink: &mut dyn ElementSink,
) -> Result<(), StreetError> {
    let mut reader = Reader::from_reader(bytes);
    let mut element = Element::default();
    let mut depth = 0usize;
    loop {
        let offset = reader.buffer_position();
        let located = |reason: String| StreetError::Osm { file: file.to_owned(), offset, reason };
        let event = reader.read_event().map_err(|e| located(e.to_string()))?;
        if let Event::Start(tag) | Event::Empty(tag) = &event {
            if depth == 0 {
                check_root(tag).map_err(located)?;
                let is_change = tag.local_name().as_ref() == b"osmChange";
                element.versions = is_change.then(FxHashMap::default);
            }
            element.open(tag, pass).map_err(located)?;
        }
        match event {
            Event::Start(_) => depth += 1,
            Event::Empty(tag) => element.close(tag.local_name().as_ref(), sink),
            Event::End(tag) => {
                depth = depth.saturating_sub(1);
                element.close(tag.local_name().as_ref(), sink);
            }
            Event::Eof if depth > 0 => return Err(located("the file ends inside an element".to_owned())),
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

/// OpenStreetMap data are in an element `osm`, changes to them in `osmChange`.
fn check_root(tag: &BytesStart<'_>) -> Result<(), String> {
    match tag.local_name().as_ref() {
        b"osm" | b"osmChange" => Ok(()),
        name => {
            let name = String::from_utf8_lossy(name);
            Err(format!("the outermost element is <{name}>, so this is not OpenStreetMap data"))
        }
    }
}

/// The element being read.
#[derive(Default)]
struct Element {
    /// The kind of the element; `None` outside elements of the wanted kind.
    kind: Option<Pass>,
    /// Whether it is among the deleted ones of a change file.
    is_deleted: bool,
    id: i64,
    /// Empty where the file has none.
    version: String,
    /// Versions by id in a change file, where those of one element may be far apart.
    versions: Option<FxHashMap<i64, String>>,
    position: LatLon,
    nodes: Vec<i64>,
    members: Vec<(MemberKind, i64, String)>,
    tags: Vec<(String, String)>,
}

impl Element {
    fn open(&mut self, tag: &BytesStart<'_>, pass: Pass) -> Result<(), String> {
        match (tag.local_name().as_ref(), pass) {
            (b"node", Pass::Nodes) | (b"way", Pass::Ways) | (b"relation", Pass::Relations) => {
                self.start(tag, pass)
            }
            (b"delete", _) => {
                self.is_deleted = true;
                Ok(())
            }
            (b"tag", _) if self.kind.is_some() => {
                let (mut key, mut value) = (String::new(), String::new());
                for_each_attribute(tag, |name, text| {
                    match name {
                        b"k" => key = text.to_owned(),
                        b"v" => value = text.to_owned(),
                        _ => {}
                    }
                    Ok(())
                })?;
                self.tags.push((key, value));
                Ok(())
            }
            (b"nd", _) if self.kind == Some(Pass::Ways) => for_each_attribute(tag, |name, text| {
                if name == b"ref" {
                    self.nodes.push(number(name, text)?);
                }
                Ok(())
            }),
            (b"member", _) if self.kind == Some(Pass::Relations) => self.member(tag),
            _ => Ok(()),
        }
    }

    fn start(&mut self, tag: &BytesStart<'_>, pass: Pass) -> Result<(), String> {
        self.kind = Some(pass).filter(|_| !self.is_deleted);
        let (previous_id, previous_version) = (self.id, std::mem::take(&mut self.version));
        (self.id, self.position) = (0, LatLon::new(f64::NAN, f64::NAN));
        self.nodes.clear();
        self.members.clear();
        self.tags.clear();
        for_each_attribute(tag, |name, text| {
            match name {
                b"id" => self.id = number(name, text)?,
                b"lat" => self.position.lat = number(name, text)?,
                b"lon" => self.position.lon = number(name, text)?,
                b"version" => text.clone_into(&mut self.version),
                // Deleted elements of editor files, and of answers of the editing interface.
                b"action" if text == "delete" => self.kind = None,
                b"visible" if text == "false" => self.kind = None,
                _ => {}
            }
            Ok(())
        })?;
        if self.version.is_empty() {
            return Ok(());
        }
        // Which version is meant cannot be known. Those of an element follow one another except in change files.
        let previous = match &mut self.versions {
            Some(versions) => versions.insert(self.id, self.version.clone()),
            None => Some(previous_version).filter(|known| previous_id == self.id && !known.is_empty()),
        };
        if previous.is_some_and(|known| known != self.version) {
            return Err(format!("several versions of {}: {NO_HISTORY}", self.id));
        }
        Ok(())
    }

    fn member(&mut self, tag: &BytesStart<'_>) -> Result<(), String> {
        let mut member = (MemberKind::Node, 0, String::new());
        for_each_attribute(tag, |name, text| {
            match (name, text) {
                (b"type", "way") => member.0 = MemberKind::Way,
                (b"type", "relation") => member.0 = MemberKind::Relation,
                (b"ref", _) => member.1 = number(name, text)?,
                (b"role", _) => member.2 = text.to_owned(),
                _ => {}
            }
            Ok(())
        })?;
        self.members.push(member);
        Ok(())
    }

    /// Passes the element to the sink when `name` closes it.
    fn close(&mut self, name: &[u8], sink: &mut dyn ElementSink) {
        let tags = || self.tags.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect::<Vec<_>>();
        match (name, self.kind) {
            (b"node", Some(Pass::Nodes)) => sink.node(self.id, self.position, &tags()),
            (b"way", Some(Pass::Ways)) => sink.way(self.id, &self.nodes, &tags()),
            (b"relation", Some(Pass::Relations)) => {
                let members: Vec<_> = self
                    .members
                    .iter()
                    .map(|(kind, id, role)| RawMember { kind: *kind, id: *id, role })
                    .collect();
                sink.relation(self.id, &members, &tags());
            }
            (b"delete", _) => self.is_deleted = false,
            _ => return,
        }
        self.kind = None;
    }
}

fn for_each_attribute(
    tag: &BytesStart<'_>,
    mut take: impl FnMut(&[u8], &str) -> Result<(), String>,
) -> Result<(), String> {
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|e| e.to_string())?;
        let text = std::str::from_utf8(&attribute.value).map_err(|e| e.to_string())?;
        let text = quick_xml::escape::unescape(text).map_err(|e| e.to_string())?;
        take(attribute.key.local_name().as_ref(), &text)?;
    }
    Ok(())
}

fn number<T: std::str::FromStr>(name: &[u8], text: &str) -> Result<T, String> {
    text.trim().parse().map_err(|_| format!("{}=\"{text}\" is not a number", String::from_utf8_lossy(name)))
}
