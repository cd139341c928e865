/** Controls that all panels share. */

import type { ComponentChildren, ComponentProps } from 'preact';
import { useId } from 'preact/hooks';
import { Icon, type IconName } from './icon.js';

/** A click, or Enter in a field, may send the form instead; not while the button is disabled. */
type ClickProps = { onClick: () => void; sends?: false } | { onClick?: never; sends: true };

type ButtonProps = ClickProps & {
  children: ComponentChildren;
  /** `main` for the main button of a form. */
  kind?: 'main' | 'plain' | 'quiet';
  icon?: IconName;
  disabled?: boolean;
  pressed?: boolean;
};

/** A button with a text. It keeps the focus while it is disabled, for example until the answer to its click is there. */
export function Button({
  onClick,
  sends = false,
  children,
  kind = 'plain',
  icon,
  disabled = false,
  pressed,
}: ButtonProps) {
  return (
    <button
      type={sends ? 'submit' : 'button'}
      class={`button ${kind}`}
      onClick={disabled ? (event) => event.preventDefault() : onClick}
      aria-disabled={disabled || undefined}
      aria-pressed={pressed}
    >
      {icon && <Icon name={icon} size={18} />}
      {children}
    </button>
  );
}

/** A button with an icon; its label is for screen readers, and a tooltip. */
export function IconButton(props: { icon: IconName; label: string; onClick: () => void; expanded?: boolean }) {
  const { icon, label, onClick, expanded } = props;
  return (
    <button
      type="button"
      class="icon-button"
      onClick={onClick}
      aria-label={label}
      title={label}
      aria-expanded={expanded}
    >
      <Icon name={icon} />
    </button>
  );
}

type InputFieldProps = ComponentProps<'input'> & {
  label: string;
  /** Whether the label is for screen readers only. */
  unseenLabel?: boolean;
  /** A class of its style. */
  look?: string;
};

export function InputField({ label, unseenLabel, look = '', ...input }: InputFieldProps) {
  const id = useId();
  return (
    <div class={`field ${look}`.trim()}>
      <label for={id} class={unseenLabel ? 'unseen' : undefined}>
        {label}
      </label>
      <input id={id} {...input} />
    </div>
  );
}

/** A choice among several, in a list that unfolds. */
export function Select<V extends string>(props: {
  label: string;
  value: V;
  options: ReadonlyArray<readonly [value: V, text: string]>;
  onChange: (value: V) => void;
  /** Whether the label is for screen readers only. */
  unseenLabel?: boolean;
}) {
  const { label, value, options, onChange, unseenLabel } = props;
  const id = useId();
  return (
    <div class="field">
      <label for={id} class={unseenLabel ? 'unseen' : undefined}>
        {label}
      </label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value as V)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A choice among few, all of them visible. */
export function Segments<V extends string>(props: {
  label: string;
  value: V;
  options: ReadonlyArray<readonly [value: V, text: string, icon?: IconName]>;
  onChange: (value: V) => void;
}) {
  const { label, value, options, onChange } = props;
  const name = useId();
  return (
    <fieldset class="segments">
      <legend class="unseen">{label}</legend>
      {options.map(([option, text, icon]) => (
        <label key={option}>
          <input type="radio" name={name} value={option} checked={option === value} onChange={() => onChange(option)} />
          <span>
            {icon && <Icon name={icon} size={18} />}
            {text}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

export function Check(props: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}) {
  const { label, checked, onChange, disabled } = props;
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
