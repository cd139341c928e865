//! Which files of a directory are build inputs, by name (not recursive).

use std::path::{Path, PathBuf};
use std::{fs, io};

use trestle_model::IssueSink;

use crate::error::EngineError;

/// The inputs of a graph, each list in file name order.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct BuildInputs {
    /// `*.pbf`, `*.osm`, `*.osm.xml` and their `.gz` forms.
    pub osm: Vec<PathBuf>,
    /// `*.zip`.
    pub gtfs: Vec<PathBuf>,
    /// The first `*.tif` or `*.tiff`.
    pub elevation: Option<PathBuf>,
}

/// Files that belong in a graph directory without being inputs of the graph's data.
const OWN_FILES: [&str; 3] = ["build-config.json", "router-config.json", "Graph.obj"];

impl BuildInputs {
    /// Looks through `directory`. Other files get a remark and are skipped.
    ///
    /// # Errors
    /// [`EngineError::InputUnreadable`] when the directory cannot be listed or an input is not a regular file (a
    /// broken link, a directory, a pipe), [`EngineError::InputMissing`] when it holds neither OSM nor GTFS.
    pub fn find(directory: &Path, issues: &mut IssueSink) -> Result<Self, EngineError> {
        let unreadable = |source| EngineError::InputUnreadable { path: directory.to_owned(), source };
        let mut files: Vec<PathBuf> = fs::read_dir(directory)
            .map_err(unreadable)?
            .filter_map(|entry| entry.ok().map(|e| e.path()))
            .collect();
        files.sort();
        let mut inputs = BuildInputs::default();
        for file in files {
            if file.is_file() {
                inputs.sort_in(file, issues);
            } else if is_named_as_input(&file) {
                let reason =
                    if leads_nowhere(&file) { "it is a broken link" } else { "it is not a regular file" };
                return Err(EngineError::InputUnreadable { path: file, source: io::Error::other(reason) });
            } else if file.join("stop_times.txt").is_file() {
                issues.add(
                    "unknown-input",
                    &name_of(&file),
                    0,
                    "a feed must be a zip file of its tables; skipped",
                );
            }
        }
        if inputs.osm.is_empty() && inputs.gtfs.is_empty() {
            return Err(EngineError::InputMissing(directory.to_owned()));
        }
        Ok(inputs)
    }

    fn sort_in(&mut self, file: PathBuf, issues: &mut IssueSink) {
        let name = name_of(&file);
        let lower = name.to_lowercase();
        let ends = |suffixes: &[&str]| suffixes.iter().any(|s| lower.ends_with(s));
        if ends(&[".pbf", ".osm", ".osm.xml", ".osm.gz", ".osm.xml.gz"]) {
            self.osm.push(file);
        } else if ends(&[".zip"]) {
            self.gtfs.push(file);
        } else if ends(&[".tif", ".tiff"]) {
            match &self.elevation {
                None => self.elevation = Some(file),
                Some(_) => issues.add("second-elevation-raster", &name, 0, "only the first raster is used"),
            }
        } else if !OWN_FILES.contains(&name.as_str())
            && !name.starts_with("Graph.obj")
            && !name.starts_with('.')
        {
            issues.add("unknown-input", &name, 0, "not an input of a build; skipped");
        }
    }
}

/// Whether the name is that of an input. If something other than a file has such a name, a build that skipped it would
/// make a graph that lacks an input.
fn is_named_as_input(path: &Path) -> bool {
    let mut named = BuildInputs::default();
    named.sort_in(path.to_owned(), &mut IssueSink::default());
    named != BuildInputs::default()
}

/// Whether the path is a broken link.
fn leads_nowhere(path: &Path) -> bool {
    path.is_symlink() && !path.exists()
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(names: &[&str]) -> (BuildInputs, usize) {
        let (mut inputs, mut issues) = (BuildInputs::default(), IssueSink::default());
        for name in names {
            inputs.sort_in(PathBuf::from(name), &mut issues);
        }
        (inputs, issues.issues().len())
    }

    #[test]
    fn files_are_distinguished_by_name() {
        let (inputs, remarks) = sorted(&[
            "a.osm.pbf",
            "b.OSM.XML",
            "c.osm.gz",
            "g1.zip",
            "x.tif",
            "y.tiff",
            "readme.txt",
            "Graph.obj",
        ]);
        assert_eq!(inputs.osm.len(), 3);
        assert_eq!(inputs.gtfs, [PathBuf::from("g1.zip")]);
        assert_eq!(inputs.elevation, Some(PathBuf::from("x.tif")));
        assert_eq!(remarks, 2);
    }
}
