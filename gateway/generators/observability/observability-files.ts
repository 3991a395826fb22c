/**
 * The Prometheus rules and the Grafana dashboard, from the tables of alerts and metrics. write-observability.ts writes them
 * into deploy/; a test fails if they are stale.
 */
import { PROOF_COUNTS_FOR_MS } from '../../src/domain/backup/backup-proof.ts';
import { SECOND_MS } from '../../src/foundation/clock.ts';
import { ALERTS, type Severity } from '../../src/main/observability/alert-kinds.ts';
import { METRICS, type Metric } from './metrics-list.ts';

interface PrometheusRule {
  readonly name: string;
  readonly expression: string;
  readonly severity: Severity;
  readonly text: string;
  readonly runbook: string;
  readonly wait?: string;
}

/** Rules for a gateway that can no longer raise an alert. */
const OUTSIDE: readonly PrometheusRule[] = [
  {
    name: 'Gateway_down',
    expression: 'up{job="gateway"} == 0',
    severity: 'critical',
    wait: '1m',
    text: 'Prometheus cannot reach a process of the gateway.',
    runbook: 'the-gateway-does-not-start',
  },
  {
    name: 'Gateway_backup_proof_old',
    expression: `max(gateway_backup_proof_age_seconds) > ${PROOF_COUNTS_FOR_MS / SECOND_MS}`,
    severity: ALERTS.backup_not_proven.severity,
    text: 'No backup was proven for two days.',
    runbook: ALERTS.backup_not_proven.runbook,
  },
];

/** The rules, one for each alert that needs a user's action. */
export const RULES: readonly PrometheusRule[] = [
  ...OUTSIDE,
  ...Object.entries(ALERTS)
    .filter(([, { severity }]) => severity !== 'info')
    .map(([kind, alert]) => ({
      name: `Gateway_${kind}`,
      expression: `sum(increase(gateway_alerts_total{alert="${kind}"}[15m])) > 0`,
      ...alert,
    })),
];

function rulesText(): string {
  return `# Generated from the gateway's alerts: npx node gateway/generators/observability/write-observability.ts
# The external label "runbooks" of prometheus.yml is the address of the page of runbooks.
groups:
  - name: gateway
    rules:
${RULES.map(ruleText).join('\n')}
`;
}

function ruleText({ name, expression, severity, text, runbook, wait }: PrometheusRule): string {
  const lines = [
    `      - alert: ${name}`,
    `        expr: '${expression}'`,
    ...(wait === undefined ? [] : [`        for: ${wait}`]),
    '        labels:',
    `          severity: ${severity}`,
    '        annotations:',
    `          summary: ${JSON.stringify(text)}`,
    `          runbook_url: "{{ $externalLabels.runbooks }}#${runbook}"`,
  ];
  return lines.join('\n');
}

const WIDTH = 12;
const HEIGHT = 8;

/** Adds up the processes of one gateway. */
const ACROSS = 'sum without (instance, job, process)';

const QUERIES: Readonly<Record<string, (name: string) => readonly (readonly [string, string])[]>> = {
  counter: (name) => [[`${ACROSS} (rate(${name}[5m]))`, '']],
  gauge: (name) => [[`max without (instance, job, process) (${name})`, '']],
  histogram: (name) =>
    [0.5, 0.95].map((quantile) => [
      `histogram_quantile(${quantile}, ${ACROSS} (rate(${name}_bucket[5m])))`,
      `p${quantile * 100} `,
    ]),
};

function dashboardText(): string {
  const panels = METRICS.map((metric, index) => panelOf(metric, index));
  const dashboard = {
    uid: 'payment-gateway',
    title: 'Payment gateway',
    tags: ['payment-gateway'],
    schemaVersion: 41,
    timezone: 'utc',
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [{ name: 'source', type: 'datasource', query: 'prometheus', label: 'Data source' }] },
    panels,
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}

function panelOf({ name, meaning, type }: Metric, index: number) {
  const queries = QUERIES[type]?.(name) ?? [];
  return {
    id: index + 1,
    type: 'timeseries',
    title: titleOf(name),
    description: meaning,
    datasource: { type: 'prometheus', uid: '$source' },
    gridPos: { w: WIDTH, h: HEIGHT, x: (index % 2) * WIDTH, y: Math.floor(index / 2) * HEIGHT },
    fieldConfig: { defaults: { unit: unitOf(name, type) }, overrides: [] },
    targets: queries.map(([expr, label], at) => ({
      refId: String.fromCharCode(65 + at),
      expr,
      ...(label === '' ? {} : { legendFormat: `${label}{{route}}{{rail}}{{call}}{{batch}}{{outcome}}` }),
    })),
  };
}

function titleOf(name: string): string {
  const words = name
    .replace(/^gateway_/, '')
    .replace(/_(?:total|seconds)$/, '')
    .replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function unitOf(name: string, type: string): string {
  if (type === 'counter') return 'ops';
  return name.endsWith('_seconds') ? 's' : 'short';
}

/** Returns the generated files by path relative to the project's root. */
export function observabilityFiles(): Readonly<Record<string, string>> {
  return {
    'deploy/prometheus/rules.yml': rulesText(),
    'deploy/grafana/payment-gateway.json': dashboardText(),
  };
}
