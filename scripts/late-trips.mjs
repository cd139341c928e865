// A GTFS-Realtime message for scripts that load live data.
import { PbfWriter } from 'pbf';

/** A full dataset in which every trip (id without its feed) is late by `delay` seconds at all its calls on a day. */
export function lateTrips(trips, date, delay) {
  const pbf = new PbfWriter();
  const header = (_, inner) => {
    inner.writeStringField(1, '2.0');
    inner.writeVarintField(2, 0);
    inner.writeVarintField(3, Math.floor(Date.now() / 1000));
  };
  pbf.writeMessage(1, header, null);
  for (const [i, trip] of trips.entries()) pbf.writeMessage(2, entity, { id: String(i), trip, date, delay });
  return pbf.finish();
}

function entity({ id, trip, date, delay }, pbf) {
  pbf.writeStringField(1, id);
  const descriptor = (_, inner) => {
    inner.writeStringField(1, trip);
    inner.writeStringField(3, date);
  };
  const update = (_, inner) => {
    inner.writeMessage(1, descriptor, null);
    inner.writeVarintField(5, delay);
  };
  pbf.writeMessage(3, update, null);
}
