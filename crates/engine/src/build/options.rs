//! Options of a build: the members of build-config.json that have an effect.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use trestle_street::build::StreetBuildOptions;
use trestle_transit::build::TransitBuildOptions;

/// Options of a build.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// Include GTFS.
    pub transit: bool,
    /// Include OSM.
    pub streets: bool,
    /// Options of the street layer.
    pub street: StreetBuildOptions,
    /// Options of the transit layer.
    pub transit_layer: TransitBuildOptions,
    /// Minutes between street and platform of subway stops (`subwayAccessTime`).
    pub subway_access_minutes: f64,
    /// Seconds of walking that a direct transfer may take.
    pub max_transfer_seconds: i32,
    /// router-config.json to embed.
    pub router_config: Option<String>,
    /// build-config.json to embed.
    pub build_config: Option<String>,
    /// Set to stop the build, which checks it between its steps.
    pub stop: Arc<AtomicBool>,
}

impl Default for BuildOptions {
    fn default() -> Self {
        BuildOptions {
            transit: true,
            streets: true,
            street: StreetBuildOptions::default(),
            transit_layer: TransitBuildOptions::default(),
            subway_access_minutes: 2.0,
            max_transfer_seconds: 600,
            router_config: None,
            build_config: None,
            stop: Arc::default(),
        }
    }
}
