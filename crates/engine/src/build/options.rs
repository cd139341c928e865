//! Options of a build: the members of build-config.json that have an effect.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use trestle_model::with_defaults;
use trestle_street::build::StreetBuildOptions;
use trestle_transit::build::TransitBuildOptions;

with_defaults! {
    #[derive(Clone, Debug)]
    pub struct BuildOptions {
        /// Include GTFS.
        pub transit: bool = true,
        /// Include OSM.
        pub streets: bool = true,
        pub street: StreetBuildOptions = StreetBuildOptions::default(),
        pub transit_layer: TransitBuildOptions = TransitBuildOptions::default(),
        /// Minutes between street and platform of subway stops (`subwayAccessTime`).
        pub subway_access_minutes: f64 = 2.0,
        /// Seconds of walking that a direct transfer may take.
        pub max_transfer_seconds: i32 = 600,
        /// router-config.json to embed.
        pub router_config: Option<String> = None,
        /// build-config.json to embed.
        pub build_config: Option<String> = None,
        /// Set to stop the build, which checks it between its steps.
        pub stop: Arc<AtomicBool> = Arc::default(),
    }
}
