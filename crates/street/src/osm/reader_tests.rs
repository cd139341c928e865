//! Both readers on the same small town, whole, cut and damaged.

use std::io::Write;

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use proptest::prelude::*;
use prost::Message;
use trestle_model::IssueSink;
use trestle_model::geo::LatLon;

use super::pbf_messages as pbf;
use super::{OsmData, OsmInput};
use crate::error::StreetError;

const XML: &str = r#"<?xml version="1.0"?><osm>
<node id="1" lat="41.5" lon="-8.25"><tag k="ele" v="12"/></node>
<node id="2" lat="41.25" lon="-8.5"/>
<node id="9" lat="41.25" lon="-8.5"/>
<way id="5"><nd ref="1"/><nd ref="2"/><tag k="Highway" v="path"/><tag k="name" v="A &amp; B"/></way>
<way id="6"><nd ref="9"/><nd ref="2"/><tag k="waterway" v="river"/></way>
<relation id="7"><member type="way" ref="5" role=""/><tag k="type" v="route"/><tag k="route" v="road"/>
<tag k="ref" v="N1"/></relation>
</osm>"#;

fn texts() -> pbf::StringTable {
    let texts = ["", "ele", "12", "Highway", "path", "name", "A & B", "type", "route", "road", "ref", "N1"];
    pbf::StringTable { texts: texts.iter().map(|t| t.as_bytes().to_vec().into()).collect() }
}

fn blob(kind: &str, content: Vec<u8>, packed: bool) -> Vec<u8> {
    let body = if packed {
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
        zlib.write_all(&content).unwrap();
        let zlib = Some(zlib.finish().unwrap().into());
        pbf::Blob { raw_size: Some(content.len() as i32), zlib, ..Default::default() }
    } else {
        pbf::Blob { raw: Some(content.into()), ..Default::default() }
    };
    let body = body.encode_to_vec();
    let header = pbf::BlobHeader { kind: kind.to_owned(), data_size: body.len() as i32 }.encode_to_vec();
    [&(header.len() as u32).to_be_bytes()[..], &header, &body].concat()
}

fn block(group: pbf::PrimitiveGroup) -> Vec<u8> {
    let strings = Some(texts());
    let mut block = pbf::PrimitiveBlock { strings, groups: vec![group], ..Default::default() };
    block.lat_offset = Some(1_000_000_000);
    block.encode_to_vec()
}

/// The town of [`XML`] as PBF: several blobs, ways before nodes, dense and plain nodes.
fn pbf_town() -> Vec<u8> {
    let way =
        pbf::Way { id: 5, keys: vec![3, 5], values: vec![4, 6], refs: vec![1, 1], ..Default::default() };
    let relation = pbf::Relation {
        id: 7,
        keys: vec![7, 8, 10],
        values: vec![8, 9, 11],
        roles: vec![0],
        member_ids: vec![5],
        member_kinds: vec![1],
        ..Default::default()
    };
    let ways = pbf::PrimitiveGroup {
        ways: vec![way.encode_to_vec().into()],
        relations: vec![relation.encode_to_vec().into()],
        ..Default::default()
    };
    // In units of 100 nanodegrees, a degree less than the latitude offset adds.
    let dense = pbf::DenseNodes {
        ids: vec![1, 8],
        lats: vec![405_000_000, -2_500_000],
        lons: vec![-82_500_000, -2_500_000],
        keys_values: vec![1, 2, 0, 0],
        ..Default::default()
    };
    let dense = pbf::PrimitiveGroup { dense: Some(dense.encode_to_vec().into()), ..Default::default() };
    let node = pbf::Node { id: 2, lat: 402_500_000, lon: -85_000_000, ..Default::default() };
    let nodes = pbf::PrimitiveGroup { nodes: vec![node.encode_to_vec().into()], ..Default::default() };
    let features = ["OsmSchema-V0.6", "DenseNodes"].map(str::to_owned).to_vec();
    let header = pbf::HeaderBlock { required_features: features }.encode_to_vec();
    [
        blob("OSMHeader", header, false),
        blob("OSMData", block(ways), true),
        blob("Unknown", vec![1, 2, 3], false),
        blob("OSMData", block(dense), true),
        blob("OSMData", block(nodes), false),
    ]
    .concat()
}

fn read(bytes: &[u8]) -> Result<OsmData, StreetError> {
    let inputs = [OsmInput { name: "town", bytes }];
    OsmData::read(&inputs, false, &mut IssueSink::default(), &mut |_, _| {})
}

fn check_town(bytes: &[u8]) {
    let data = read(bytes).unwrap();
    assert_eq!((data.ways.len(), data.node_count(), data.relations.len()), (1, 2, 1));
    let way = data.way(5).unwrap();
    assert_eq!((way.tags.get("highway"), way.tags.get("name")), (Some("path"), Some("A & B")));
    assert_eq!(way.tags.get("otp:route_ref"), Some("N1"));
    let positions: Vec<_> = way.nodes.iter().map(|n| (data.node_id(*n), data.position(*n))).collect();
    let expected = [(1, Some(LatLon::new(41.5, -8.25))), (2, Some(LatLon::new(41.25, -8.5)))];
    assert_eq!(positions, expected);
    assert_eq!(data.node_tags(way.nodes[0]).and_then(|tags| tags.get("ele")), Some("12"));
    assert!(data.node_tags(way.nodes[1]).is_none());
}

#[test]
fn xml_packed_xml_and_pbf_have_the_same_content() {
    check_town(XML.as_bytes());
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(XML.as_bytes()).unwrap();
    check_town(&gzip.finish().unwrap());
    check_town(&pbf_town());
}

/// Node 2, which has no tags, is only in the way.
#[test]
fn ways_may_say_where_their_nodes_are() {
    let way = pbf::Way {
        id: 5,
        keys: vec![3, 5],
        values: vec![4, 6],
        refs: vec![1, 1],
        lats: vec![405_000_000, -2_500_000],
        lons: vec![-82_500_000, -2_500_000],
        ..Default::default()
    };
    // Such files may hold ways without nodes, too.
    let empty = pbf::Way { id: 4, ..Default::default() };
    let ways = [empty, way].map(|way| way.encode_to_vec().into()).to_vec();
    let ways = pbf::PrimitiveGroup { ways, ..Default::default() };
    let (lat, lon) = (405_000_000, -82_500_000);
    let node = pbf::Node { id: 1, keys: vec![1], values: vec![2], lat, lon, ..Default::default() };
    let nodes = pbf::PrimitiveGroup { nodes: vec![node.encode_to_vec().into()], ..Default::default() };
    let header = pbf::HeaderBlock { required_features: Vec::new() }.encode_to_vec();
    let blobs = [("OSMHeader", header), ("OSMData", block(nodes)), ("OSMData", block(ways))];
    let data = read(&blobs.map(|(kind, content)| blob(kind, content, true)).concat()).unwrap();
    let way = data.way(5).unwrap();
    let positions = [0, 1].map(|node| data.position(way.nodes[node]));
    assert_eq!(positions, [LatLon::new(41.5, -8.25), LatLon::new(41.25, -8.5)].map(Some));
    assert_eq!(data.node_tags(way.nodes[0]).and_then(|tags| tags.get("ele")), Some("12"));
}

fn reason(bytes: &[u8]) -> (u64, String) {
    match read(bytes).err() {
        Some(StreetError::Osm { offset, reason, .. }) => (offset, reason),
        other => panic!("expected an OSM error, got {other:?}"),
    }
}

#[test]
fn a_cut_pbf_names_the_blob() {
    let whole = pbf_town();
    let (offset, text) = reason(&whole[..whole.len() - 1]);
    assert!(offset > 100 && text == "blob 4: the file ends inside the blob", "{offset} {text}");
    assert_eq!(reason(&[]), (0, "the file is empty".to_owned()));
    assert!(reason(b"PK\x03\x04 no OSM at all").1.contains("not OSM PBF or XML"));
    assert!(reason(b"BZh9 bzip2").1.contains("bzip2 is not supported"));
    let packed = blob("OSMData", vec![1], true);
    assert!(reason(&packed).1.contains("does not start with an OSM header"));
}

#[test]
fn a_web_page_is_not_a_map() {
    let (offset, text) = reason(b"<!DOCTYPE html>\n<html><body>Too many requests</body></html>");
    assert_eq!(
        (offset, text.as_str()),
        (16, "the outermost element is <html>, so this is not OpenStreetMap data")
    );
    assert!(reason(b"<error/>").1.contains("<error>"));
}

#[test]
fn broken_xml_names_the_place() {
    let cut = &XML[..XML.find("<way id=\"6\"").unwrap() + 8];
    let (offset, _) = reason(cut.as_bytes());
    assert!(offset > 100, "{offset}");
    let (_, text) = reason(XML.replace("id=\"5\"", "id=\"five\"").as_bytes());
    assert_eq!(text, "id=\"five\" is not a number");
    assert!(reason(b"<osm><node id=\"1\" lat=\"1\" lon=\"2\">").1.contains("ends inside an element"));
    assert!(reason(b"<osm></node>").1.contains("ill-formed"));
}

#[test]
fn unknown_features_and_packings_are_errors() {
    let header = pbf::HeaderBlock { required_features: vec!["HistoricalInformation".to_owned()] };
    let file = blob("OSMHeader", header.encode_to_vec(), true);
    assert!(reason(&file).1.contains("HistoricalInformation: the file has the history of the map"));
    let packed = |blob: pbf::Blob| {
        let body = blob.encode_to_vec();
        let header = pbf::BlobHeader { kind: "OSMHeader".to_owned(), data_size: body.len() as i32 };
        let header = header.encode_to_vec();
        reason(&[&(header.len() as u32).to_be_bytes()[..], &header, &body].concat()).1
    };
    let zstd = pbf::Blob { zstd: Some(vec![1].into()), ..Default::default() };
    assert!(packed(zstd).contains("compressed with zstd, which is not supported"));
    // An empty blob body has no known packing.
    assert!(packed(pbf::Blob::default()).contains("compressed with an unknown method"));
}

#[test]
fn several_versions_in_a_pbf_without_the_feature_are_an_error() {
    let info = |version| {
        let info = pbf::Info { version };
        Some(info.encode_to_vec().into())
    };
    let nodes = |versions: &[Option<i32>]| {
        let node = |&version| pbf::Node { id: 7, info: info(version), ..Default::default() };
        let nodes = versions.iter().map(|version| node(version).encode_to_vec().into()).collect();
        pbf::PrimitiveGroup { nodes, ..Default::default() }
    };
    let dense = |versions: &[i32]| {
        let info = pbf::DenseInfo { versions: versions.to_vec() }.encode_to_vec();
        // The same id as the one before.
        let ids = [7, 0, 0].into_iter().take(versions.len()).collect();
        let places = vec![0; versions.len()];
        let info = Some(info.into());
        let dense = pbf::DenseNodes { ids, lats: places.clone(), lons: places, info, ..Default::default() };
        pbf::PrimitiveGroup { dense: Some(dense.encode_to_vec().into()), ..Default::default() }
    };
    let ways = |versions: &[Option<i32>]| {
        let way = |&version| pbf::Way { id: 7, info: info(version), ..Default::default() };
        let ways = versions.iter().map(|version| way(version).encode_to_vec().into()).collect();
        pbf::PrimitiveGroup { ways, ..Default::default() }
    };
    let relations = |versions: &[Option<i32>]| {
        let relation = |&version| pbf::Relation { id: 7, info: info(version), ..Default::default() };
        let relations = versions.iter().map(|version| relation(version).encode_to_vec().into()).collect();
        pbf::PrimitiveGroup { relations, ..Default::default() }
    };
    let file = |blocks: Vec<pbf::PrimitiveGroup>| {
        let features = ["OsmSchema-V0.6", "DenseNodes"].map(str::to_owned).to_vec();
        let header = pbf::HeaderBlock { required_features: features }.encode_to_vec();
        let blocks = blocks.into_iter().map(|group| blob("OSMData", block(group), true));
        std::iter::once(blob("OSMHeader", header, true)).chain(blocks).collect::<Vec<_>>().concat()
    };
    let both = [Some(1), Some(2)];
    for blocks in [
        vec![nodes(&both)],
        vec![dense(&[1, 2])],
        vec![ways(&both)],
        vec![relations(&both)],
        // In different parts of the file.
        vec![dense(&[1]), dense(&[2])],
        vec![dense(&[1, 1]), nodes(&both[1..])],
        vec![ways(&both[..1]), dense(&[1]), ways(&both[1..])],
    ] {
        let (offset, text) = reason(&file(blocks));
        assert!(offset > 0 && text.contains("several versions of 7: the file has the history"), "{text}");
    }
    // The same version twice, no version, and elements of different kinds do not make a history.
    let unknown = [Some(1), None, Some(-1)];
    for blocks in [
        vec![dense(&[1, 1]), dense(&[1])],
        vec![nodes(&unknown), dense(&[-1, -1])],
        vec![nodes(&both[..1]), ways(&both[1..]), relations(&both[..1])],
    ] {
        assert!(read(&file(blocks)).is_ok());
    }
}

#[test]
fn deleted_elements_are_not_there() {
    let ids = |xml: &str| {
        let data = read(xml.as_bytes()).unwrap();
        data.ways.iter().map(|way| way.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(XML), [5]);
    assert_eq!(ids(&XML.replace("<way id=\"5\"", "<way id=\"5\" visible=\"true\" version=\"2\"")), [5]);
    assert_eq!(ids(&XML.replace("<way id=\"5\"", "<way id=\"5\" visible=\"false\"")), []);
    assert_eq!(ids(&XML.replace("<way id=\"5\"", "<way id=\"5\" action=\"delete\"")), []);
    let changes = |kind: &str| {
        let xml =
            XML.replace("<osm>", "<osmChange><delete/><create>").replace("</osm>", "</create></osmChange>");
        xml.replace("create>", &format!("{kind}>"))
    };
    assert_eq!(ids(&changes("create")), [5]);
    assert_eq!(ids(&changes("delete")), []);
}

#[test]
fn a_history_in_xml_is_an_error() {
    let way = "<way id=\"5\" version=\"1\"><nd ref=\"1\"/></way><way id=\"5\" version=\"2\"";
    let (offset, text) = reason(XML.replace("<way id=\"5\"", way).as_bytes());
    assert!(offset > 100 && text.contains("several versions of 5: the file has the history"), "{text}");
    // In a change file, the versions of an element need not follow one another.
    let apart = |second: &str, kind: &str| {
        let way =
            |id: u8, version: &str| format!("<way id=\"{id}\" version=\"{version}\"><nd ref=\"1\"/></way>");
        let created = format!("<create>{}{}</create>", way(5, "1"), way(6, "7"));
        format!("<osmChange>{created}<{kind}>{}</{kind}></osmChange>", way(5, second))
    };
    for kind in ["modify", "delete"] {
        let (_, text) = reason(apart("2", kind).as_bytes());
        assert!(text.contains("several versions of 5: the file has the history"), "{kind}: {text}");
    }
    assert!(read(apart("1", "modify").as_bytes()).is_ok(), "the same version twice");
}

#[test]
fn nodes_off_the_globe_become_issues() {
    let mut issues = IssueSink::default();
    let xml = XML.replace("41.25", "141.25");
    let inputs = [OsmInput { name: "town", bytes: xml.as_bytes() }];
    let data = OsmData::read(&inputs, false, &mut issues, &mut |_, _| {}).unwrap();
    assert_eq!(data.position(data.node(2).unwrap()), None);
    assert_eq!(issues.counts().collect::<Vec<_>>(), [("osm-node-without-position", 1)]);
}

#[test]
fn no_cut_file_panics() {
    let town = pbf_town();
    for bytes in [XML.as_bytes(), &town] {
        for length in 0..bytes.len() {
            let _ = read(&bytes[..length]);
        }
    }
}

proptest! {
    #[test]
    fn damaged_files_never_panic(at in 0usize..10_000, with in prop::collection::vec(any::<u8>(), 1..8), xml: bool) {
        let mut bytes = if xml { XML.as_bytes().to_vec() } else { pbf_town() };
        let at = at % bytes.len();
        for (place, byte) in bytes[at..].iter_mut().zip(with) {
            *place = byte;
        }
        let inputs = [OsmInput { name: "town", bytes: &bytes }];
        let builder = crate::build::StreetBuilder::read(
            &inputs, &Default::default(), &mut IssueSink::default(), &mut |_, _| {});
        if let Ok(mut builder) = builder {
            builder.prune_islands(&mut IssueSink::default());
            let stop = crate::build::StopPoint { lat: 41.4, lon: -8.3, ..Default::default() };
            builder.link_stops(&[stop], &mut IssueSink::default());
            let _ = builder.finish();
        }
    }

    #[test]
    fn noise_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = read(&bytes);
    }
}
