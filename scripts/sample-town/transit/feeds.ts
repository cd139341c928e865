import type { Terrain } from '../terrain.js';
import type { TownPlan } from '../town-plan.js';
import { calendarTables, compact, type ServicePeriod } from './calendar.js';
import { type FareScheme, fareTables } from './fares.js';
import type { Table } from './feed-files.js';
import type { Line } from './line.js';
import { ferry, funicular, gondola, subwayLines } from './off-street-lines.js';
import { railLines } from './rail-lines.js';
import { StopRegister } from './stop-register.js';
import { pathwayTable, stopTable, transferTable } from './stop-tables.js';
import { busLines, circleLines, tramLines } from './street-lines.js';
import { frequencyTable, routeTable, shapeTable, stopTimeTable, tripTable } from './trip-tables.js';

/** Who runs the lines of a feed. */
export interface Agency {
  id: string;
  name: string;
  url: string;
  phone: string;
}

/** A feed before it is written: small parts in memory, trips and stop times as generators. */
export interface Feed {
  /** feed_id, also the name of the file. */
  id: string;
  agency: Agency;
  stops: StopRegister;
  lines: Line[];
  fares: FareScheme;
}

const TIMEZONE = 'Europe/Vienna';

/** Buses, trams, subways and the funicular of the town. */
export function cityFeed(plan: TownPlan, terrain: Terrain): Feed {
  const stops = new StopRegister(plan, terrain);
  const lines = [
    ...subwayLines(stops),
    ...tramLines(stops),
    ...busLines(stops),
    ...circleLines(stops),
    funicular(stops),
  ];
  const agency = {
    id: 'SV',
    name: 'Städtische Verkehrsbetriebe',
    url: 'https://example.org/sv',
    phone: '+43 1 555 0100',
  };
  return { id: 'city', agency, stops, lines, fares: 'zones' };
}

/** Trains, the ferry and the cable cars of another operator. */
export function regionFeed(plan: TownPlan, terrain: Terrain): Feed {
  const stops = new StopRegister(plan, terrain);
  const lines = [...railLines(stops), ferry(stops), gondola(stops)];
  const agency = {
    id: 'RB',
    name: 'Regionalbahn & Schifffahrt',
    url: 'https://example.org/rb',
    phone: '+43 1 555 0200',
  };
  return { id: 'region', agency, stops, lines, fares: 'origin-destination' };
}

export function feedTables(feed: Feed, period: ServicePeriod): Table[] {
  const { agency, lines } = feed;
  return [
    {
      name: 'agency',
      header: 'agency_id,agency_name,agency_url,agency_timezone,agency_lang,agency_phone,agency_fare_url',
      rows: [[agency.id, agency.name, agency.url, TIMEZONE, 'de', agency.phone, `${agency.url}/fares`]],
    },
    {
      name: 'feed_info',
      header: 'feed_id,feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,feed_version',
      rows: [[feed.id, agency.name, agency.url, 'de', compact(period.from), compact(period.to), '1']],
    },
    stopTable(feed.stops.all),
    routeTable(lines, agency.id),
    ...calendarTables(period),
    tripTable(lines),
    stopTimeTable(lines),
    frequencyTable(lines),
    shapeTable(lines),
    transferTable(feed),
    pathwayTable([...feed.stops.stations.values()]),
    ...fareTables(feed.fares, lines, agency.id),
  ];
}
