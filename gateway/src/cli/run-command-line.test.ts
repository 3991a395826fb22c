import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIST_FILTERS, type ListName } from '../../contract/endpoints/lists.ts';
import { runOver as run } from '../../test/support/gateway/run-over.ts';
import { InvariantViolation } from '../foundation/invariant.ts';
import { fail } from '../foundation/result.ts';
import { CommandFailure } from './command-output.ts';

test('a rejected command prints one sentence that names the option to standard error and exits with 1', async () => {
  const create = async () => fail({ kind: 'invalid', field: 'processUrl', reason: 'is not an http(s) URL' } as const);
  const { stdout, stderr, exitCode, closed } = await run('merchant create --id M1 --json', { merchants: { create } });
  assert.deepEqual([stdout, stderr, exitCode, closed], ['', '--process-url is not an http(s) URL\n', 1, 1]);
});

const misunderstood: readonly [string, RegExp][] = [
  ['merchant create --nmae x', /^unknown option '--nmae' .*\(see: gateway merchant create --help\)\n$/],
  ['merchnt list', /^unknown command 'merchnt'/],
  ['merchant show', /^missing required argument 'merchant'/],
  ['merchant show a b', /^too many arguments/],
  ['credit M1 EUR 1 --reason x', /^required option '--reference <unique>'/],
  ['credit M1 EURO 1 --reference r --reason x', /'EURO' is invalid.* It must be one of AZN/],
  [
    'credit M1 EUR 1,00 --reference r --reason x',
    /^AMOUNT must be above zero, with the decimals of EUR, not "1,00"\.\n$/,
  ],
  ['debit M1 EUR 0 --reference r --reason x', /^AMOUNT must be above zero/],
  ['serve --role boss', /It must be one of all, api, worker/],
  ['serve --processes many', /It must be a whole number from 1 to 256, or all: one for each core/],
  ['payout list --limit many', /It must be a whole number from 1 to 100000/],
  ['payout overdue --limit 101', /It must be a whole number from 1 to 100/],
  ['payout list --state done', /It must be one of pending, success, blocked/],
  ['merchant edit M1 --set payout_rate_limit', /It must have the form name=value/],
  ['callback list --since yesterday', /It must be a date such as 2026-11-20/],
  ['callback resend M1', /^Pass either a callback id or --undelivered/],
  ['callback resend M1 c1 --undelivered', /^Pass either a callback id or --undelivered/],
  ['pause planet mars', /It must be one of merchant, method, purpose, rail/],
  ['pause rail bank', /^Pass --reason/],
  ['route set nine bank', /It must be a whole number from 1 to 999/],
  ['route set 9 bank --weight 0', /It must be a whole number from 1 to 1000000/],
  ['rail hours bank sometimes', /^<hours> must be always, or days, times and a time zone/],
  ['key rotate M1 --overlap-hours 200', /It must be a whole number from 0 to 168/],
];

for (const [commandLine, sentence] of misunderstood) {
  test(`"${commandLine}" is rejected in one line with exit code 2, and no gateway is opened`, async () => {
    const { stdout, stderr, exitCode, opened } = await run(commandLine);
    assert.match(stderr, sentence);
    assert.equal(stderr.trimEnd().split('\n').length, 1);
    assert.deepEqual([stdout, exitCode, opened], ['', 2, 0]);
  });
}

/** The options whose names differ from their filters. */
const FLAGS: Readonly<Record<string, string>> = {
  from: 'since',
  to: 'until',
  paymentType: 'type',
  payTo: 'clabe',
  orderId: 'order',
  subjectId: 'about',
  transactionId: 'transaction',
  payoutId: 'payout',
  payerId: 'payer',
  transferKey: 'transfer',
  callbackId: 'callback',
  requestId: 'request',
};
const LIST_COMMANDS: Readonly<Record<ListName, string>> = {
  payouts: 'payout list',
  refunds: 'deposit refunds',
  deposits: 'deposit list',
  payments: 'deposit payments',
  transfers: 'deposit transfers',
  callbacks: 'callback list',
  requests: 'request list',
  ledger: 'ledger list',
};

test('each list command has an option for each filter of its list', async () => {
  for (const [list, command] of Object.entries(LIST_COMMANDS)) {
    const { stdout } = await run(`${command} --help`);
    const flags = Object.keys(LIST_FILTERS[list as ListName]).map(
      (filter) => `--${FLAGS[filter] ?? filter.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} `,
    );
    const missing = flags.filter((flag) => !stdout.includes(`  ${flag}`));
    assert.deepEqual(missing, [], command);
  }
});

test('--help prints the options of a command and exits with 0', async () => {
  const { stdout, exitCode } = await run('merchant create --help');
  assert.match(stdout, /--process-url <url>/);
  assert.equal(exitCode, 0);
});

test('a command prints a known failure as one sentence without a stack trace', async () => {
  const list = async () => {
    throw new InvariantViolation('a payout without a merchant');
  };
  const bug = await run('merchant list', { merchants: { list } });
  assert.deepEqual(
    [bug.stderr, bug.exitCode, bug.closed],
    ['Internal error. Report it with the log: a payout without a merchant\n', 1, 1],
  );
  const remedied = await run('merchant list', { merchants: { list } }, { explain: () => 'Start the database' });
  assert.deepEqual([remedied.stderr, remedied.exitCode], ['Start the database\n', 1]);
  const open = async () => {
    throw new CommandFailure('PORT accepts a port', 2);
  };
  assert.equal((await run('merchant list', {}, { open })).exitCode, 2);
});
