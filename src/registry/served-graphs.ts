/** Which graphs the processes of a host serve, as one shared value. */

import { SharedLedger } from '../sharing/ledger.js';
import type { SharedValues } from '../sharing/shared-values.js';
import type { ServedGraph } from './graph-source.js';

/**
 * By router id, in the order of registration. `follow` is called with each change; undefined means no longer served.
 */
export function servedGraphs(
  values: SharedValues,
  follow: (id: string, graph: ServedGraph | undefined) => Promise<void>,
): SharedLedger<ServedGraph> {
  return new SharedLedger<ServedGraph>(values, {
    name: 'served graphs',
    form: 1,
    // No process of a host is disconnected while another one changes the value.
    remembered: 0,
    follow: async (changes) => {
      for (const [id, graph] of changes) await follow(id, graph);
      return undefined;
    },
  });
}
