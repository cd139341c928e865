/** The codes of the addon's errors, as in `crates/node/src/error.rs`; programs compare them, never the texts. */

/** Every code. */
export const ADDON_CODES = [
  'ABORTED',
  'BUSY',
  'DISPOSED',
  'GRAPH_DAMAGED',
  'GRAPH_FOREIGN',
  'GRAPH_IO',
  'GRAPH_TRUNCATED',
  'GRAPH_VERSION',
  'INPUT_MISSING',
  'INPUT_UNREADABLE',
  'CONFIG_INVALID',
  'OSM_UNREADABLE',
  'GTFS_UNREADABLE',
  'GTFS_TOO_LARGE',
  'GTFS_MISSING_TABLE',
  'GTFS_MISSING_COLUMN',
  'ELEVATION_UNREADABLE',
  'BUILD_OPTION_UNKNOWN',
  'REALTIME_INVALID',
  'INVALID_REQUEST',
  'PLACE_NOT_FOUND',
  'TIMEOUT',
  'TOO_LARGE',
  'PANIC',
] as const;
