/** The field for a place: a name, an address, a coordinate or the position of the device. */

import './place-search.css';
import type { ComponentChildren, Ref } from 'preact';
import { useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Place } from '../state/place.js';
import { useShown } from '../state/shown.js';
import { t } from '../text/texts.js';
import { Icon } from '../ui/icon.js';
import { OfferList } from './offer-list.js';
import { PlaceField } from './place-field.js';

interface PlaceInputProps {
  label: string;
  /** The icon in front of the field. */
  sign?: ComponentChildren;
  value: Place | undefined;
  onChange: (place: Place | undefined) => void;
  /** Whether it gets the focus when it appears. */
  focused?: boolean;
}

/** The field with its icon, the offers for what is typed, and a message if no place can be found. */
export function PlaceInput({ label, sign, value, onChange, focused }: PlaceInputProps) {
  const { api } = useShown();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const field = useMemo(() => new PlaceField(api), [api]);
  field.onChange = onChange;
  useLayoutEffect(() => field.show(value), [field, value]);
  useLayoutEffect(() => () => field.close(), [field]);
  useLayoutEffect(() => {
    if (focused) input.current?.focus();
  }, [focused]);
  const { text, active, message, offers } = field;
  return (
    <div class="place-field">
      <span class="place-sign" aria-hidden="true">
        {sign}
      </span>
      <label class="unseen" for={id}>
        {label}
      </label>
      <Combobox id={id} field={field} input={input} placeholder={label} />
      {text.value !== '' && (
        <ClearButton
          label={label}
          onClick={() => {
            field.clear();
            input.current?.focus();
          }}
        />
      )}
      {isListed(field) && (
        <OfferList id={id} offers={offers.value} active={active.value} onChoose={(offer) => field.choose(offer)} />
      )}
      {message.value !== '' && (
        <p class="place-message" id={`${id}-message`} role="alert">
          {message.value}
        </p>
      )}
    </div>
  );
}

function isListed({ open, offers }: PlaceField): boolean {
  return open.value && offers.value.length > 0;
}

interface ComboboxProps {
  id: string;
  field: PlaceField;
  input: Ref<HTMLInputElement>;
  placeholder: string;
}

/** Arrow keys move between the offers, Enter chooses one, Escape closes them. */
function Combobox({ id, field, input, placeholder }: ComboboxProps) {
  const { text, active, message } = field;
  const listed = isListed(field);
  return (
    <input
      ref={input}
      id={id}
      type="text"
      role="combobox"
      aria-expanded={listed}
      aria-controls={`${id}-offers`}
      aria-autocomplete="list"
      aria-activedescendant={listed && active.value >= 0 ? `${id}-offer-${active.value}` : undefined}
      aria-invalid={message.value !== ''}
      aria-describedby={message.value === '' ? undefined : `${id}-message`}
      autocomplete="off"
      spellcheck={false}
      enterkeyhint="search"
      placeholder={placeholder}
      value={text.value}
      onInput={({ currentTarget }) => field.type(currentTarget.value)}
      onFocus={({ currentTarget }) => {
        currentTarget.select();
        field.enter();
      }}
      // The offers of a field that already has the focus.
      onClick={() => field.enter()}
      onBlur={() => field.leave()}
      onKeyDown={(event) => field.press(event)}
    />
  );
}

function ClearButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" class="place-clear" aria-label={t('common.clearField', { name: label })} onClick={onClick}>
      <Icon name="close" size={16} />
    </button>
  );
}
