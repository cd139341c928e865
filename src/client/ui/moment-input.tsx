/** The field of a date or of a time of day. */

import { useRef } from 'preact/hooks';
import type { HistoryStep } from '../state/address.js';
import { InputField } from './controls.js';

interface MomentInputProps {
  label: string;
  unseenLabel?: boolean;
  type: 'date' | 'time';
  value: string;
  min?: string;
  max?: string;
  describedBy?: string;
  onChange: (value: string, step: HistoryStep) => void;
}

/** Not empty, and with all digits of its year. */
function isWhole(entered: string): boolean {
  return entered !== '' && !/^0\d{3}-/.test(entered);
}

/**
 * Browsers report a change at every key, even for the first digits of a year, so what is typed until the field is left
 * is one step. A field that is left unfinished shows its value again.
 */
export function MomentInput({ value, describedBy, onChange, ...rest }: MomentInputProps) {
  const step = useRef<HistoryStep>('push');
  return (
    <InputField
      {...rest}
      required
      value={value}
      aria-describedby={describedBy}
      onChange={({ currentTarget: { value: entered } }) => {
        if (!isWhole(entered)) return;
        onChange(entered, step.current);
        step.current = 'replace';
      }}
      onBlur={({ currentTarget }) => {
        step.current = 'push';
        if (!isWhole(currentTarget.value)) currentTarget.value = value;
      }}
    />
  );
}
