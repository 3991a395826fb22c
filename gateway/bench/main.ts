/**
 * `npm run bench`: what this machine carries, as ratios to floors measured in the same run. `--json` prints one document,
 * `--seconds N` sets how long each load lasts (default 8), `--only payouts` or `--only deposits` measures a part. It ends
 * with exit code 1 when the books do not hold after a scenario.
 */
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { prepareMerchants } from './bench-merchants.ts';
import { measureAbonoToCallback, measureCreate } from './deposit-scenarios.ts';
import { type Bench, CONNECTIONS, type Row } from './measure.ts';
import { measureAccept, measureCallbacks, measureDrain } from './payout-scenarios.ts';
import { openStage, type Stage } from './stage.ts';

interface Scenario {
  readonly name: string;
  readonly part: 'payouts' | 'deposits';
  /** `before`: what the scenarios before it have measured. */
  readonly run: (bench: Bench, before: readonly Row[]) => Promise<Row[]>;
}

const SCENARIOS: readonly Scenario[] = [
  { name: 'accept', part: 'payouts', run: measureAccept },
  {
    name: 'drain',
    part: 'payouts',
    run: (bench, before) =>
      measureDrain(bench, before.find(({ what }) => what.startsWith(`accept, ${CONNECTIONS}`))?.rate ?? 0),
  },
  { name: 'callbacks', part: 'payouts', run: measureCallbacks },
  { name: 'create deposit', part: 'deposits', run: measureCreate },
  { name: 'abono to callback', part: 'deposits', run: measureAbonoToCallback },
];

const { values } = parseArgs({
  options: {
    json: { type: 'boolean' },
    seconds: { type: 'string', default: '8' },
    only: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const chosen = SCENARIOS.filter(({ part }) => values.only === undefined || values.only === part);
if (!Number.isInteger(seconds) || seconds < 1 || seconds > 120)
  refuseArguments('--seconds accepts a whole number from 1 to 120');
if (chosen.length === 0) refuseArguments('--only accepts payouts or deposits');

const onProgress = (line: string) => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K… ${line}`);
};

const stage = await openStage();
try {
  await prepareMerchants(stage.gateway, stage.receiverUrl.href);
  const rows: Row[] = [];
  const broken: object[] = [];
  for (const { name, run } of chosen) {
    rows.push(...(await run({ stage, seconds, onProgress }, rows)));
    onProgress(`the invariants after ${name}`);
    broken.push(...(await brokenInvariants(stage)).map((report) => ({ after: name, ...report })));
  }
  onProgress('');
  const machine = { cores: availableParallelism(), model: cpus()[0]?.model ?? '', node: process.version, fsync: 'on' };
  const report = { machine, seconds, rows, booksHold: broken.length === 0, broken };
  process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : asTable(report));
  process.exitCode = broken.length === 0 ? 0 : 1;
} finally {
  await stage.close();
}

function refuseArguments(fault: string): never {
  console.error(fault);
  process.exit(2);
}

async function brokenInvariants({ gateway }: Stage) {
  return (await gateway.operations.verify()).filter(({ holds }) => !holds);
}

function asTable({ machine, rows, booksHold }: { machine: object; rows: readonly Row[]; booksHold: boolean }): string {
  const header = ['', 'per second', 'p50 ms', 'p99 ms', 'p99.9 ms', 'ratios', ''];
  const lines = rows.map(({ what, rate, ratios, latencyMs, notes }) => [
    what,
    rate.toFixed(0),
    latencyMs?.p50.toFixed(1) ?? '',
    latencyMs?.p99.toFixed(1) ?? '',
    latencyMs?.p999.toFixed(1) ?? '',
    Object.entries(ratios)
      .map(([floor, ratio]) => `${ratio.toFixed(2)} ${floor}`)
      .join(', '),
    notes,
  ]);
  const widths = header.map((_, column) => Math.max(...[header, ...lines].map((line) => line[column]?.length ?? 0)));
  const text = [header, ...lines].map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [
    `Machine: ${JSON.stringify(machine)}; database, load and gateway share it.`,
    ...text,
    booksHold
      ? '✓ every invariant holds after each scenario'
      : '✗ an invariant is broken: run with --json to see which',
    '',
  ].join('\n');
}
