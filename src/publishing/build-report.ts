/** The facts in a build's report that are published with the graph. */

import path from 'node:path';
import { jsonOf } from '../json.js';
import type { InputFile } from '../registry/inputs.js';
import { readTextIfPresent } from '../registry/regular-file.js';
import type { Manifest } from './documents.js';

/** Members of `report/report.json` that go into a manifest. */
interface Report {
  readonly info?: { /** Epoch seconds. */ readonly buildTime?: number };
  readonly inputs?: readonly InputFile[];
  readonly issueCounts?: Manifest['issues'];
}

/**
 * The inputs and issues of the graph that was built at this time (epoch milliseconds); empty when the report is about
 * another build.
 */
export async function reportOf(directory: string, buildTime: number): Promise<Pick<Manifest, 'inputs' | 'issues'>> {
  const text = await readTextIfPresent(path.join(directory, 'report', 'report.json'));
  const report = jsonOf(text ?? '') as Report | null | undefined;
  if (!report || Math.round((report.info?.buildTime ?? 0) * 1000) !== buildTime) return {};
  const { inputs, issueCounts: issues } = report;
  return { ...(inputs === undefined ? {} : { inputs }), ...(issues === undefined ? {} : { issues }) };
}
