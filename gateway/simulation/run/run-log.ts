/** The log of a long simulation: one line per completed seed. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { HOUR_MS } from '../../src/foundation/clock.ts';
import type { Regime } from './plan.ts';
import type { RunResult } from './run-result.ts';

interface RunLogLine extends RunResult {
  readonly scale: number;
  readonly regime: Regime;
}

export function addToRunLog(file: string, line: RunLogLine): void {
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/** Summarises a log for the docs. */
export function totalsOf(file: string): string {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RunLogLine);
  const sum = (of: (line: RunLogLine) => number) => lines.reduce((total, line) => total + of(line), 0);
  const failed = lines.filter(({ violations }) => violations.length > 0).map(({ seed }) => seed);
  const years = (sum(({ days }) => days) / 365).toFixed(2);
  const hours = (sum(({ wallMs }) => wallMs) / HOUR_MS).toFixed(2);
  return `log: ${lines.length} seeds, ${sum(({ payments }) => payments)} payments (${sum(({ formPayments }) => formPayments)} on the form, with ${sum(({ refunds }) => refunds)} refunds and ${sum(({ chargebacks }) => chargebacks)} chargebacks) in ${years} simulated years and ${hours} hours of a core; failing seeds: ${failed.join(' ') || 'none'}`;
}
