import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { NO_KEYS } from '../../../test/support/merchants/merchant-keys.ts';
import { merchantNamed } from '../../../test/support/merchants/merchant-named.ts';
import {
  claimOf,
  NOON,
  openPayoutBench,
  type PayoutBench,
  plainCallbacks,
} from '../../../test/support/payouts/stored-payouts.ts';
import { REFERENCE_KEY } from '../../../test/support/tools/reference-key.ts';
import { DAY_MS, utcDayOf } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import { withParts } from '../../foundation/with-parts.ts';
import { createDifferenceStore } from '../../storage/differences/difference-store.ts';
import { createPayoutJobStore } from '../../storage/payouts/payout-job-store.ts';
import { createPayoutRecordStore } from '../../storage/payouts/payout-record-store.ts';
import { createReconciliationStore } from '../../storage/reconciliation/reconciliation-store.ts';
import { balanceOf } from '../ledger/transfer.ts';
import type { ListedPayout, PayoutLister } from '../payouts/payout-lister.ts';
import { type PayoutAtRail, payoutReference } from '../payouts/payout-order.ts';
import { resolvePayout } from '../payouts/resolve-payout.ts';
import { settlePayout } from '../payouts/settle-payout.ts';
import { reconcilePayouts } from './reconcile-payouts.ts';

const RAIL = 'listed-rail';
const DAY = '2026-11-21';

let bench: PayoutBench;
const keptIn = () => createDifferenceStore(bench.database);
let lists: Record<string, readonly ListedPayout[]>;
let unreadable: readonly string[];

before(async () => {
  bench = await openPayoutBench();
  await bench.fund('m', 1_000_000n);
});

beforeEach(() => {
  lists = {};
  unreadable = [];
});

after(() => bench.verifyAndClose());

const lister: PayoutLister = {
  rail: RAIL,
  dayOf: utcDayOf,
  payoutsOf: async (day) => ({ payouts: lists[day] ?? [], unreadable }),
};

function settling() {
  return withParts(settlePayout, {
    store: bench.store,
    merchants: { find: async () => ({ merchant: merchantNamed('m'), keys: NO_KEYS }) },
    compose: plainCallbacks,
    onSettled: () => {},
  });
}

/** A payout that was sent to the bank. `event`: the bank's report. Returns its reference. */
async function reported(payoutId: string, event?: 'executed' | 'declined'): Promise<string> {
  const { store, clock, database } = bench;
  await store.accept(await bench.newPayout('m', payoutId, 10n, { rail: RAIL }));
  const now = clock.now();
  const [claim] = await createPayoutJobStore(database, clock, REFERENCE_KEY).claim({
    ...claimOf(RAIL, now, now + DAY_MS),
    inDirectory: true,
  });
  invariant(claim?.reference, 'the payout is due');
  const report = { rail: RAIL, detail: '', actor: RAIL, at: now } as const;
  if (event) await settling()(claim.payout, null, { event, ...report });
  return claim.reference;
}

function line(reference: string | null, change: Partial<ListedPayout> = {}): ListedPayout {
  const money = { currency: 'EUR', minor: 10n } as const;
  return { reference, providerId: `at ${reference}`, money, state: 'executed', ...change };
}

function reconcile(day = DAY) {
  const { clock } = bench;
  const store = createReconciliationStore(bench.database);
  const referenceOf = (payout: PayoutAtRail) => payoutReference(REFERENCE_KEY, payout);
  const parts = { lister, store, settle: settling(), referenceOf, clock };
  return reconcilePayouts(parts, day, new AbortController().signal);
}

const stateOf = async (payoutId: string) => (await bench.store.find({ merchantId: 'm', payoutId }))?.state;
const kindsOf = ({ differences }: Awaited<ReturnType<typeof reconcile>>) =>
  differences.map(({ kind, payoutId }) => [kind, payoutId]);

describe('reconciliation of payouts with a list', () => {
  it('reconciliation settles pending payouts by the provider’s list and counts the payouts that match', async () => {
    const same = await reported('same', 'executed');
    const waits = await reported('waits');
    const refused = await reported('refused');
    lists[DAY] = [line(same), line(waits), line(refused, { state: 'declined' })];
    const { reconciliation, differences } = await reconcile();
    assert.deepEqual(differences, []);
    const { listed, matched, settled } = reconciliation;
    assert.deepEqual({ listed, matched, settled }, { listed: 3, matched: 1, settled: 2 });
    assert.deepEqual([await stateOf('waits'), await stateOf('refused')], ['success', 'blocked']);
    const again = await reconcile();
    assert.deepEqual([again.reconciliation.matched, again.reconciliation.settled], [3, 0]);
  });

  it('reconciliation returns the money of a payout that the list shows as reversed', async () => {
    const before = balanceOf(await bench.ledger.balances('m', 'EUR'), 'available');
    const reversed = await reported('reversed', 'executed');
    const earlier = (
      await createReconciliationStore(bench.database).paidBetween(RAIL, NOON - DAY_MS, NOON + DAY_MS)
    ).map(({ reference }) => line(reference));
    lists[DAY] = [...earlier.filter(({ reference }) => reference !== reversed), line(reversed, { state: 'reversed' })];
    assert.deepEqual((await reconcile()).differences, []);
    assert.equal(balanceOf(await bench.ledger.balances('m', 'EUR'), 'available'), before);
  });

  it('reconciliation keeps each difference by its kind until it disappears or is resolved', async () => {
    const store = createReconciliationStore(bench.database);
    const rest = (await store.paidBetween(RAIL, NOON - DAY_MS, NOON + DAY_MS)).map(({ reference }) => line(reference));
    const all = (
      await store.findKnown(
        RAIL,
        rest.flatMap(({ reference }) => reference ?? []),
      )
    ).map(({ reference, adjustedBy }) => line(reference, adjustedBy.reversed ? { state: 'reversed' } : {}));
    const [twice, wrong] = [await reported('twice', 'executed'), await reported('wrong', 'executed')];
    const other = await reported('other', 'executed');
    await reported('lost', 'executed');
    unreadable = ['no amount'];
    lists[DAY] = [
      ...all,
      line(twice),
      line(twice, { providerId: 'second' }),
      line(wrong, { money: { currency: 'EUR', minor: 11n } }),
      line(other, { state: 'declined' }),
      line('nobody’s'),
    ];
    assert.deepEqual(kindsOf(await reconcile()), [
      ['unreadable', null],
      ['duplicate', 'twice'],
      ['amount', 'wrong'],
      ['state', 'other'],
      ['missing_here', null],
      ['missing_there', 'lost'],
    ]);
    const open = () => keptIn().list({ kind: null, rail: RAIL, day: DAY, openOnly: true });
    assert.equal((await open()).length, 6);
    const key = { rail: RAIL, day: DAY, kind: 'amount', subject: wrong } as const;
    assert.equal(await keptIn().resolve(key, 'Ann', 'their typing error', NOON), true);
    assert.equal(await keptIn().resolve(key, 'Ann', 'again', NOON), false);
    lists[DAY] = lists[DAY].filter(({ providerId, reference }) => providerId !== 'second' && reference !== 'nobody’s');
    unreadable = [];
    await reconcile();
    assert.deepEqual(
      (await open()).map(({ kind }) => kind),
      ['missing_there', 'state'],
    );
    const kept = await keptIn().list({ kind: null, rail: RAIL, day: DAY, openOnly: false });
    assert.deepEqual(
      kept.filter(({ resolved }) => resolved).map(({ kind, resolved }) => [kind, resolved?.by]),
      [
        ['amount', 'Ann'],
        ['duplicate', 'gateway'],
        ['missing_here', 'gateway'],
        ['unreadable', 'gateway'],
      ],
    );
  });

  it('reconciliation does not report a payout as missing when the list of an adjacent day contains it', async () => {
    const store = createReconciliationStore(bench.database);
    const paid = (await store.paidBetween(RAIL, NOON - DAY_MS, NOON + DAY_MS)).map(({ reference }) => reference);
    const late = await reported('late', 'executed');
    // The adjacent day has begun.
    bench.clock.advance(DAY_MS / 2);
    lists[DAY] = paid.map((reference) => line(reference));
    lists['2026-11-22'] = [line(late)];
    const missing = kindsOf(await reconcile()).filter(([kind]) => kind === 'missing_there');
    assert.deepEqual(missing, []);
  });

  it('reconciliation reopens a difference that disappeared and returned, unless a user resolved it', async () => {
    const day = '2026-11-10';
    const openOn = async () =>
      (await keptIn().list({ kind: null, rail: RAIL, day, openOnly: true })).map(({ subject }) => subject);
    lists[day] = [line('stranger'), line('settled')];
    await reconcile(day);
    await keptIn().resolve(
      { rail: RAIL, day, kind: 'missing_here', subject: 'settled' },
      'Ann',
      'another system’s',
      NOON,
    );
    lists[day] = [];
    await reconcile(day);
    assert.deepEqual(await openOn(), []);
    lists[day] = [line('stranger'), line('settled')];
    await reconcile(day);
    assert.deepEqual(await openOn(), ['stranger']);
  });

  it('reconciliation finds that a rail executed a payout that had moved to another rail', async () => {
    const reference = await reported('left', 'executed');
    await bench.owner.query(`update payouts set rail = 'another' where payout_id = 'left'`);
    await bench.owner.query(`update payout_attempts set rail = 'another' where payout_id = 'left'`);
    const day = '2026-11-11';
    lists[day] = [line(reference)];
    const { reconciliation, differences } = await reconcile(day);
    assert.deepEqual(
      differences.map(({ kind, ours }) => [kind, ours]),
      [['state', 'declined, 0.10 EUR']],
    );
    assert.equal(reconciliation.settled, 0);
    const record = await createPayoutRecordStore(bench.database).record({ merchantId: 'm', payoutId: 'left' });
    assert.deepEqual(
      record?.adjustments.map(({ kind, rail }) => [kind, rail]),
      [['contradicted', RAIL]],
    );
  });

  it('reconciliation reads the payouts of the full day and excludes adjacent moments', async () => {
    const store = createReconciliationStore(bench.database);
    const midnight = Date.parse('2026-11-13T00:00:00Z');
    const at = [-1, 0, 299_999, 300_000, DAY_MS - 1, DAY_MS].map((since) => midnight + since);
    for (const [index, instant] of at.entries()) {
      const reference = await reported(`moment${index}`);
      const report = { event: 'executed', rail: RAIL, detail: '', actor: RAIL, at: instant } as const;
      assert.ok(reference && (await settling()({ merchantId: 'm', payoutId: `moment${index}` }, null, report)));
    }
    const paid = await store.paidBetween(RAIL, midnight, midnight + DAY_MS);
    assert.deepEqual(
      paid.map((payout) => payout.at),
      at.slice(1, -1),
    );
  });

  it('reconciliation identifies a listed payout without a match by its reference, its transaction id or its description', async () => {
    const waiting = await bench.newPayout('m', 'waiting', 10n, { rail: 'another-rail' });
    await bench.store.accept(waiting);
    const older = `${waiting.payout.transactionId}-AbCd1234`;
    const forgotten = { merchantId: 'm', payoutId: 'forgotten' };
    const reference = payoutReference(REFERENCE_KEY, { ...forgotten, rail: RAIL });
    const day = '2026-11-18';
    lists[day] = [
      line(reference, { remittance: 'm/forgotten' }),
      line(older),
      line(`${older}5`, { remittance: 'by hand' }),
      line(older.replace('AbCd', 'EfGh'), { money: { currency: 'EUR', minor: 11n } }),
      line(null, { providerId: 'X7', remittance: 'm/waiting' }),
    ];
    const { differences } = await reconcile(day);
    assert.deepEqual(
      differences.map(({ kind, merchantId, payoutId, ours }) => [kind, merchantId, payoutId, ours]),
      [
        ['missing_here', 'm', 'forgotten', 'forgotten; identified by its reference'],
        ['missing_here', 'm', 'waiting', 'pending, not sent under this reference; identified by its transaction id'],
        ['missing_here', null, null, 'unknown'],
        ['missing_here', null, null, 'unknown'],
        ['missing_here', 'm', 'waiting', 'pending, not sent under this reference; identified by its text'],
      ],
    );
  });

  it('reconciliation does not keep anything of an incomplete list', async () => {
    const failing: PayoutLister = {
      ...lister,
      payoutsOf: async () => Promise.reject(new Error('page 2 did not come')),
    };
    const parts = {
      lister: failing,
      store: createReconciliationStore(bench.database),
      settle: settling(),
      clock: bench.clock,
      referenceOf: () => '',
    };
    await assert.rejects(reconcilePayouts(parts, '2026-11-19', new AbortController().signal), /page 2/);
    assert.deepEqual(await keptIn().list({ kind: null, rail: RAIL, day: '2026-11-19', openOnly: false }), []);
  });
});

describe('an operator’s resolution of a payout', () => {
  const resolve = (
    payoutId: string,
    outcome: 'executed' | 'declined' | 'reversed',
    blockedReason: 'invalid_beneficiary' | null = null,
    by = 'Ann',
  ) =>
    resolvePayout(
      {
        payoutRecords: createPayoutRecordStore(bench.database),
        settle: settling(),
        clock: bench.clock,
        recordForgottenAttempt: async () => false,
      },
      { merchantId: 'm', payoutId },
      { outcome, rail: null, blockedReason, evidence: 'letter of 20 November', by },
    );

  it('an operator’s resolution settles a payout of unknown outcome and records the user and the reason', async () => {
    await reported('letter');
    assert.deepEqual(await resolve('letter', 'declined', 'invalid_beneficiary'), {
      ok: true,
      value: { state: 'blocked', adjustment: null },
    });
    const record = await createPayoutRecordStore(bench.database).record({ merchantId: 'm', payoutId: 'letter' });
    const last = record?.history.at(-1);
    assert.deepEqual([last?.event, last?.actor, last?.detail], ['declined', 'Ann', 'letter of 20 November']);
    assert.equal(record?.payout.blockedReason, 'invalid_beneficiary');
  });

  it('an operator’s resolution becomes an adjustment when the payout already has another final state', async () => {
    await reported('returned', 'executed');
    assert.deepEqual(await resolve('returned', 'reversed'), {
      ok: true,
      value: { state: 'success', adjustment: 'reversed' },
    });
  });

  it('an operator’s resolution is rejected when nothing changes or no bank received the payout', async () => {
    await reported('paid', 'executed');
    assert.deepEqual(await resolve('paid', 'executed'), { ok: false, error: 'nothing_changes' });
    await bench.store.accept(await bench.newPayout('m', 'unsent', 10n, { rail: 'another-rail' }));
    const refused = { kind: 'words_rejected', word: 'by', reason: 'is empty' };
    assert.deepEqual(await resolve('paid', 'reversed', null, ' '), { ok: false, error: refused });
    assert.deepEqual(await resolve('unsent', 'executed'), { ok: false, error: 'never_sent' });
    assert.deepEqual(await resolve('nothing', 'executed'), { ok: false, error: 'payout_not_found' });
  });
});
