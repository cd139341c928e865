/** A stop in a list. */

import { change } from '../state/address.js';
import { isolated } from '../text/isolated.js';
import { Icon } from '../ui/icon.js';
import { modeIcon, modeName } from '../ui/route-badge.js';
import type { FoundStop } from './index-answers.js';
import { inOrder, lineName } from './line-order.js';

/** Stops that riders regard as one, or one stop; shown when it is clicked. */
export function StopButton({ group }: { group: readonly FoundStop[] }) {
  const [first] = group;
  if (!first) return null;
  const isOne = group.length === 1;
  const lines = inOrder(group.flatMap(({ routes }) => routes));
  const mode = lines[0]?.mode;
  const names = [...new Set(lines.map(lineName))];
  const id = group.map(({ gtfsId }) => gtfsId).join();
  return (
    <button type="button" onClick={() => change({ thing: { kind: isOne ? 'stop' : 'stops', id } })}>
      <Icon name={mode === undefined ? 'pin' : modeIcon(mode)} title={mode && modeName(mode)} />
      <span>
        {isOne && first.code !== null ? `${first.name} (${first.code})` : first.name}
        <small>{names.map(isolated).join(' · ')}</small>
      </span>
    </button>
  );
}
