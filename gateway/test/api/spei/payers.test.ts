/**
 * Payer behaviours as a table: each behaviour under each `mismatch_policy`, over HTTP, with the STP simulator as the bank.
 * Each case checks the callbacks, the balance, the suspense account and the ledger.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { HOUR_MS } from '../../../src/foundation/clock.ts';
import {
  type KeptTransfer,
  type ListedState,
  type SpeiStage,
  startSpeiStage,
} from '../../support/deposits/spei-stage.ts';
import type { CreatedDeposit, TestMerchant } from '../../support/merchants/test-merchant.ts';
import { assertGenuine } from '../../support/servers/callback-receiver.ts';
import { until } from '../../support/tools/until.ts';

/** The fee per deposit is 0.50 plus 1%, so 1.50 for 100.00. */
const FEES = { 'fee_fixed.spei.MXN': '0.50', 'fee_percent.spei.MXN': '1.00' };

/** The payer has 24 hours plus 72 hours of grace. The first age is within the grace period, the second after it. */
const IN_GRACE_MS = 25 * HOUR_MS;
const CLOSED_MS = 97 * HOUR_MS;

type Policy = 'hold' | 'credit';

interface Scene {
  readonly stage: SpeiStage;
  readonly merchant: TestMerchant;
  readonly deposit: CreatedDeposit;
}

/** Amounts are strings with two decimals. */
interface Ending {
  readonly state: ListedState;
  /** The values `co_inv_st`, `co_amount` and `co_to_wlt` of the only callback. Absent while the deposit is pending. */
  readonly callback?: readonly [status: 'success' | 'fail', received: string, credited: string];
  /** The values `type` and `amount` of the only event. */
  readonly event?: readonly [type: string, amount: string];
  readonly available: string;
  /** The suspense balance of this merchant. */
  readonly suspense: string;
  /** The text `state mismatch` of each transfer to the CLABE, in the order in which the gateway recorded them. */
  readonly transfers: readonly string[];
}

interface PayerCase {
  readonly name: string;
  /** Creates the deposit to pay. By default, a new deposit. */
  readonly deposit?: (stage: SpeiStage, merchant: TestMerchant, order: string) => Promise<CreatedDeposit>;
  readonly pay: (scene: Scene) => Promise<unknown>;
  readonly ends: Ending | Readonly<Record<Policy, Ending>>;
  /** Further checks that `Ending` cannot express. */
  readonly also?: (scene: Scene, transfers: readonly KeptTransfer[]) => Promise<void>;
}

const UNPAID: Ending = { state: 'pending', available: '0.00', suspense: '0.00', transfers: [] };

const PAID: Ending = {
  state: 'success',
  callback: ['success', '100.00', '98.50'],
  available: '98.50',
  suspense: '0.00',
  transfers: ['credited -'],
};

const TWICE: Readonly<Record<Policy, Ending>> = {
  hold: { ...PAID, suspense: '100.00', transfers: ['credited -', 'held twice'] },
  credit: {
    ...PAID,
    event: ['deposit.twice', '100.00'],
    available: '197.00',
    transfers: ['credited -', 'credited twice'],
  },
};

const CASES: readonly PayerCase[] = [
  {
    name: 'pays exactly the amount',
    pay: ({ stage, deposit }) => stage.stp.pay(deposit.clabe),
    ends: PAID,
  },
  {
    name: 'pays less than the amount',
    pay: ({ stage, deposit }) => stage.stp.pay(deposit.clabe, { behaviour: 'short' }),
    ends: {
      hold: { ...UNPAID, suspense: '99.00', transfers: ['held short'] },
      credit: {
        ...PAID,
        callback: ['success', '99.00', '97.51'],
        available: '97.51',
        transfers: ['credited short'],
      },
    },
  },
  {
    name: 'pays more than the amount',
    pay: ({ stage, deposit }) => stage.stp.pay(deposit.clabe, { behaviour: 'over' }),
    ends: {
      hold: { ...UNPAID, suspense: '101.00', transfers: ['held over'] },
      credit: {
        ...PAID,
        callback: ['success', '101.00', '99.49'],
        available: '99.49',
        transfers: ['credited over'],
      },
    },
  },
  {
    name: 'pays after the expiry and within the grace',
    deposit: (stage, merchant, order) => stage.depositOfThePast(merchant, order, IN_GRACE_MS),
    pay: ({ stage, deposit }) => stage.stp.pay(deposit.clabe),
    ends: PAID,
  },
  {
    name: 'pays after the deposit failed',
    deposit: (stage, merchant, order) => stage.depositOfThePast(merchant, order, CLOSED_MS),
    async pay({ stage, merchant, deposit }) {
      stage.expire();
      await until('the deposit has failed', async () => (await stage.state(merchant, deposit.order)) === 'fail');
      await stage.stp.pay(deposit.clabe);
    },
    ends: {
      hold: {
        state: 'fail',
        callback: ['fail', '0.00', '0.00'],
        available: '0.00',
        suspense: '100.00',
        transfers: ['held late'],
      },
      credit: {
        state: 'fail',
        callback: ['fail', '0.00', '0.00'],
        event: ['deposit.late', '100.00'],
        available: '98.50',
        suspense: '0.00',
        transfers: ['credited late'],
      },
    },
  },
  {
    name: 'pays twice, one payment after the other',
    async pay({ stage, deposit }) {
      await stage.stp.pay(deposit.clabe);
      await stage.transfersTo(deposit.clabe);
      await stage.stp.pay(deposit.clabe);
    },
    ends: TWICE,
  },
  {
    name: 'pays twice at the same moment',
    pay: ({ stage, deposit }) => stage.stp.pay(deposit.clabe, { behaviour: 'twice' }),
    ends: TWICE,
  },
  {
    name: 'pays once and STP sends ten notifications at the same moment',
    pay: ({ stage, deposit }) => stage.stp.pay(deposit.clabe, { behaviour: 'notified_ten_times' }),
    ends: PAID,
    async also({ stage }, [kept]) {
      const notifications = () =>
        stage.gateway.log.filter(
          (line) => line.includes(`"rail_notified"`) && line.includes(`"${kept?.transfer_key}"`),
        );
      await until('STP has sent ten notifications', () => notifications().length === 10);
      const outcomes = notifications().map((line) => JSON.parse(line).outcome);
      assert.deepEqual(outcomes.toSorted(), [...Array(9).fill('known'), 'recorded']);
    },
  },
  {
    name: 'pays, STP’s notification is lost, and the reconciliation finds the payment',
    async pay({ stage, deposit }) {
      await stage.stp.pay(deposit.clabe, { behaviour: 'notification_lost' });
      await stage.reconcile();
    },
    ends: PAID,
    also: async (_scene, [kept]) => assert.equal(kept?.found_by, 'reconciliation'),
  },
  {
    name: 'pays, STP’s notification is lost, and the operator’s command finds the payment',
    async pay({ stage, deposit }) {
      await stage.stp.pay(deposit.clabe, { behaviour: 'notification_lost' });
      await stage.gateway.operations.reconciliation.transfers('stp');
    },
    ends: PAID,
    also: async (_scene, [kept]) => assert.equal(kept?.found_by, 'reconciliation'),
  },
  {
    name: 'pays, and STP notifies while the reconciliation runs',
    async pay({ stage, deposit }) {
      const [paid] = await stage.stp.pay(deposit.clabe, { behaviour: 'during_reconciliation' });
      assert(paid);
      await stage.reconcile();
      await until('the notification is confirmed', async () => (await stage.stp.story(paid)).includes('confirmed'));
    },
    ends: PAID,
  },
  {
    name: 'pays a shortfall, then the full amount, and the second notification arrives first',
    async pay({ stage, deposit }) {
      await stage.stp.faults({ notifications: 'out_of_order' });
      await stage.stp.pay(deposit.clabe, { behaviour: 'short' });
      await stage.stp.pay(deposit.clabe);
    },
    ends: {
      hold: { ...PAID, suspense: '99.00', transfers: ['credited -', 'held twice'] },
      credit: {
        ...PAID,
        event: ['deposit.twice', '99.00'],
        available: '196.01',
        transfers: ['credited -', 'credited twice'],
      },
    },
  },
];

let stage: SpeiStage;
let orders = 0;

before(async () => {
  stage = await startSpeiStage();
});
afterEach(() => stage.stp.faults({ notifications: 'on' }));
after(() => stage.verifyAndStop());

const endingOf = ({ ends }: PayerCase, policy: Policy): Ending => ('state' in ends ? ends : ends[policy]);

for (const policy of ['hold', 'credit'] as const) {
  describe(`an SPEI deposit under mismatch_policy ${policy}`, () => {
    for (const payer of CASES) {
      it(`an SPEI payment has the documented result under mismatch_policy ${policy} when the payer ${payer.name}`, async () => {
        const merchant = await stage.gateway.merchant({ settings: { ...FEES, mismatch_policy: policy } });
        const order = `P${++orders}`;
        const deposit = await (payer.deposit?.(stage, merchant, order) ?? merchant.deposit(order));
        const scene = { stage, merchant, deposit };
        await payer.pay(scene);
        const transfers = await assertEnds(scene, endingOf(payer, policy));
        await payer.also?.(scene, transfers);
        await stage.gateway.verify();
      });
    }
  });
}

async function assertEnds({ merchant, deposit }: Scene, ending: Ending): Promise<readonly KeptTransfer[]> {
  const transfers = await stage.transfersTo(deposit.clabe, ending.transfers.length);
  const kept = transfers.map(({ state, mismatch }) => `${state} ${mismatch ?? '-'}`);
  // The order of two concurrent notifications is undefined.
  assert.deepEqual(kept.toSorted(), ending.transfers.toSorted());
  assert.equal(await stage.state(merchant, deposit.order), ending.state);
  const { balance } = await merchant.balance('MXN');
  const suspense = await stage.account(merchant.id, 'suspense');
  assert.deepEqual([balance, suspense], [ending.available, BigInt(ending.suspense.replace('.', ''))]);
  await assertCallback(merchant, deposit, ending);
  return transfers;
}

/** Asserts that each callback and event of this merchant arrived exactly once, with a valid signature. */
async function assertCallback(
  merchant: TestMerchant,
  deposit: CreatedDeposit,
  { callback, event }: Ending,
): Promise<void> {
  const { receiver, database } = stage.gateway;
  await until('no callback is due', async () => {
    const { rows } = await database.pool.query(
      `select count(*)::int as due from callbacks where merchant_id = $1 and state = 'due'`,
      [merchant.id],
    );
    return rows[0].due === 0;
  });
  const callbacks = receiver.about(merchant.id, deposit.order);
  const events = receiver.about(merchant.id, deposit.order, 'event');
  for (const arrival of [...callbacks, ...events]) assertGenuine(arrival, merchant.key);
  assert.deepEqual(
    callbacks.map(({ fields }) => [fields['co_inv_st'], fields['co_amount'], fields['co_to_wlt']]),
    callback ? [callback] : [],
  );
  for (const { fields } of callbacks) {
    const { co_inv_id, co_order_no, co_cur, co_base_amount, co_base_currency } = fields;
    assert.deepEqual(
      [co_inv_id, co_order_no, co_cur, co_base_amount, co_base_currency],
      [String(deposit.transactionId), deposit.order, 'MXN', '100.00', 'MXN'],
    );
  }
  assert.deepEqual(
    events.map(({ fields }) => [fields['type'], fields['amount']]),
    event ? [event] : [],
  );
}

describe('transfers to a CLABE without a deposit', () => {
  it('a transfer to an unassigned CLABE under our prefix is held in the operator’s suspense', async () => {
    const { merchant, deposit } = await unpaidDeposit();
    const before = await stage.account('operator', 'suspense');
    const [paid] = await stage.stp.pay(deposit.clabe, { behaviour: 'unknown_clabe' });
    assert(paid);
    const [kept] = await stage.transfersTo(paid.cuentaBeneficiario);
    assert.deepEqual([kept?.merchant_id, kept?.state, kept?.mismatch], ['operator', 'held', 'unmatched']);
    assert.equal((await stage.account('operator', 'suspense')) - before, 10_000n);
    await until('STP has our confirmation', async () => (await stage.stp.story(paid)).includes('confirmed'));
    await assertUnpaid(merchant, deposit);
  });

  it('STP returns a transfer to a CLABE outside our prefix, and the gateway records it without a posting', async () => {
    const { merchant, deposit } = await unpaidDeposit();
    const before = await stage.account('operator', 'suspense');
    const [paid] = await stage.stp.pay(deposit.clabe, { behaviour: 'foreign_clabe' });
    assert(paid);
    await until('STP returned the transfer', async () => (await stage.stp.story(paid)).includes('returned'));
    await stage.reconcile();
    const kept = await stage.transfersTo(paid.cuentaBeneficiario);
    assert.deepEqual(
      kept.map(({ merchant_id, state }) => [merchant_id, state]),
      [['operator', 'sent_back']],
    );
    assert.equal(await stage.account('operator', 'suspense'), before);
    assert.equal(await postingsOf(kept), 0);
    await assertUnpaid(merchant, deposit);
  });

  it('STP does not return a transfer that the reconciliation has already put into suspense', async () => {
    const { merchant, deposit } = await unpaidDeposit();
    // STP's notification is late, so the transfer appears in its list first.
    await stage.stp.faults({ notifications: 'late' });
    const [paid] = await stage.stp.pay(deposit.clabe, { behaviour: 'foreign_clabe', claveRastreo: 'FOREIGN1' });
    assert(paid);
    await stage.reconcile();
    const answered = ['confirmed', 'return_requested'];
    await until('STP was answered', async () => (await stage.stp.story(paid)).some((kind) => answered.includes(kind)));
    const kept = (await stage.transfersTo(paid.cuentaBeneficiario)).filter(({ transfer_key }) =>
      transfer_key.startsWith('FOREIGN1/'),
    );
    const story = await stage.stp.story(paid);
    assert.deepEqual(
      [kept.map(({ state }) => state), story.includes('return_requested')],
      story.includes('confirmed') ? [['held'], false] : [['sent_back'], true],
      'a transfer is either held here or returned by STP, never both',
    );
    await assertUnpaid(merchant, deposit);
  });
});

describe('a notification whose amount differs from STP’s list', () => {
  it('a large notification with a forged amount is not credited, and the reconciliation records the true amount', async () => {
    const { merchant, deposit } = await unpaidDeposit();
    await stage.stp.faults({ notifications: 'wrong_amount' });
    await stage.stp.pay(deposit.clabe);
    await until('the alarm is raised', () => alarms(stage, 'notification_unconfirmed') > 0);
    await assertEnds({ stage, merchant, deposit }, UNPAID);
    await stage.reconcile();
    const [kept] = await assertEnds({ stage, merchant, deposit }, PAID);
    assert.equal(kept?.found_by, 'reconciliation');
    await stage.gateway.verify();
  });

  it('a forged amount below STP_CONFIRM_ABOVE is recorded, and the next reconciliation raises an alert', async () => {
    const trusting = await startSpeiStage({ STP_CONFIRM_ABOVE: '1000000.00' });
    try {
      const merchant = await trusting.gateway.merchant();
      const { clabe } = await merchant.deposit('P1');
      await trusting.stp.faults({ notifications: 'wrong_amount' });
      await trusting.stp.pay(clabe);
      const [kept] = await trusting.transfersTo(clabe);
      assert.deepEqual([kept?.state, kept?.mismatch, kept?.amount], ['held', 'over', '99999999']);
      assert.equal(alarms(trusting, 'transfers_differ'), 0);
      await trusting.reconcile();
      assert.equal(alarms(trusting, 'transfers_differ'), 1);
      assert.deepEqual(await trusting.transfersTo(clabe), [kept]);
    } finally {
      await trusting.verifyAndStop();
    }
  });
});

const alarms = ({ gateway }: SpeiStage, kind: string): number =>
  gateway.log.filter((line) => line.includes(`"alert":"${kind}"`)).length;

async function unpaidDeposit(): Promise<Omit<Scene, 'stage'>> {
  const merchant = await stage.gateway.merchant({ settings: FEES });
  return { merchant, deposit: await merchant.deposit(`P${++orders}`) };
}

async function assertUnpaid(merchant: TestMerchant, deposit: CreatedDeposit): Promise<void> {
  await assertEnds({ stage, merchant, deposit }, UNPAID);
  await stage.gateway.verify();
}

async function postingsOf([transfer]: readonly KeptTransfer[]): Promise<number> {
  const { rows } = await stage.gateway.database.pool.query(
    `select count(*)::int as postings from ledger_transfers where journal_id like 'transfer/%' || $1 || '%'`,
    [transfer?.transfer_key],
  );
  return rows[0].postings;
}
