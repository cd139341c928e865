/** The form of a trip: places, mode, time, options. Any change starts another search. */

import { signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { PlaceInput } from '../place-search/place-input.js';
import { change, state } from '../state/address.js';
import { type Place, placeText } from '../state/place.js';
import { isSmall } from '../state/sheet-size.js';
import { useShown } from '../state/shown.js';
import { travelMoment } from '../state/travel-moment.js';
import { longDate } from '../text/format.js';
import { isolated } from '../text/isolated.js';
import { locale, t } from '../text/texts.js';
import { Button, IconButton } from '../ui/controls.js';
import { useKeptFocus } from '../ui/kept-focus.js';
import { ModeChoice } from './mode-choice.js';
import { MoreOptions } from './more-options.js';
import { isUsual, optionOf } from './travel-modes.js';
import { WhenFields } from './when-fields.js';

const MOST_VIA = 5;

/** Whether the form is folded on a phone. */
const folded = signal(true);

/** Whether a field for one more place is open. */
const addingVia = signal(false);

/** The form. On a phone it is folded to a line once both ends are chosen, so that the trips are visible. */
export function TripForm() {
  const { calendar, info } = useShown();
  // Of the button or the form, whichever is there.
  const root = useKeptFocus<HTMLElement>();
  const [from, to] = [state.from.value, state.to.value];
  if (isSmall.value && folded.value && from && to) {
    const { when, date, time } = travelMoment(calendar);
    const option = optionOf(state.mode.value, info);
    const facts = [
      t(`plan.group.${option.group}`),
      isUsual(option, info) ? '' : t(`plan.way.${option.mode}`),
      when === 'now' ? t('plan.now') : `${t(`plan.${when}`)} ${time}`,
      when === 'now' ? '' : longDate(date, locale.value),
    ];
    return (
      <button
        ref={root as RefObject<HTMLButtonElement | null>}
        type="button"
        class="folded-form"
        onClick={() => {
          folded.value = false;
        }}
      >
        <span class="unseen">{t('plan.change')}</span>
        <strong>{`${isolated(placeText(from))} – ${isolated(placeText(to))}`}</strong>
        <span>{facts.filter((fact) => fact !== '').join(' · ')}</span>
      </button>
    );
  }
  return (
    <form
      ref={root as RefObject<HTMLFormElement | null>}
      tabIndex={-1}
      class="trip-form"
      onSubmit={(event) => event.preventDefault()}
    >
      <Places />
      <ModeChoice />
      <div class="when-and-options">
        <WhenFields />
        <MoreOptions />
      </div>
      {isSmall.value && from && to && (
        <Button
          kind="main"
          onClick={() => {
            folded.value = true;
          }}
        >
          {t('plan.showTrips')}
        </Button>
      )}
    </form>
  );
}

/** Start, places on the way, destination. */
function Places() {
  const root = useKeptFocus<HTMLDivElement>();
  const via = state.via.value;
  const setVia = (index: number, place: Place | undefined) => {
    const places = via.map((old, i) => (i === index ? place : old));
    change({ via: places.filter((one) => one !== undefined) });
  };
  return (
    <div ref={root} tabIndex={-1} class="places">
      <div class="place-rows">
        <PlaceInput
          label={t('plan.from')}
          sign={<span class="sign start" />}
          value={state.from.value}
          onChange={(from) => change({ from })}
        />
        {via.map((place, index) => (
          <PlaceInput
            key={index}
            label={t('plan.via')}
            sign={<span class="sign via" />}
            value={place}
            onChange={(changed) => setVia(index, changed)}
          />
        ))}
        <NewVia />
        <PlaceInput
          label={t('plan.to')}
          sign={<span class="sign end" />}
          value={state.to.value}
          onChange={(to) => change({ to })}
        />
      </div>
      <div class="place-tools">
        <IconButton icon="swap" label={t('plan.swap')} onClick={swap} />
        {via.length < MOST_VIA && !addingVia.value && (
          <IconButton
            icon="plus"
            label={t('plan.addVia')}
            onClick={() => {
              addingVia.value = true;
            }}
          />
        )}
      </div>
    </div>
  );
}

function swap(): void {
  change({ from: state.to.value, to: state.from.value, via: state.via.value.toReversed() });
}

/** The field of a place on the way that is not chosen yet. */
function NewVia() {
  if (!addingVia.value) return null;
  const add = (place: Place | undefined) => {
    addingVia.value = false;
    if (place) change({ via: [...state.via.value, place] });
  };
  return (
    <div class="new-via">
      <PlaceInput label={t('plan.via')} sign={<span class="sign via" />} value={undefined} onChange={add} focused />
      <IconButton icon="close" label={t('common.close')} onClick={() => add(undefined)} />
    </div>
  );
}
