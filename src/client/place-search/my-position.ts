/** The position of the device. */

import type { Position } from '../state/place.js';

const LONGEST_WAIT_MS = 10_000;

/** Whether browsers give the position of the device to pages of this address. */
export const knowsPosition = 'geolocation' in navigator && window.isSecureContext;

/** The position; rejects when the user or the device does not give it. */
export function myPosition(): Promise<Position> {
  return new Promise((resolve, reject) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: coords.latitude, lon: coords.longitude }),
      reject,
      { enableHighAccuracy: true, timeout: LONGEST_WAIT_MS },
    );
  });
}
