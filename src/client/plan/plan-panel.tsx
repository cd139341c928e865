/** The tab that plans trips. */

import './plan.css';
import './itineraries.css';
import { state } from '../state/address.js';
import { placeText } from '../state/place.js';
import { isolated } from '../text/isolated.js';
import { t } from '../text/texts.js';
import { Title } from '../ui/title.js';
import { itineraryKey } from './itinerary.js';
import { MapEnds } from './map-ends.js';
import { Results } from './results.js';
import { TripForm } from './trip-form.js';
import { TripOnMap } from './trip-on-map.js';
import { useTripSearch } from './trip-search.js';

/** From where to where. */
function tripName(): string {
  const places = [state.from.value, ...state.via.value, state.to.value];
  return places.map((place) => isolated(placeText(place))).join(' – ');
}

/** Trips between places: the request, the trips found, and both on the map. */
export function PlanPanel() {
  const search = useTripSearch();
  const { value: trips } = search.status.value;
  const itineraries = trips?.itineraries ?? [];
  const keyed = (key: string) => itineraries.find((itinerary) => itineraryKey(itinerary) === key);
  const chosen = keyed(state.chosen.value) ?? (trips?.best && keyed(itineraryKey(trips.best)));
  const ready = state.from.value && state.to.value;
  return (
    <div class="plan">
      <TripForm />
      {ready ? <Results search={search} chosen={chosen} /> : <p class="hint">{t('plan.hint')}</p>}
      {ready && <Title name={tripName()} />}
      <MapEnds />
      <TripOnMap itineraries={itineraries} chosen={chosen} />
    </div>
  );
}
