/** Parses the arguments of `npm run bench --`. */
import { parseArgs } from 'node:util';
import { fail, ok, type Result } from '../src/foundation/result.ts';
import type { BenchOptions } from './measure/bench.ts';

interface CommandLine extends BenchOptions {
  /** The names of scenarios or groups. If empty, the benchmark runs the default scenarios. */
  readonly only: readonly string[];
  readonly full: boolean;
  readonly json: boolean;
  /** The folder for results, plots and the page. If null, the benchmark writes no files. */
  readonly plots: string | null;
  /** If true, the benchmark skips scenarios that it has already measured at this commit. */
  readonly resume: boolean;
  /** The folder in which the database is kept. If null, the benchmark deletes the database. */
  readonly keep: string | null;
}

const USUAL = { seconds: 6, minutes: 5, rows: [1_000, 1_000_000, 10_000_000] };

export function readCommandLine(args: readonly string[]): Result<CommandLine, string> {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    return fail((error as Error).message);
  }
  const {
    seconds = '',
    minutes = '',
    rate = '',
    rows = '',
    only = '',
    full = false,
    json = false,
    resume = false,
    plots,
    keep,
  } = parsed.values;
  const numbers = {
    seconds: seconds === '' ? USUAL.seconds : Number(seconds),
    minutes: minutes === '' ? USUAL.minutes : Number(minutes),
    rate: rate === '' ? null : Number(rate),
    rows: rows === '' ? USUAL.rows : rows.split(',').map(Number),
  };
  if (!isBetween(numbers.seconds, 1, 120)) return fail('--seconds accepts a whole number from 1 to 120');
  if (!(numbers.minutes > 0 && numbers.minutes <= 24 * 60))
    return fail('--minutes accepts a number from above 0 to 1440');
  if (numbers.rate !== null && !isBetween(numbers.rate, 1, 10 ** 6))
    return fail('--rate accepts a whole number of payouts per second');
  if (!numbers.rows.every((count, at) => isBetween(count, 1, 10 ** 9) && count > (numbers.rows[at - 1] ?? 0)))
    return fail('--rows accepts rising whole numbers, such as 1000,1000000');
  if (resume && plots === undefined) return fail('--resume needs --plots, the folder of the earlier results');
  const names = only.split(',').filter(Boolean);
  return ok({ ...numbers, only: names, full, json, resume, plots: plots ?? null, keep: keep ?? null });
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string' },
      minutes: { type: 'string' },
      rate: { type: 'string' },
      rows: { type: 'string' },
      only: { type: 'string' },
      full: { type: 'boolean' },
      json: { type: 'boolean' },
      resume: { type: 'boolean' },
      plots: { type: 'string' },
      keep: { type: 'string' },
    },
  });
}

function isBetween(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
