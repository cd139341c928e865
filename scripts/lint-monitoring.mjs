// Checks the alert rules with promtool and their tests, and the dashboard with the types that Grafana publishes.
import { readFileSync, writeFileSync } from 'node:fs';
import { hasProgram, inFolder, problemsOf, ROOT, typeProblems } from './linters.mjs';

const RULES = 'docs/deploy/chart/files/alerts.yaml';
const DASHBOARD = 'docs/deploy/chart/files/dashboard.json';

/** Variables of Grafana in queries, and what stands for them. */
const VARIABLES = { $instance: '.*', $__rate_interval: '1m' };

/** All queries of the dashboard, as Prometheus sees them. */
export function dashboardQueries() {
  const { panels } = JSON.parse(readFileSync(`${ROOT}${DASHBOARD}`, 'utf8'));
  return panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => {
      const query = expr.replaceAll(/\$\w+/g, (name) => VARIABLES[name] ?? name);
      return { title, query };
    }),
  );
}

/** Problems of the rules and the dashboard, a line each. */
export function lintMonitoring() {
  return inFolder('lint-monitoring', (folder) => [...dashboardProblems(folder), ...ruleProblems(folder)]);
}

/** The dashboard as a literal of its type: unknown and missing members are errors. Enumerations need their names. */
function dashboardProblems(folder) {
  const text = readFileSync(`${ROOT}${DASHBOARD}`, 'utf8').replaceAll('"mode": "absolute"', '"mode": Mode.Absolute');
  const imports = "import { type Dashboard, ThresholdsMode as Mode } from '@grafana/schema';";
  const file = `${folder}/dashboard.ts`;
  writeFileSync(file, `${imports}\nexport const dashboard: Dashboard = ${text};\n`);
  return typeProblems(file);
}

/** Queries of the dashboard become rules, so that promtool reads them. */
function ruleProblems(folder) {
  if (!hasProgram('promtool')) return [];
  const queries = dashboardQueries().map(({ query }, i) => ({ record: `query:${i}`, expr: query }));
  const file = `${folder}/queries.json`;
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: queries }] }));
  return [
    ...problemsOf('promtool', ['check', 'rules', RULES]),
    ...problemsOf('promtool', ['check', 'rules', file]),
    ...problemsOf('promtool', ['check', 'config', '--syntax-only', 'docs/deploy/compose/prometheus.yaml']),
    ...problemsOf('promtool', ['test', 'rules', 'test/deploy/alerts.test.yaml']),
  ];
}
