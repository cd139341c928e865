//! Towns as small texts, one element a line:
//! `n1 41.0 -8.0 key=value …`, `w10 1,2,3 key=value …`, `r20 from:w10 via:n2 to:w11 key=value …`.
#![allow(clippy::unwrap_used, dead_code, unreachable_pub)]

use std::fmt::Write;
use std::io::Cursor;

use tiff::encoder::{TiffEncoder, colortype};
use tiff::tags::Tag;
use trestle_model::IssueSink;
use trestle_model::ids::VertexIdx;
use trestle_street::build::{StreetBuildOptions, StreetBuilder};
use trestle_street::graph::{Edge, StreetGraph, edge_flags};
use trestle_street::osm::OsmInput;

/// A raster of heights around 0, 0: eleven rows from the north, three heights each, 0.001 degrees apart.
pub fn elevation_file(heights: &[f32]) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).unwrap();
    let mut image = encoder.new_image::<colortype::Gray32Float>(3, 11).unwrap();
    let tags = image.encoder();
    tags.write_tag(Tag::ModelPixelScaleTag, &[0.001f64, 0.001, 0.0][..]).unwrap();
    tags.write_tag(Tag::ModelTiepointTag, &[0.0f64, 0.0, 0.0, -0.001, 0.009, 0.0][..]).unwrap();
    image.write_data(heights).unwrap();
    bytes.into_inner()
}

/// The OSM XML of a town; `+` in a value stands for a blank.
pub fn xml(town: &str) -> String {
    let mut xml = String::from("<?xml version='1.0'?>\n<osm version=\"0.6\">\n");
    for line in town.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (kind, rest) = line.split_at(1);
        let (id, rest) = rest.split_once(' ').unwrap();
        let words: Vec<&str> = rest.split_whitespace().collect();
        let (name, used) = match kind {
            "n" => {
                write!(xml, "<node id=\"{id}\" lat=\"{}\" lon=\"{}\">", words[0], words[1]).unwrap();
                ("node", 2)
            }
            "w" => {
                write!(xml, "<way id=\"{id}\">").unwrap();
                for node in words[0].split(',') {
                    write!(xml, "<nd ref=\"{node}\"/>").unwrap();
                }
                ("way", 1)
            }
            _ => {
                write!(xml, "<relation id=\"{id}\">").unwrap();
                let members: Vec<_> = words
                    .iter()
                    .filter_map(|w| w.split_once(':'))
                    .filter(|(role, _)| !role.contains('='))
                    .collect();
                for (role, member) in &members {
                    let (kind, id) = member.split_at(1);
                    let kind = if kind == "w" { "way" } else { "node" };
                    write!(xml, "<member type=\"{kind}\" ref=\"{id}\" role=\"{role}\"/>").unwrap();
                }
                ("relation", members.len())
            }
        };
        for (key, value) in words[used..].iter().filter_map(|word| word.split_once('=')) {
            write!(xml, "<tag k=\"{key}\" v=\"{}\"/>", value.replace('+', " ")).unwrap();
        }
        writeln!(xml, "</{name}>").unwrap();
    }
    xml + "</osm>\n"
}

/// A builder over a town, and the issues so far.
pub fn read(town: &str, options: &StreetBuildOptions) -> (StreetBuilder, IssueSink) {
    let mut issues = IssueSink::default();
    let xml = xml(town);
    let inputs = [OsmInput { name: "town.osm", bytes: xml.as_bytes() }];
    let builder = StreetBuilder::read(&inputs, options, &mut issues, &mut |_, _| {}).unwrap();
    (builder, issues)
}

/// The graph of a town, without pruning and stops.
pub fn graph(town: &str) -> StreetGraph {
    read(town, &StreetBuildOptions::default()).0.finish()
}

/// Edges as lines `from>to WBC metres name`, sorted; vertices by OSM id, or `*` for others.
pub fn edges(graph: &StreetGraph) -> Vec<String> {
    let mut lines: Vec<String> = graph.edges().map(|edge| line(graph, &edge)).collect();
    lines.sort();
    lines
}

/// One edge as a line.
pub fn line(graph: &StreetGraph, edge: &Edge) -> String {
    let vertex = |v: u32| match graph.vertex_osm_id[VertexIdx(v).index()] {
        0 => "*".to_owned(),
        id => id.to_string(),
    };
    let modes = [(edge_flags::WALK, 'W'), (edge_flags::BICYCLE, 'B'), (edge_flags::CAR, 'C')];
    let modes: String = modes.iter().filter(|(flag, _)| edge.has(*flag)).map(|(_, letter)| *letter).collect();
    let meters = edge.length_m().round();
    format!("{}>{} {modes} {meters} {}", vertex(edge.from), vertex(edge.to), graph.names.get(edge.name))
        .trim_end()
        .to_owned()
}

/// How often each issue code occurred.
pub fn codes(issues: &IssueSink) -> Vec<(&'static str, u64)> {
    issues.counts().collect()
}
