/** Renders `gateway top` as text: rates, queues, rails, processes and alerts. Pure. */

import type { Endpoints } from '../../../contract/endpoints.ts';
import type { AnswerOf } from '../../../contract/parts/endpoint.ts';
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import { formatSection, formatTable, humanTime } from '../command-output.ts';
import { type Sample, sumBy, sumOf } from '../read-metrics.ts';

export interface Reading {
  readonly at: Instant;
  readonly queues: AnswerOf<Endpoints['queues.show']>;
  readonly rails: AnswerOf<Endpoints['rails.list']>['items'];
  readonly processes: AnswerOf<Endpoints['processes.list']>['items'];
  readonly samples: readonly Sample[];
  /** Metrics pages that could not be read, with the reason. */
  readonly unread: readonly string[];
}

/** The label of a row, its counter, and the counter's label by which it is split. */
const COUNTED = [
  ['requests', 'gateway_request_seconds_count', 'status'],
  ['payouts accepted', 'gateway_payouts_accepted_total', 'currency'],
  ['payouts rejected', 'gateway_payouts_rejected_total', 'reason'],
  ['payouts completed', 'gateway_payouts_final_total', 'state'],
  ['deposits opened', 'gateway_deposits_opened_total', 'currency'],
  ['deposits completed', 'gateway_deposits_final_total', 'state'],
  ['callback attempts', 'gateway_callback_attempt_seconds_count', 'outcome'],
  ['rail calls', 'gateway_rail_call_seconds_count', 'answer'],
] as const;

/** Without an earlier reading, the view shows totals instead of rates. */
export function drawPicture(reading: Reading, earlier: Reading | undefined): string {
  const { at, processes, unread } = reading;
  const heading = `gateway top  ${humanTime(at)} UTC  ${processes.length} processes`;
  return [
    heading,
    ...unread.map((reason) => `! ${reason}`),
    formatSection(earlier ? 'Per second' : 'Since startup', ratesTable(reading, earlier)),
    formatSection('Queues', queueTable(reading)),
    formatSection('Rails', railTable(reading, earlier)),
    formatSection('Processes', processTable(reading)),
    formatSection('Alerts since startup', alertTable(reading, earlier)),
  ].join('\n\n');
}

function ratesTable(reading: Reading, earlier: Reading | undefined): string {
  const rows = COUNTED.map(([what, name, label]) => {
    const parts = [...sumBy(reading.samples, name, label)].map(([part, now]) => {
      const before = sumBy(earlier?.samples ?? [], name, label).get(part) ?? 0;
      return { part, value: perSecond(now, before, reading, earlier) };
    });
    const busiest = parts.filter(({ value }) => value > 0).sort((a, b) => b.value - a.value);
    const total = parts.reduce((sum, { value }) => sum + value, 0);
    return [what, shown(total), busiest.map(({ part, value }) => `${part} ${shown(value)}`).join('  ')];
  });
  return formatTable(['WHAT', earlier ? 'RATE' : 'TOTAL', 'OF WHICH'], rows, '');
}

/** The counters of a restarted process begin at zero again. */
function perSecond(now: number, before: number, reading: Reading, earlier: Reading | undefined): number {
  if (!earlier) return now;
  return Math.max(0, now - before) / Math.max(1, (reading.at - earlier.at) / SECOND_MS);
}

function shown(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}

function queueTable({ queues, at }: Reading): string {
  const { payouts, callbacks, lateRails } = queues;
  const late = new Map(lateRails.map(({ rail, oldestDueAt }) => [rail, age(at, oldestDueAt)]));
  const rows = payouts.map(({ rail, stage, count, oldestSince }) => [
    'payouts',
    rail,
    stage,
    String(count),
    age(at, oldestSince),
    late.has(rail) ? `due for ${late.get(rail)}, no worker claims it` : '',
  ]);
  const due = callbacks.oldestDueAt === null ? '' : age(at, callbacks.oldestDueAt);
  const paused = callbacks.lanesPaused > 0 ? `${callbacks.lanesPaused} merchants paused` : '';
  return formatTable(
    ['QUEUE', 'RAIL', 'STAGE', 'COUNT', 'AGE', 'NOTE'],
    [...rows, ['callbacks', '', 'waiting', String(callbacks.waiting), due, paused]],
    '',
  );
}

/** The response that leaves the outcome of a payout unknown. */
const UNCERTAIN = /^unknown$/;

function railTable({ rails, samples, at }: Reading, earlier: Reading | undefined): string {
  const rows = rails.map(({ name, workers, pause, floats }) => {
    const breakers = [...new Set(workers.map(({ breaker }) => breaker))].join(' ') || 'no worker';
    const inFlight = workers.reduce((sum, worker) => sum + worker.inFlight, 0);
    const calls = callsOf(samples, name) - callsOf(earlier?.samples ?? [], name);
    const failed = callsOf(samples, name, UNCERTAIN) - callsOf(earlier?.samples ?? [], name, UNCERTAIN);
    const answered = calls <= 0 ? '–' : `${Math.round((100 * (calls - failed)) / calls)} %`;
    const notes = [
      ...(pause ? [`paused for ${age(at, pause.since)}: ${pause.reason}`] : []),
      ...floats.filter(({ isLow }) => isLow).map(({ currency, amount }) => `low: ${amount} ${currency}`),
    ];
    return [name, breakers, String(inFlight), answered, notes.join('; ')];
  });
  return formatTable(['RAIL', 'BREAKER', 'IN FLIGHT', 'ANSWERED', 'NOTE'], rows, 'No rails are configured.');
}

function callsOf(samples: readonly Sample[], rail: string, answers = /^/): number {
  return sumOf(
    samples.filter(({ labels }) => labels['rail'] === rail && answers.test(labels['answer'] ?? '')),
    'gateway_rail_call_seconds_count',
  );
}

function processTable({ processes, at }: Reading): string {
  const rows = processes.map(({ role, host, version, since, seenAt }) => [
    role,
    host,
    version,
    age(at, since),
    `${age(at, seenAt)} ago`,
  ]);
  return formatTable(['ROLE', 'SERVER', 'VERSION', 'UP', 'SEEN'], rows, 'No process runs.');
}

function alertTable({ samples }: Reading, earlier: Reading | undefined): string {
  const before = sumBy(earlier?.samples ?? [], 'gateway_alerts_total', 'alert');
  const raised = [...sumBy(samples, 'gateway_alerts_total', 'alert')].filter(([, count]) => count > 0);
  const rows = raised.map(([alert, count]) => [
    alert,
    String(count),
    earlier && count > (before.get(alert) ?? 0) ? 'now' : '',
  ]);
  return formatTable(['ALERT', 'COUNT', ''], rows, 'None.');
}

function age(now: Instant, since: string): string {
  const ms = Math.max(0, now - Date.parse(since));
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  const hours = Math.floor(ms / HOUR_MS);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}
