/** The results of a search for trips. */

import { useMemo } from 'preact/hooks';
import type { Itinerary, PlanError } from '../api/answers.js';
import { boundsOf } from '../map/bounds.js';
import { change, linkWith, state } from '../state/address.js';
import type { LatestRequest } from '../state/latest-request.js';
import type { Moment } from '../state/moment.js';
import { useShown } from '../state/shown.js';
import { dayName, localDateTime, longDate } from '../text/format.js';
import { locale, t } from '../text/texts.js';
import { Button } from '../ui/controls.js';
import { Failure } from '../ui/failure.js';
import { Outcome } from '../ui/outcome.js';
import { shownName } from '../ui/title.js';
import { itineraryKey, timeSpan, usesTransit } from './itinerary.js';
import { ItineraryCard } from './itinerary-card.js';
import { planErrorText } from './plan-error.js';
import { printing } from './print-trip.js';
import { ShareTools } from './share-tools.js';
import { TimeAxis } from './time-axis.js';
import { ticksOf } from './time-scale.js';
import type { Trips } from './trip-search.js';
import { areFarOff } from './trip-time.js';

/** The itineraries, or why there are none. */
export function Results({ search, chosen }: { search: LatestRequest<Trips>; chosen: Itinerary | undefined }) {
  const { running, value: trips, problem } = search.status.value;
  const retry = () => search.retry();
  return (
    <Outcome problem={problem} onRetry={retry}>
      {!trips && <Waiting />}
      {trips && <Answered trips={trips} chosen={chosen} running={running} onRetry={retry} />}
    </Outcome>
  );
}

function Answered({ trips, chosen, running, onRetry }: FoundProps) {
  return (
    <section class={running ? 'results old' : 'results'} aria-label={t('plan.results')} aria-busy={running}>
      <p class="unseen" role="status">
        {running ? t('plan.searching') : t('plan.found', { count: trips.itineraries.length })}
      </p>
      {trips.itineraries.length === 0 ? (
        <NoTrip error={trips.error} />
      ) : (
        <Found trips={trips} chosen={chosen} running={running} onRetry={onRetry} />
      )}
    </section>
  );
}

/** Placeholders of the cards, so that the page does not jump when they come. */
function Waiting() {
  return (
    <div class="waiting" role="status" aria-label={t('plan.searching')}>
      <span />
      <span />
      <span />
    </div>
  );
}

function NoTrip({ error }: { error: PlanError | undefined }) {
  const { info } = useShown();
  const places = { via: state.via.value, to: state.to.value, bounds: boundsOf(info) };
  return (
    <div class="no-trip" role="alert">
      <p>{planErrorText(error, places)}</p>
    </div>
  );
}

interface FoundProps {
  trips: Trips;
  chosen: Itinerary | undefined;
  running: boolean;
  onRetry: () => void;
}

function Found({ trips: { itineraries, moment, problems = {} }, chosen, running, onRetry }: FoundProps) {
  const zone = useShown().calendar.timeZone;
  const dayOf = ({ startTime }: Itinerary) => dayName(startTime, zone, locale.value);
  const day = itineraries[0] && dayOf(itineraries[0]);
  const timed = itineraries.some(usesTransit);
  return (
    <>
      {printing.value && chosen && <PaperHead trip={chosen} zone={zone} />}
      <div class="results-head">
        <h2>{day}</h2>
        {timed && (
          <Button
            kind="quiet"
            icon="up"
            disabled={running}
            onClick={() => change({ earlier: state.earlier.value + 1 })}
          >
            {t('plan.earlier')}
          </Button>
        )}
        <ShareTools link={sharedLink(moment, chosen)} />
      </div>
      {areFarOff(itineraries, moment, zone) && <p class="far-off">{t('plan.farOff')}</p>}
      {problems.earlier && <Failure problem={problems.earlier} onRetry={onRetry} />}
      <Cards itineraries={itineraries} chosen={chosen} dayOf={dayOf} />
      {problems.later && <Failure problem={problems.later} onRetry={onRetry} />}
      {timed && (
        <Button kind="quiet" icon="chevron" disabled={running} onClick={() => change({ later: state.later.value + 1 })}>
          {t('plan.later')}
        </Button>
      )}
    </>
  );
}

/** What only paper has to say, as the form is not on it: from where to where, and the day with its year. */
function PaperHead({ trip, zone }: { trip: Itinerary; zone: string }) {
  return (
    <div class="paper-head">
      <h2>{shownName.value}</h2>
      <p>{longDate(localDateTime(trip.startTime, zone).date, locale.value)}</p>
    </div>
  );
}

/** A link shows the same trips at any time, so it contains the time that "now" was. */
function sharedLink(moment: Moment, shown: Itinerary | undefined): string {
  const when = moment.when === 'now' ? 'depart' : moment.when;
  return linkWith({ ...moment, when, chosen: shown ? itineraryKey(shown) : '' });
}

interface CardsProps {
  itineraries: readonly Itinerary[];
  chosen: Itinerary | undefined;
  dayOf: (itinerary: Itinerary) => string;
}

/** The itineraries along one axis of time. Those on other days than the first one show their day. */
function Cards({ itineraries, chosen, dayOf }: CardsProps) {
  const zone = useShown().calendar.timeZone;
  const scale = useMemo(() => ticksOf(timeSpan(itineraries), zone), [itineraries, zone]);
  const day = itineraries[0] && dayOf(itineraries[0]);
  // Folded, several trips can be compared; a single one is unfolded at once.
  const isOpen = (itinerary: Itinerary) => itineraries.length === 1 || state.chosen.value === itineraryKey(itinerary);
  return (
    <>
      <TimeAxis scale={scale} />
      <ol class="cards">
        {itineraries.map((itinerary) => (
          <ItineraryCard
            key={itineraryKey(itinerary)}
            itinerary={itinerary}
            scale={scale}
            day={dayOf(itinerary) === day ? undefined : dayOf(itinerary)}
            shown={itinerary === chosen}
            open={isOpen(itinerary)}
            onToggle={() => change({ chosen: isOpen(itinerary) ? '' : itineraryKey(itinerary) })}
          />
        ))}
      </ol>
    </>
  );
}
