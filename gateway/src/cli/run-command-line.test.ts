import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIST_FILTERS, type ListName } from '../../contract/lists.ts';
import { merchantNamed } from '../../test/support/merchant-named.ts';
import { type Deep, runOver as run } from '../../test/support/run-over.ts';
import type { GatewayOperations } from '../domain/management/gateway-operations.ts';
import { merchantVersion } from '../domain/merchants/edit-merchant.ts';
import type { Payout } from '../domain/payouts/payout.ts';
import type { RouteRejection } from '../domain/routing/edit-routes.ts';
import type { Route } from '../domain/routing/route.ts';
import { InvariantViolation } from '../foundation/invariant.ts';
import { fail, ok } from '../foundation/result.ts';
import { Secret } from '../foundation/secret.ts';
import { CommandFailure } from './command-output.ts';

const AT = Date.UTC(2026, 10, 20, 10, 0, 0);

function merchant() {
  return merchantNamed('M1', { name: 'Shop', settings: { payout_rate_limit: '5' }, createdAt: AT });
}

function payout(over: Partial<Payout> = {}): Payout {
  return {
    merchantId: 'M1',
    payoutId: 'A17',
    transactionId: 1024,
    purpose: 'payout',
    method: 9,
    money: { currency: 'EUR', minor: 1_050n },
    amountText: '10.5',
    fee: 25n,
    rail: 'bank',
    beneficiary: { accountShown: '530011******3333', fields: {}, vaultToken: 't' },
    contentHash: Buffer.alloc(32),
    state: 'pending',
    blockedReason: null,
    acceptedAt: AT,
    finishedAt: null,
    ...over,
  };
}

test('merchant create --json prints the merchant and both keys, and nothing else', async () => {
  let asked: unknown;
  const { stdout, exitCode, closed } = await run(
    'merchant create --id M1 --name Shop --key SecRetKey0123 --form-key FormKey456789 --process-url https://a.example/ --set payout_rate_limit=5 --set ip_allow_list=a=b --json',
    {
      merchants: {
        create: async (application) => {
          asked = { ...application, key: application.key?.reveal(), formKey: application.formKey?.reveal() };
          return ok({ merchant: merchant(), key: new Secret('SecRetKey0123'), formKey: new Secret('FormKey456789') });
        },
      },
    },
  );
  const { merchant: created, ...keys } = JSON.parse(stdout);
  assert.deepEqual([created.merchantId, keys], ['M1', { key: 'SecRetKey0123', formKey: 'FormKey456789' }]);
  assert.deepEqual(asked, {
    merchantId: 'M1',
    profile: { name: 'Shop', processUrl: 'https://a.example/' },
    settings: { payout_rate_limit: '5', ip_allow_list: 'a=b' },
    key: 'SecRetKey0123',
    formKey: 'FormKey456789',
  });
  assert.deepEqual([exitCode, closed], [0, 1]);
});

test('a rejected command prints one sentence that names the option to standard error and exits with 1', async () => {
  const create = async () =>
    fail({ kind: 'invalid', field: 'processUrl', reason: 'is not an http(s) address' } as const);
  const { stdout, stderr, exitCode, closed } = await run('merchant create --id M1 --json', { merchants: { create } });
  assert.deepEqual([stdout, stderr, exitCode, closed], ['', '--process-url is not an http(s) address\n', 1, 1]);
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
  ['callback resend M1', /^Name either a callback id or --undelivered/],
  ['callback resend M1 c1 --undelivered', /^Name either a callback id or --undelivered/],
  ['pause planet mars', /It must be one of merchant, method, purpose, rail/],
  ['pause rail bank', /^--reason is missing/],
  ['route set nine bank', /It must be a whole number from 1 to 999/],
  ['route set 9 bank --weight 0', /It must be a whole number from 1 to 1000000/],
  ['rail hours bank sometimes', /^<hours> must be always, or days, times and a time zone/],
  ['key rotate M1 --overlap-hours 200', /It must be a whole number from 0 to 168/],
];

test('callback resend fails for an unknown merchant instead of finding no callbacks', async () => {
  const nobody = async () => fail('merchant_not_found' as const);
  const resend = { one: nobody, undelivered: nobody };
  for (const words of ['callback resend NOBODY --undelivered', 'callback resend NOBODY c1']) {
    const { stderr, exitCode } = await run(words, { callbacks: { resend } });
    assert.deepEqual([stderr, exitCode], ['There is no such merchant\n', 1]);
  }
});

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
  ...{ from: 'since', to: 'until', paymentType: 'type', payTo: 'clabe', orderId: 'order', subjectId: 'about' },
  ...{ transactionId: 'transaction', payoutId: 'payout', payerId: 'payer', transferKey: 'transfer' },
  ...{ callbackId: 'callback', requestId: 'request' },
};
const LIST_COMMANDS: Readonly<Record<ListName, string>> = {
  ...{ payouts: 'payout list', refunds: 'deposit refunds', deposits: 'deposit list', payments: 'deposit payments' },
  ...{ transfers: 'deposit transfers', callbacks: 'callback list', requests: 'request list', ledger: 'ledger list' },
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

test('a command prints the sentence of a known failure, marks a bug as a bug, and prints no stack trace for either', async () => {
  const list = async () => {
    throw new InvariantViolation('a payout without a merchant');
  };
  const bug = await run('merchant list', { merchants: { list } });
  assert.deepEqual(
    [bug.stderr, bug.exitCode, bug.closed],
    ['This should not have happened. Report it with the log: a payout without a merchant\n', 1, 1],
  );
  const remedied = await run('merchant list', { merchants: { list } }, { explain: () => 'Start the database' });
  assert.deepEqual([remedied.stderr, remedied.exitCode], ['Start the database\n', 1]);
  const open = async () => {
    throw new CommandFailure('PORT accepts a port', 2);
  };
  assert.equal((await run('merchant list', {}, { open })).exitCode, 2);
});

test('merchant edit changes only the named fields, clears an empty address and resets an --unset setting', async () => {
  let asked: unknown;
  const edit = async (...call: unknown[]) => {
    asked = call;
    return ok(merchant());
  };
  await run("merchant edit M1 --fail-url '' --set check_inn=on --unset callback_ack --unset sandbox_mode", {
    merchants: { edit, find: async () => ({ merchant: merchant(), keys: [], balances: new Map(), conformance: null }) },
  });
  const settings = { check_inn: 'on', callback_ack: null, sandbox_mode: null };
  assert.deepEqual(asked, ['M1', { profile: { failUrl: null }, settings, ifVersion: merchantVersion(merchant()) }]);
});

test('gateway credit posts minor units, and reports that a repeated reference moved nothing', async () => {
  const asked: unknown[] = [];
  const moveFunds =
    (posted: boolean) =>
    async (...call: unknown[]) => {
      asked.push(...call);
      return ok({ posted, balances: { available: 10_000n } });
    };
  const first = await run("credit M1 EUR 100 --reference r1 --reason 'first money' --json", {
    moveFunds: moveFunds(true),
  });
  assert.deepEqual(asked, ['credit', 'M1', { currency: 'EUR', minor: 10_000n }, 'r1', 'first money']);
  assert.equal(JSON.parse(first.stdout).balance.available, '100.00');
  const again = await run('credit M1 EUR 100 --reference r1 --reason x', { moveFunds: moveFunds(false) });
  assert.equal(again.stdout, '✓ r1 was already posted; nothing moved; available 100.00 EUR.\n');
});

test('payout list prints an aligned table with UTC times and masked cards', async () => {
  const items = [payout(), payout({ payoutId: 'long-payout-id', state: 'success', finishedAt: AT })];
  const payouts = async () => ({ items, next: null });
  const { stdout } = await run('payout list', { lists: { payouts } });
  const [header = '', first = '', second = ''] = stdout.split('\n');
  assert.match(
    first,
    /^2026-11-20 10:00:00 {2}M1 {8}A17 {13}9 {7}10\.50 EUR {2}pending {2}Queued {5}bank {2}530011\*{6}3333$/,
  );
  assert.equal(header.indexOf('STATE'), first.indexOf('pending'));
  assert.equal(header.indexOf('STATE'), second.indexOf('success'));
});

test('payout list --csv prints cells that no spreadsheet evaluates as formulas', async () => {
  const payouts = async () => ({ items: [payout({ payoutId: '=1+1' })], next: null });
  const { stdout } = await run('payout list --csv', { lists: { payouts } });
  const [header = '', row = ''] = stdout.split('\r\n');
  assert.match(header, /^merchantId,payoutId,transactionId,/);
  assert.match(row, /^M1,'=1\+1,/);
});

test('payout show explains a pending payout, with its attempts, history and callbacks', async () => {
  const find = async () => ({
    payout: payout(),
    job: null,
    attempts: [
      { attempt: 1, rail: 'bank', reference: 'r-1', startedAt: AT, finishedAt: null, outcome: null, detail: '' },
    ],
    history: [
      { at: AT, event: 'accepted', fromState: null, toState: 'pending' as const, actor: 'merchant', detail: '' },
    ],
    adjustments: [],
    money: [],
    callbacks: [],
    pending: {
      reason: 'unknown' as const,
      waitsFor: 'proof of what the bank did',
      since: AT,
      next: 'the bank is asked',
      nextAt: AT + 60_000,
      merchantCan: 'wait',
      note: 'timed out',
    },
  });
  const obstacles = async () => ({ approve: 'not_waiting' as const, cancel: null, ask: null });
  const human = await run('payout show M1 A17', { payouts: { find, obstacles } });
  for (const text of [
    'Why it is pending',
    'proof of what the bank did',
    'the bank is asked, at 2026-11-20 10:01:00',
    'no answer yet',
    'accepted',
    'The payout does not wait for an approval.',
    'possible now',
  ]) {
    assert.ok(human.stdout.includes(text), text);
  }
  const json = JSON.parse((await run('--json payout show M1 A17', { payouts: { find, obstacles } })).stdout);
  assert.equal(json.pending.nextAt, '2026-11-20T10:01:00.000Z');
  assert.equal(json.attempts[0].startedAt, '2026-11-20T10:00:00.000Z');
  assert.deepEqual(json.acts[1], { act: 'payouts.cancel', reason: null, obstacle: null });
});

test('a merchant server’s reply can neither break a table nor move the cursor', async () => {
  const callback = {
    merchantId: 'M1',
    callbackId: 'payout_1',
    subject: 'payout' as const,
    subjectId: 'A17',
    payload: { status: 'Completed' },
    state: 'due' as const,
    createdAt: AT,
    attempts: 1,
    scheduleStart: 0,
    firstAttemptAt: AT,
    dueAt: AT,
    finishedAt: null,
  };
  const reply = 'no\n\u001b[2Jthanks\u202e';
  const attempts = [
    { attempt: 1, startedAt: AT, latencyMs: 12, httpStatus: 200, outcome: 'refused_body' as const, reply },
  ];
  const find = async () => ({ callback, attempts, lane: null, explanation: undefined });
  const { stdout } = await run('callback show M1 payout_1', { callbacks: { find } });
  assert.match(stdout, /refused_body {2}no \[2Jthanks$/m);
});

test('verify ticks each invariant, shows the rows that break one, and exits with 1', async () => {
  const verify = async () => [
    { name: 'whole', meaning: 'holds', holds: true, offending: [] },
    { name: 'broken', meaning: 'does not', holds: false, offending: [{ merchant_id: 'M1', sum: -5n }] },
  ];
  const human = await run('verify', { verify });
  assert.deepEqual(
    [human.stdout, human.exitCode],
    ['✓ whole: holds\n✗ broken: does not\n  merchant_id  sum\n  M1           -5\n', 1],
  );
  const json = await run('verify --json', { verify });
  assert.deepEqual(
    [JSON.parse(json.stdout).ok, JSON.parse(json.stdout).invariants[1].offending, json.exitCode],
    [false, [{ merchant_id: 'M1', sum: '-5' }], 1],
  );
});

test('the doctor exits with 1 and prints the remedy of each fault', async () => {
  const diagnose = async () => [
    { name: 'Node', ok: true, found: 'v24', remedy: '' },
    { name: 'Port 8080', ok: false, found: 'is in use', remedy: 'Set PORT' },
  ];
  const { stdout, exitCode } = await run('doctor', {}, { diagnose });
  assert.deepEqual([stdout, exitCode], ['✓ Node: v24\n✗ Port 8080: is in use\n    → Set PORT\n', 1]);
});

test('gateway pause rejects an unknown merchant, method, purpose or rail', async () => {
  const paused: string[] = [];
  const operations: Deep<GatewayOperations> = {
    currencyOf: (method: number) => (method === 9 ? 'EUR' : undefined),
    rails: { list: async () => [{ name: 'bank', methods: [9, 1], purposes: [], simulated: true, notifies: true }] },
    merchants: { find: async () => undefined },
    pauses: { pause: async (scope, target, reason) => paused.push(`${scope} ${target} ${reason}`) > 0 },
  } as Deep<GatewayOperations>;
  assert.match((await run('pause merchant M9 --reason x', operations)).stderr, /^There is no merchant "M9"/);
  assert.match((await run('pause method 70 --reason x', operations)).stderr, /^There is no method "70"/);
  assert.match((await run('pause purpose fun --reason x', operations)).stderr, /^There is no purpose "fun"/);
  assert.match((await run('pause rail moon --reason x', operations)).stderr, /^There is no rail "moon"/);
  assert.equal((await run("pause method 9 --reason 'fraud wave'", operations)).exitCode, 0);
  assert.deepEqual(paused, ['method 9 fraud wave']);
});

test('vault rotate lists the values that it could not open, and exits with 1', async () => {
  const rotateMasterKey: GatewayOperations['rotateMasterKey'] = async (onProgress) => {
    onProgress({ table: 'vault_records', done: 1, total: 2 });
    return { masterKeyId: 'abc', rewrapped: 1, unopened: ['record/M1/t'] };
  };
  const { stdout, stderr, exitCode } = await run('vault rotate --json', {
    ...{ rotateMasterKey, processesWithoutMasterKey: async () => [] },
  });
  assert.deepEqual(JSON.parse(stdout), { masterKeyId: 'abc', rewrapped: 1, unopened: ['record/M1/t'] });
  assert.deepEqual([stderr, exitCode], ['', 1]);
});

test('route set stores amounts in the method’s currency, route list prints them, and route remove reports an unknown route', async () => {
  const laid: Route[] = [];
  const operations: Deep<GatewayOperations> = {
    currencyOf: (method) => (method === 9 ? 'EUR' : undefined),
    routes: {
      read: async () => ({ routes: laid, hours: [] }),
      set: async (route) => ok(laid[laid.push(route) - 1] ?? route),
      remove: async () => fail({ kind: 'no_such_route' }),
    },
  };
  const set = 'route set 9 bank --rank 2 --weight 80 --min 1 --max 500.5 --cost-fixed 0.25 --cost-percent 1.25';
  assert.equal((await run(set, operations)).stdout, '✓ Payouts of method 9 may take bank, rank 2.\n');
  const limits = { minAmount: 100n, maxAmount: 50_050n, costFixed: 25n, costPercent: 12_500n };
  assert.deepEqual(laid, [{ method: 9, rail: 'bank', merchantId: null, rank: 2, weight: 80, ...limits }]);
  assert.match(
    (await run('route list', operations)).stdout,
    /9 EUR +every one +2 +bank +80 +1\.00 to 500\.50 +0\.25 \+ 1\.25 %/,
  );
  assert.deepEqual(JSON.parse((await run('route list --json', operations)).stdout), [
    {
      ...{ method: 9, currency: 'EUR', merchantId: null, rail: 'bank', rank: 2, weight: 80 },
      ...{ min: '1.00', max: '500.50', costFixed: '0.25', costPercent: '1.25' },
    },
  ]);
  assert.match((await run('route set 77 bank', operations)).stderr, /^There is no method 77/);
  assert.match((await run('route set 9 bank --min x', operations)).stderr, /^--min must match/);
  assert.match((await run('route remove 9 bank', operations)).stderr, /^There is no such route/);
});

test('route set prints one sentence for each kind of rejection', async () => {
  const refusals: readonly (readonly [RouteRejection, RegExp])[] = [
    [{ kind: 'no_such_rail', rails: ['bank'] }, /^There is no rail "moon"\. Rails: bank\./],
    [{ kind: 'method_not_carried', methods: [8] }, /^moon does not carry that method\. It carries 8\./],
    [{ kind: 'merchant_not_found' }, /^There is no such merchant/],
    [{ kind: 'limits_crossed' }, /^--min is above max/],
  ];
  for (const [refusal, sentence] of refusals) {
    const operations: Deep<GatewayOperations> = {
      currencyOf: () => 'EUR',
      routes: { read: async () => ({ routes: [], hours: [] }), set: async () => fail(refusal) },
    };
    assert.match((await run('route set 9 moon', operations)).stderr, sentence);
  }
});

test('rail hours opens a rail always or at the given hours', async () => {
  const asked: unknown[] = [];
  const operations: Deep<GatewayOperations> = {
    routes: {
      read: async () => ({ routes: [], hours: [] }),
      setHours: async (rail, hours) => ok(asked.push([rail, hours?.text]) > 0 ? 'set' : 'set'),
    },
  };
  const hours = 'Mon-Fri 08:30-17:00 America/Toronto';
  assert.equal((await run(`rail hours bank '${hours}'`, operations)).stdout, `✓ bank is open ${hours}.\n`);
  assert.equal((await run('rail hours bank always', operations)).stdout, '✓ bank is open always.\n');
  assert.deepEqual(asked, [
    ['bank', hours],
    ['bank', undefined],
  ]);
});
