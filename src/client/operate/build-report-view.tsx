/** Times, counts and issues of a graph's build. */

import type { BuildReport } from '../../serialization/answers/index.js';
import type { OperationApi } from '../api/operation.js';
import type { Problem } from '../api/problem.js';
import { useLive } from '../state/live.js';
import { login, loginCredentials } from '../state/login.js';
import { useApp } from '../state/shown.js';
import { locale, t } from '../text/texts.js';
import { problemText } from '../ui/failure.js';

/** The report, once a user is logged in who may see it, or for everybody on a server without accounts. */
export function BuildReportView({ api, routerId }: { api: OperationApi; routerId: string }) {
  const { server } = useApp();
  const who = login.value;
  const ask = (signal: AbortSignal) => api.buildReport(routerId, loginCredentials(), signal);
  const { value: report, problem } = useLive(ask, [api, routerId, who]);
  return (
    <section>
      <h3>{t('operate.report')}</h3>
      {problem && <p class="hint">{reason(problem, server.insecure || who !== undefined)}</p>}
      {report && <Report report={report} />}
    </section>
  );
}

/** Why there is no report. */
function reason(problem: Problem, mayAsk: boolean): string {
  if (problem.kind !== 'refused') return problemText(problem);
  return mayAsk ? (problem.text ?? '') : t('operate.loginFor');
}

function Report({ report }: { report: BuildReport }) {
  const { contents, steps, issueCounts, issues } = report;
  const number = new Intl.NumberFormat(locale.value, { maximumFractionDigits: 1 });
  const longest = Math.max(1, ...steps.map(({ milliseconds }) => milliseconds));
  return (
    <>
      <dl class="numbers small">
        {Object.entries(contents).map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{number.format(count)}</dd>
          </div>
        ))}
      </dl>
      <table class="steps">
        <caption class="unseen">{t('operate.steps')}</caption>
        <tbody>
          {steps.map(({ step, milliseconds }) => (
            <tr key={step}>
              <th scope="row">{step}</th>
              <td>{number.format(milliseconds / 1000)} s</td>
              <td>
                <i style={{ width: `${(100 * milliseconds) / longest}%` }} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {issueCounts.map(({ code, count }) => (
        <details key={code} class="issues">
          <summary>
            {code} <span class="hint">{number.format(count)}</span>
          </summary>
          <ul>
            {issues
              .filter((issue) => issue.code === code)
              .map(({ file, line, message }, position) => (
                <li key={position}>
                  <span class="hint">{line > 0 ? `${file}:${line}` : file}</span> {message}
                </li>
              ))}
          </ul>
        </details>
      ))}
    </>
  );
}
