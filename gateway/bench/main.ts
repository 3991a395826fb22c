/**
 * `npm run bench`: what this machine carries, as ratios to floors measured in the same run. `--json` prints one document,
 * `--seconds N` sets how long each load lasts (default 8). It ends with exit code 1 when the books do not hold.
 */
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { measureAccept, measureCallbacks, measureDrain, type Row } from './scenarios.ts';
import { prepareMerchants } from './signed-payouts.ts';
import { openStage } from './stage.ts';

const { values } = parseArgs({ options: { json: { type: 'boolean' }, seconds: { type: 'string', default: '8' } } });
const seconds = Number(values.seconds);
if (!(seconds >= 1 && seconds <= 120)) {
  console.error('--seconds accepts a number from 1 to 120');
  process.exit(2);
}

const onProgress = (line: string) => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K… ${line}`);
};

const stage = await openStage();
try {
  await prepareMerchants(stage.gateway, stage.receiverUrl.href);
  const bench = { stage, seconds, onProgress };
  const accept = await measureAccept(bench);
  const acceptRate = accept.find(({ what }) => what.startsWith('accept, 64'))?.rate ?? 0;
  const rows = [...accept, await measureDrain(bench, acceptRate), ...(await measureCallbacks(bench))];
  onProgress('the invariants');
  const broken = (await stage.gateway.operations.verify()).filter(({ holds }) => !holds);
  onProgress('');
  const machine = { cores: availableParallelism(), model: cpus()[0]?.model ?? '', node: process.version, fsync: 'on' };
  const report = { machine, seconds, rows, booksHold: broken.length === 0, broken };
  process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : asTable(report));
  process.exitCode = broken.length === 0 ? 0 : 1;
} finally {
  await stage.close();
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
    booksHold ? '✓ every invariant holds after it' : '✗ an invariant is broken: run with --json to see which',
    '',
  ].join('\n');
}
