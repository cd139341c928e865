/** How parameters set members of a request. A router's defaults of the same names set them too. */

import type { PlanRequest } from '../../native/types.js';

/** The member that a parameter sets. */
export interface RequestMember {
  readonly member: keyof PlanRequest;
  /** Makes the value of the member from that of the parameter, if the two differ. */
  readonly read?: (value: string, parameter: string) => unknown;
  /** The treatment of a number of a query outside the useful range. */
  readonly range?: 'ignored unless positive' | 'at least zero';
}

export function to<M extends keyof PlanRequest>(
  member: M,
  read?: (value: string, parameter: string) => PlanRequest[M],
): RequestMember {
  return { member, ...(read && { read }) };
}

export const ifPositive = (member: keyof PlanRequest): RequestMember => ({ member, range: 'ignored unless positive' });

export const atLeastZero = (member: keyof PlanRequest): RequestMember => ({ member, range: 'at least zero' });
