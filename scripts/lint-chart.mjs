// Checks the chart: helm's linter and schema, then every resource that it renders with the schemas of Kubernetes, and those
// of the Prometheus operator and of KEDA with the types and schemas of their own definitions.
import { readFileSync, writeFileSync } from 'node:fs';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import { PodMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor';
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import Ajv from 'ajv';
import { parseAllDocuments } from 'yaml';
import { hasLinters, inFolder, problemsOf, ROOT, run, typeProblems } from './linters.mjs';

const CHART = 'docs/deploy/chart';

/** Sets of values that together render every line of the templates. */
const SETS = {
  'the defaults': {},
  everything: {
    existingSecret: '',
    secret: { TRESTLE_REDIS: 'redis://valkey:6379', AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' },
    s3Endpoint: 'https://store.example',
    routers: ['porto', 'braga'],
    settings: { TRESTLE_LOG_LEVEL: 'debug', TRESTLE_WORKERS: 2 },
    trustedProxies: ['10.0.0.0/8'],
    imagePullSecrets: [{ name: 'registry' }],
    serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/trestle' } },
    server: {
      autoscaling: { enabled: true, queuedSearches: 4 },
      podAnnotations: { a: 'b' },
      nodeSelector: { disk: 'ssd' },
      tolerations: [{ key: 'city', operator: 'Exists' }],
      affinity: { nodeAffinity: {} },
    },
    worker: { cacheSize: '1.5Ti', autoscaling: { enabled: true, kind: 'keda', minReplicas: 0 } },
    ingress: {
      enabled: true,
      className: 'nginx',
      annotations: { a: 'b' },
      hosts: ['maps.example'],
      tls: [{ secretName: 'certificate', hosts: ['maps.example'] }],
    },
    networkPolicy: { from: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }] },
    monitoring: { serviceMonitor: true, alertRules: true, dashboard: true, labels: { release: 'prometheus' } },
  },
  'workers by parts that are left': { worker: { autoscaling: { enabled: true } } },
};

/** Values that the schema has to refuse. */
const WRONG = {
  'an unknown value': { serverr: {} },
  'no secret': { existingSecret: '' },
  'a setting that Trestle does not have': { settings: { PATH: '/' } },
  'no workers for an autoscaler that needs one': { worker: { autoscaling: { minReplicas: 0 } } },
  'a folder for graphs': { graphs: '/srv/graphs' },
};

const CUSTOM = { ScaledObject, PodMonitor, PrometheusRule, ServiceMonitor };

/** Renders the chart with its values and returns the resources of each set. */
export function renderChart(sets = SETS) {
  const { ok, stdout, said } = run('python3', ['scripts/render-chart.py', CHART], { input: JSON.stringify(sets) });
  if (!ok) throw new Error(said);
  const { lint, rendered, refused } = JSON.parse(stdout);
  const resources = Object.entries(rendered).map(([name, templates]) => [
    name,
    Object.entries(templates)
      .filter(([template]) => template.endsWith('.yaml'))
      .flatMap(([template, text]) => parseAllDocuments(text).map((document) => ({ template, document })))
      .filter(({ document }) => document.contents !== null)
      .map(({ template, document }) => ({ template, errors: document.errors, resource: document.toJS() })),
  ]);
  return { lint, resources: Object.fromEntries(resources), refused };
}

/** Problems of the chart, a line each. */
export function lintChart() {
  if (!hasLinters()) return [];
  const { lint, resources, refused } = renderChart({ ...SETS, ...WRONG });
  const accepted = Object.keys(WRONG).filter((name) => refused[name] === undefined);
  const wanted = Object.keys(SETS).filter((name) => refused[name] !== undefined);
  return [
    ...lint,
    ...schemaProblems(),
    ...accepted.map((name) => `${CHART}/values.schema.json accepts ${name}`),
    ...wanted.map((name) => `${CHART} refuses ${name}: ${refused[name]}`),
    ...cacheProblems(resources),
    ...inFolder('lint-chart', (folder) => resourceProblems(folder, resources)),
  ];
}

/** The schema of the values is a schema, and describes every value. */
function schemaProblems() {
  const schema = JSON.parse(readFileSync(`${ROOT}${CHART}/values.schema.json`, 'utf8'));
  const ajv = new Ajv.default({ strict: true, strictRequired: false, allowUnionTypes: true, strictTypes: false });
  try {
    ajv.compile(schema);
    return [];
  } catch (error) {
    return [`${CHART}/values.schema.json: ${error.message}`];
  }
}

/** Pods whose cache may grow beyond the limit of its volume, where they would be evicted. */
function cacheProblems(sets) {
  const deployments = Object.entries(sets).flatMap(([set, resources]) =>
    resources.filter(({ resource }) => resource.kind === 'Deployment').map(({ resource }) => ({ set, resource })),
  );
  return deployments.flatMap(({ set, resource: { metadata, spec } }) => {
    const { containers, volumes } = spec.template.spec;
    const most = containers[0].env.find(({ name }) => name === 'TRESTLE_MAX_CACHE_BYTES')?.value;
    const limit = volumes.find(({ name }) => name === 'graphs').emptyDir.sizeLimit;
    return Number(most) < Number(limit) ? [] : [`${metadata.name} with ${set}: a cache of ${most} bytes in ${limit}`];
  });
}

/** Problems of the resources that each set of values renders. */
function resourceProblems(folder, sets) {
  const found = Object.entries(sets).flatMap(([set, resources]) => resources.map((one) => ({ set, ...one })));
  const syntax = found.flatMap(({ template, errors }) => errors.map(({ message }) => `${template}: ${message}`));
  const known = found.filter(({ resource }) => CUSTOM[resource.kind] === undefined);
  const files = known.map(({ set, template, resource }, i) => {
    const file = `${folder}/${i} ${set} ${template.replaceAll('/', '-')}.json`;
    writeFileSync(file, JSON.stringify(resource));
    return file;
  });
  const problems = problemsOf('python3', ['-m', 'kubernetes_validate', '--strict', '--quiet', ...files]);
  const custom = found.filter(({ resource }) => CUSTOM[resource.kind] !== undefined);
  return [...problems, ...syntax, ...customProblems(folder, custom)];
}

/** The schema checks values; the type of a literal refuses unknown members, which a cluster would drop silently. */
function customProblems(folder, custom) {
  const problems = custom.flatMap(({ set, template, resource }) => {
    try {
      new CUSTOM[resource.kind](resource).validate();
      return [];
    } catch (error) {
      return [`${template} with ${set}: ${error.message}`];
    }
  });
  const literals = custom.map(({ resource }, i) => {
    const [group, version] = resource.apiVersion.split('/');
    const library = group === 'keda.sh' ? 'keda' : 'prometheus-operator';
    const from = `@kubernetes-models/${library}/${group}/${version}/${resource.kind}`;
    return `export const resource${i}: import('${from}').I${resource.kind} = ${JSON.stringify(resource)};\n`;
  });
  const file = `${folder}/custom.ts`;
  writeFileSync(file, literals.join(''));
  return [...problems, ...typeProblems(file)];
}
