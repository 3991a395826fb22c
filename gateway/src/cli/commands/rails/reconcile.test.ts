import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { type Deep, runOver as run } from '../../../../test/support/gateway/run-over.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import type { AnsweredPayout } from '../../../domain/reconciliation/ask-named-payouts.ts';
import type { ReconciledDay } from '../../../domain/reconciliation/reconcile-payouts.ts';
import type { ListDifference } from '../../../domain/reconciliation/reconciliation-store.ts';
import { fail, ok } from '../../../foundation/result.ts';

const AT = Date.UTC(2026, 10, 21, 10);

const difference: ListDifference = {
  kind: 'amount',
  subject: '1025-x',
  merchantId: 'M1',
  payoutId: 'A,17',
  transactionId: null,
  ours: 'executed, 10.00 EUR',
  theirs: '=1+1',
};

function listing(differences: readonly ListDifference[], by: ReconciledDay['by'] = 'list'): Deep<GatewayOperations> {
  const reconciliation = { rail: 'bank', day: '2026-11-20', runAt: AT, listed: 3, matched: 1, settled: 1 };
  return {
    reconciliation: {
      rails: ['bank'],
      run: async (rail) =>
        rail === 'bank' ? { reconciliation, differences, by, waiting: by === 'list' ? 0 : 7 } : undefined,
    },
  };
}

test('reconcile exits with 0 for a day without differences', async () => {
  const { stdout, exitCode } = await run('reconcile bank 2026-11-20', listing([]));
  assert.equal(stdout, '✓ bank, 2026-11-20: 3 listed, 1 match the ledger, 1 pending payouts settled, 0 differ.\n');
  assert.equal(exitCode, 0);
});

test('reconcile exits with 1 for a day with differences', async () => {
  const table = await run('reconcile bank 2026-11-20', listing([difference]));
  assert.match(table.stdout, /^✗ bank, 2026-11-20: .* 1 differ\.\nKIND +SUBJECT +MERCHANT/);
  assert.equal(table.exitCode, 1);
  const json = JSON.parse((await run('reconcile bank 2026-11-20 --json', listing([difference]))).stdout);
  assert.deepEqual(json.differences, [
    {
      kind: 'amount',
      subject: '1025-x',
      merchantId: 'M1',
      payoutId: 'A,17',
      ours: 'executed, 10.00 EUR',
      theirs: '=1+1',
    },
  ]);
  assert.equal(json.runAt, '2026-11-21T10:00:00.000Z');
  const csv = await run('reconcile bank 2026-11-20 --csv', listing([difference]));
  assert.equal(
    csv.stdout,
    'kind,subject,merchant,payout_id,ours,theirs\r\namount,1025-x,M1,"A,17","executed, 10.00 EUR",\'=1+1\n',
  );
});

for (const [name, start] of Object.entries({
  equals: '=',
  plus: '+',
  minus: '-',
  at: '@',
  tab: '\t',
  'carriage return': '\r',
  'line feed': '\n',
  'full-width equals': '＝',
  'full-width plus': '＋',
  'full-width minus': '－',
  'full-width at': '＠',
  'blank, equals': ' =',
})) {
  test(`reconcile --csv prefixes a cell that begins with a formula character: ${name}`, async () => {
    const subject = `${start}SUM(1)`;
    const { stdout } = await run(
      'reconcile bank 2026-11-20 --csv',
      listing([{ ...difference, subject, theirs: subject }]),
    );
    const cell = /[\r\n]/.test(start) ? `"'${subject}"` : `'${subject}`;
    assert.ok(stdout.includes(`\r\namount,${cell},M1,`), stdout);
    assert.ok(stdout.endsWith(`,${cell}\n`), stdout);
  });
}

test('reconcile by status queries prints the kinds of differences that queries cannot detect', async () => {
  const { stdout } = await run('reconcile bank 2026-11-20', listing([], 'asking'));
  assert.doesNotMatch(stdout, /✓/);
  assert.match(
    stdout,
    /^~ bank, 2026-11-20: 3 asked about, .*, 0 differ\.\nNot compared: 7 payouts that are pending here\./,
  );
  assert.match(stdout, /\nNot compared: payouts that only the provider has.*\n.*--payouts FILE\n$/);
  const json = JSON.parse((await run('reconcile bank 2026-11-20 --json', listing([], 'asking'))).stdout);
  assert.deepEqual([json.by, json.notSeen, json.waiting], ['asking', ['missing_here', 'duplicate'], 7]);
  const ofList = JSON.parse((await run('reconcile bank 2026-11-20 --json', listing([]))).stdout);
  assert.deepEqual([ofList.by, ofList.notSeen], ['list', []]);
});

test('reconcile rejects a rail without status queries, and a day that does not exist', async () => {
  assert.match((await run('reconcile moon 2026-11-20', listing([]))).stderr, /^"moon" has no records to compare/);
  for (const day of ['2026-02-30', '0000-01-01', '9999-12-31'])
    assert.match((await run(`reconcile bank ${day}`, listing([]))).stderr, /It must be a date such as 2026-11-20/);
});

test('difference list prints the differences, and difference resolve records the user and the note', async () => {
  const asked: unknown[] = [];
  const kept = { ...difference, rail: 'bank', day: '2026-11-20', foundAt: AT, resolved: null };
  const operations: Deep<GatewayOperations> = {
    differences: {
      list: async (filter) => {
        asked.push(filter);
        return [kept];
      },
      resolve: async (key, by, note) => {
        asked.push({ ...key, by, note });
        if (note === 'empty') return fail({ kind: 'words_rejected', word: 'note', reason: 'is empty' });
        return key.kind === 'amount' ? ok('resolved') : fail('no_open_difference');
      },
    },
  };
  assert.match(
    (await run('difference list --rail bank', operations)).stdout,
    /bank +2026-11-20 +amount +1025-x .* open/,
  );
  const resolve = (kind: string, note = 'a typo') =>
    run(`difference resolve bank 2026-11-20 ${kind} 1025-x --as Ann --note '${note}'`, operations);
  assert.equal((await resolve('amount')).stdout, '✓ Resolved the difference.\n');
  assert.match((await resolve('state')).stderr, /^No open difference matches/);
  assert.equal((await resolve('amount', 'empty')).stderr, '--note is empty\n');
  assert.match((await resolve('mood')).stderr, /It must be one of missing_here/);
  const key = { rail: 'bank', day: '2026-11-20', kind: 'amount', subject: '1025-x' };
  assert.deepEqual(asked.slice(0, 2), [
    { rail: 'bank', day: null, kind: null, openOnly: true },
    { ...key, by: 'Ann (root@server)', note: 'a typo' },
  ]);
});

test('payout resolve records the outcome that a bank confirmed outside its API', async () => {
  const asked: unknown[] = [];
  const operations: Deep<GatewayOperations> = {
    payouts: {
      resolve: async (key, resolution) => {
        asked.push({ ...key, ...resolution });
        if (key.payoutId === 'unsent') return fail('never_sent');
        if (key.payoutId === 'unsaid') return fail({ kind: 'words_rejected', word: 'evidence', reason: 'is empty' });
        return ok({ state: 'success', adjustment: resolution.outcome === 'reversed' ? 'reversed' : null });
      },
    },
  };
  const resolve = (rest: string) => run(`payout resolve M1 ${rest} --as Ann --evidence 'a letter'`, operations);
  assert.equal((await resolve('A17 --outcome executed')).stdout, '✓ Resolved payout A17: success.\n');
  assert.equal(
    (await resolve('A17 --outcome reversed')).stdout,
    '✓ Recorded adjustment of A17: reversed. The final state is unchanged.\n',
  );
  assert.match(
    (await resolve('unsent --outcome declined --code 52')).stderr,
    /^The gateway never sent the payout to that bank/,
  );
  assert.equal((await resolve('unsaid --outcome declined')).stderr, '--evidence is empty\n');
  assert.match((await resolve('A17 --outcome executed --code 52')).stderr, /^--code requires --outcome declined/);
  assert.match((await resolve('A17 --outcome perhaps')).stderr, /It must be one of executed, declined, reversed/);
  assert.deepEqual(asked[0], {
    merchantId: 'M1',
    payoutId: 'A17',
    outcome: 'executed',
    rail: null,
    blockedReason: null,
    evidence: 'a letter',
    by: 'Ann (root@server)',
  });
});

test('rail list prints each rail’s health and its remaining float', async () => {
  const marks: unknown[] = [];
  const purposes = ['payout', 'refund'] as const;
  const rail = (name: string) => ({ name, methods: [9], purposes, simulated: false, notifies: true });
  const operations: Deep<GatewayOperations> = {
    routes: { read: async () => ({ routes: [], hours: [] }) },
    pauses: { list: async () => [{ scope: 'rail', target: 'c', since: 0, reason: 'audit' }] },
    rails: {
      list: async () => [rail('a'), rail('b'), rail('c')],
      health: async () => [
        { rail: 'a', breaker: 'closed', inFlight: 2 },
        { rail: 'a', breaker: 'open', inFlight: 1 },
      ],
      floats: async () => [{ rail: 'a', currency: 'EUR', amount: 99n, readAt: AT, threshold: 100n }],
      setFloatThreshold: async (...mark) => {
        marks.push(mark);
      },
    },
  };
  const { stdout } = await run('rail list', operations);
  assert.match(stdout, /^a .* down, 3 in flight +0\.99 EUR \(low\)/m);
  assert.match(stdout, /^a +9 refund /m);
  assert.match(stdout, /^b .* no worker running/m);
  assert.match(stdout, /^c .* paused: audit/m);
  assert.equal(
    (await run('rail set-float-threshold a EUR 500', operations)).stdout,
    '✓ The gateway raises the alert float_low when a has less than 500 EUR.\n',
  );
  assert.equal((await run('rail set-float-threshold a EUR none', operations)).exitCode, 0);
  assert.match((await run('rail set-float-threshold moon EUR 5', operations)).stderr, /^No rail is called "moon"/);
  assert.deepEqual(marks, [
    ['a', 'EUR', 50_000n],
    ['a', 'EUR', null],
  ]);
});

describe('reconcile --payouts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'payout-list-'));
  const file = join(folder, 'payouts.csv');
  after(() => rmSync(folder, { recursive: true }));
  const answering = (comparison: AnsweredPayout['comparison']): Deep<GatewayOperations> => ({
    reconciliation: {
      ask: async (rail, named) =>
        rail === 'bank'
          ? named.map((each) => ({
              ...each,
              reference: 'P1',
              ours: 'unknown here',
              theirs: 'executed',
              comparison,
              isKept: comparison === 'differs',
            }))
          : undefined,
    },
  });

  test('reconcile --payouts queries each payout and exits with 1 when a payout differs or gets no response', async () => {
    writeFileSync(file, '\uFEFFmerchant,payout_id,amount,currency\r\nM1,A17,10.00,EUR\r\n\r\nM1; "A18"; 5; EUR\n');
    for (const [comparison, sign, code] of [
      ['same', '✓', 0],
      ['differs', '✗', 1],
      ['not_compared', '✗', 1],
    ] as const) {
      const { stdout, exitCode } = await run(`reconcile bank --payouts ${file}`, answering(comparison));
      assert.match(stdout, new RegExp(`^${sign} bank: queried 2 payouts; `));
      assert.match(stdout, /\nM1 +A17 +P1 +unknown here +executed /);
      assert.equal(exitCode, code);
      assert.equal(/Only the provider has 2 of them/.test(stdout), comparison === 'differs');
    }
    const json = JSON.parse((await run(`reconcile bank --payouts ${file} --json`, answering('differs'))).stdout);
    assert.equal(json.payouts[0].kept, true);
    assert.deepEqual([json.payouts[1].payoutId, json.payouts[1].amount], ['A18', '5.00']);
  });

  test('reconcile --payouts rejects an unreadable list', async () => {
    for (const [text, said] of [
      ['M1,A17,10.00', /Line 1 of the list/],
      ['M1,A17,10.00,EUR\nM1,A 18,1,EUR', /Line 2 of the list/],
      ['M1,A17,0,EUR', /Line 1 of the list/],
      ['merchant,payout_id\n', /contains no payouts/],
    ] as const) {
      writeFileSync(file, text);
      assert.match((await run(`reconcile bank --payouts ${file}`, answering('same'))).stderr, said);
    }
    writeFileSync(file, 'M1,A17,10.00,EUR');
    assert.match(
      (await run(`reconcile other --payouts ${file}`, answering('same'))).stderr,
      /No payout rail is called "other"/,
    );
    assert.match(
      (await run(`reconcile bank --payouts ${folder}/none`, answering('same'))).stderr,
      /^Cannot read the list /,
    );
    assert.match(
      (await run(`reconcile bank 2026-11-20 --payouts ${file}`, answering('same'))).stderr,
      /Give a date, or/,
    );
  });

  test('reconcile without a date reads the rail’s lists of transfers immediately', async () => {
    const lists = (differing: number): Deep<GatewayOperations> => ({
      reconciliation: {
        transfers: async (rail) =>
          rail === 'stp' ? [{ rail, day: '20261120', listed: 3, found: 2, differing }] : undefined,
      },
    });
    const { stdout, exitCode } = await run('reconcile stp', lists(0));
    assert.match(stdout, /^✓ stp: .*\n.*\n20261120 +3 +2 +0/);
    assert.deepEqual([exitCode, (await run('reconcile stp', lists(1))).exitCode], [0, 1]);
    assert.match((await run('reconcile bank', lists(0))).stderr, /^"bank" has no lists of transfers/);
  });
});
