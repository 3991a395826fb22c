/** The table of incoming transfers against the commands, the SQL and the view that move real ones. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { ACT, PAID } from '../../../test/support/form/card-payments.ts';
import { heldMoneyOf } from '../../../test/support/form/held-money.ts';
import { type LaterScene, openLaterScene } from '../../../test/support/form/later-scene.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import { OPERATOR_MERCHANT } from '../merchants/merchant.ts';
import type { PaymentAttempt } from '../payments/attempts/payment-attempt.ts';
import { TRANSFER_STATES, type TransferState } from './deposit.ts';
import { rowStateOf, TRANSFER_TRANSITIONS, type TransferEvent } from './transfer-transitions.ts';

let scene: LaterScene;

before(async () => {
  scene = await openLaterScene();
});
after(() => scene.verifyAndClose());

const { held, transferOf, movedTo } = heldMoneyOf(() => scene);

async function credited(merchantId: string): Promise<PaymentAttempt> {
  const merchant = scene.bench.merchant(merchantId);
  const session = await scene.cards.openedForm(merchant, { orderId: 'N17', isSigned: false });
  scene.cards.provider.says = PAID;
  const tried = await scene.cards.attemptOnce(merchant, { session });
  assert.ok(tried.ok);
  return tried.value;
}

interface Walk {
  readonly attempt: PaymentAttempt;
  returning?: PayoutKey;
}

const reports = (event: 'executed' | 'declined' | 'reversed') => async (walk: Walk) => {
  assert.ok(walk.returning);
  await scene.ends(walk.returning, event);
};

type Later = Exclude<TransferEvent, 'held' | 'sent_back'>;

const ACTS: Readonly<Record<Later, (walk: Walk) => Promise<unknown>>> = {
  credited: ({ attempt }) => movedTo(attempt, attempt.merchantId),
  moved: ({ attempt }) => movedTo(attempt, `${attempt.merchantId}-2`),
  async displaced({ attempt: { merchantId } }) {
    const merchant = scene.bench.merchant(merchantId);
    scene.cards.provider.says = ACT;
    const session = await scene.cards.openedForm(merchant, { orderId: 'N17' });
    assert.ok((await scene.cards.attemptOnce(merchant, { session })).ok);
  },
  async return_ordered(walk) {
    walk.returning = await scene.returned(transferOf(walk.attempt));
    await scene.sent({ ...walk.returning, rail: walk.attempt.rail });
  },
  return_executed: reports('executed'),
  return_declined: reports('declined'),
  return_reversed: reports('reversed'),
  taken: ({ attempt }) => scene.adjustBy(attempt, 'charged_back', 'D1', 9_000n),
  restored: ({ attempt }) => scene.adjustBy(attempt, 'chargeback_undone', 'D1', 9_000n),
};

const WALKS: Readonly<Record<string, readonly ['held' | 'credited', ...Later[]]>> = {
  'returned-late': ['held', 'return_ordered', 'return_declined', 'return_executed', 'return_reversed', 'credited'],
  returned: ['held', 'return_ordered', 'return_executed', 'return_reversed', 'return_ordered', 'return_executed'],
  'returned-not': ['held', 'return_ordered', 'return_reversed', 'credited'],
  taken: ['held', 'taken', 'restored', 'moved'],
  displaced: ['credited', 'displaced', 'credited'],
};

async function assertStored(merchantId: string, rail: string, transferKey: string, state: TransferState, at: string) {
  const { rows } = await scene.bench.owner.query(
    'select state, status from transfers_in where merchant_id = $1 and rail = $2 and transfer_key = $3',
    [merchantId, rail, transferKey],
  );
  assert.deepEqual(rows, [{ state: rowStateOf(state), status: state }], at);
}

/** The operator can neither credit nor return money in a state whose row has no such event. */
async function assertRefused(attempt: PaymentAttempt, state: TransferState, at: string) {
  const { credited: next, return_ordered: returning } = TRANSFER_TRANSITIONS[state];
  const id = transferOf(attempt);
  const refused = [
    ...(next === undefined ? [await scene.bench.resolve(id)] : []),
    ...(returning === undefined ? [await scene.bench.returnTransfer(id)] : []),
  ];
  for (const each of refused) assert.equal(!each.ok && each.error.kind, 'not_held', at);
}

for (const [merchantId, [arrival, ...events]] of Object.entries(WALKS)) {
  it(`a transfer follows its transition table: ${arrival}, ${events.join(', ')}`, async () => {
    const walk: Walk = { attempt: await (arrival === 'held' ? held : credited)(merchantId) };
    const id = transferOf(walk.attempt);
    let state: TransferState | undefined = TRANSFER_TRANSITIONS.new[arrival];
    assert.ok(state);
    await assertStored(merchantId, id.rail, id.transferKey, state, arrival);
    for (const event of events) {
      await ACTS[event](walk);
      const at: string = `${state}, ${event}`;
      state = TRANSFER_TRANSITIONS[state][event];
      assert.ok(state, at);
      await assertStored(merchantId, id.rail, id.transferKey, state, at);
      await assertRefused(walk.attempt, state, at);
    }
  });
}

it('a transfer that the gateway rejects in its response to the bank is stored as returned', async () => {
  scene.bench.merchant(OPERATOR_MERCHANT);
  const transfer = scene.bench.transferTo('999999999999999999', 500n);
  await scene.bench.receiverOver(scene.bench.store)(transfer, 'notification', 'sent_back');
  const { sent_back: state } = TRANSFER_TRANSITIONS.new;
  assert.ok(state);
  await assertStored(OPERATOR_MERCHANT, transfer.rail, transfer.transferKey, state, 'new, sent_back');
});

it('the transfer tests cover every transition of the table', () => {
  const taken = new Set(['new sent_back']);
  for (const [arrival, ...events] of Object.values(WALKS)) {
    taken.add(`new ${arrival}`);
    let state: TransferState | undefined = TRANSFER_TRANSITIONS.new[arrival];
    for (const event of events) {
      assert.ok(state);
      taken.add(`${state} ${event}`);
      state = TRANSFER_TRANSITIONS[state][event];
    }
  }
  const all = Object.entries(TRANSFER_TRANSITIONS).flatMap(([from, row]) =>
    Object.keys(row).map((event) => `${from} ${event}`),
  );
  assert.deepEqual([...taken].sort(), all.sort());
});

it('the database accepts exactly the states that rows of transfers have', async () => {
  const { rows } = await scene.bench.owner.query<{ text: string }>(
    `select pg_get_constraintdef(oid) as text from pg_constraint where conname = 'incoming_transfers_state_check'`,
  );
  const accepted = [...(rows[0]?.text ?? '').matchAll(/'(\w+)'/g)].map(([, state]) => state);
  assert.deepEqual(accepted.sort(), [...new Set(TRANSFER_STATES.map(rowStateOf))].sort());
});
