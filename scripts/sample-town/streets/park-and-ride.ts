import type { TownPlan } from '../town-plan.js';
import type { Drawing } from './drawing.js';

/** A corner of the lattice with a parking area for changing to transit. */
export interface ParkAndRideSite {
  column: number;
  row: number;
  name: string;
}

/** One lot beside every motorway, at the street where the trams and buses cross it. */
export function parkAndRideSites(plan: TownPlan): ParkAndRideSite[] {
  return plan.columns.flatMap((band, column) =>
    band === 'motorway' ? [{ column: column + 1, row: plan.centre.row, name: `Nordbrücke ${column}` }] : [],
  );
}

/** Parking areas with an access road, a footway and bicycle racks. */
export function drawParkAndRide(drawing: Drawing): void {
  for (const site of parkAndRideSites(drawing.lattice.plan)) drawLot(drawing, site);
}

function drawLot(drawing: Drawing, site: ParkAndRideSite): void {
  const { lattice } = drawing;
  const { plan } = lattice;
  const corner = plan.corner(site.column, site.row);
  const at = (east: number, north: number) => ({ x: corner.x + east, y: corner.y + north });
  const entrance = drawing.node(at(30, 60));
  const exit = drawing.node(at(60, 30));
  const others = drawing.nodes([at(75, 45), at(75, 75), at(45, 75)]) as [number, number, number];
  drawing.way([entrance, exit, ...others, entrance], {
    amenity: 'parking',
    park_ride: 'yes',
    parking: 'surface',
    name: site.name,
    capacity: '240',
    fee: 'no',
  });
  drawing.way([lattice.gate('v', site.column, site.row, 1), entrance], { highway: 'service' });
  drawing.way([exit, lattice.gate('h', site.column, site.row, 1)], { highway: 'service', foot: 'yes' });
  drawing.node(at(26, 50), {
    amenity: 'bicycle_parking',
    name: `${site.name} Bike+Ride`,
    capacity: '60',
    covered: 'yes',
  });
}
