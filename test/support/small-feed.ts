/** A feed of a few lines, built and served: ids with colons, spaces, percent signs and letters beyond ASCII. */

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type BuiltGraph, buildGraph } from './built-graph.js';
import { zip } from './zip.js';

const TABLES: Readonly<Record<string, string>> = {
  'agency.txt': `agency_id,agency_name,agency_url,agency_timezone
AG,Agência,http://a.example,Europe/Lisbon`,
  'stops.txt': `stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station
a:1,17,Praça & 1st,41.000,-8.600,0,ST
b 2,,Oak 100%,41.002,-8.600,0,
ç%,,End,41.020,-8.600,0,
ST,,Station,41.0005,-8.600,1,`,
  'routes.txt': `route_id,agency_id,route_short_name,route_long_name,route_type,route_color
R:1,AG,10,Long,3,FFFF00
U,AG,Unused,,3,`,
  'trips.txt': `route_id,service_id,trip_id,trip_headsign,direction_id
R:1,WK,T#1,End,0
R:1,WK,T 2,End,0
R:1,WK,back,Start,1`,
  'calendar.txt': `service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
WK,1,1,1,1,1,0,0,20240101,20241231`,
  'stop_times.txt': `trip_id,stop_sequence,stop_id,arrival_time,departure_time
T#1,1,a:1,8:00:00,8:00:00
T#1,2,b 2,8:10:00,8:11:00
T#1,3,ç%,8:20:00,8:20:00
T 2,1,a:1,9:00:00,9:00:00
T 2,2,b 2,9:10:00,9:11:00
T 2,3,ç%,9:20:00,9:20:00
back,1,ç%,10:00:00,10:00:00
back,2,a:1,10:20:00,10:20:00`,
};

/** The feed as a zip, with some tables replaced or added. */
export function smallFeedZip(changes: Readonly<Record<string, string>> = {}): Promise<Buffer> {
  return zip({ ...TABLES, ...changes });
}

/** The feed as a graph, with some tables replaced or added, and with a map as OSM XML. */
export function buildSmallFeed(changes: Readonly<Record<string, string>> = {}, map?: string): Promise<BuiltGraph> {
  return buildGraph(async (directory) => {
    await writeFile(path.join(directory, 'feed.zip'), await smallFeedZip(changes));
    if (map !== undefined) await writeFile(path.join(directory, 'map.osm'), map);
  });
}
