/** The actions of the operator: merchants, payouts, batches, received money and the ledger. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { PAUSES_KNOWN_AFTER_MS } from '../../../src/domain/routing/pauses.ts';
import { DESCRIBED, type Values } from '../../support/people/outside-program.ts';
import { ASKING, checkedBatch, reason } from '../../support/people/outside-world.ts';
import { until } from '../../support/tools/until.ts';
import { cardFields, merchantId, type OutsideStage, waiting } from './outside-stage.ts';

const DAY = '2026-11-20';
const PERIOD = { from: '2026-11-01T00:00:00Z', until: '2026-11-20T00:00:00Z' };

export async function operateMerchants(stage: OutsideStage): Promise<void> {
  const { world, operator } = stage;
  await operator.do('merchants.settings', { merchantId });
  await operator.do('merchants.show', { merchantId });
  await operator.do('merchants.edit', {
    merchantId,
    name: 'A better shop',
    settings: { 'approval_above.UAH': '50.00' },
  });
  await operator.do('funds.debit', { merchantId, currency: 'EUR', amount: '1.00', reference: 'down', reason });
  await world.newMerchant(operator, 'OUT2');
  await operator.do('keys.rotate', { merchantId: 'OUT2', purpose: 'form' });
  await operator.do('merchants.suspend', { merchantId: 'OUT2' });
  const [{ name: rail, methods }] = (await operator.do('rails.list')).items;
  await operator.do('rails.show', { rail });
  await operator.do('rails.exchanges', { rail, reference: 'none' });
  await operator.do('rails.test', { rail: 'wayforpay' });
  await operator.do('rails.setHours', { rail, hours: null });
  await operator.do('rails.setThreshold', { rail, currency: 'UAH', threshold: '5.00' });
  await operator.do('routes.list');
  await operator.do('routes.set', { method: methods[0], rail, rank: 1 });
  await operator.do('routes.replay', { days: 1, routes: [] });
  await operator.do('routes.list');
  await operator.do('routes.remove', { method: methods[0], rail });
  for (const name of ['merchants.list', 'rails.setups', 'processes.list', 'queues.show', 'vault.progress'])
    await operator.do(name);
  await operator.do('vault.rotate');
  await operator.do('statementKeys.rotate');
}

export async function handlePayouts(stage: OutsideStage): Promise<void> {
  const { operator, shop } = stage;
  await operator.do('pauses.pause', { scope: 'merchant', target: merchantId, reason });
  await operator.do('pauses.list');
  await sleep(PAUSES_KNOWN_AFTER_MS);
  const { payoutId } = await operator.do('payouts.create', waiting);
  await operator.do('payouts.cancel', { merchantId, payoutId, reason });
  await operator.do('pauses.resume', { scope: 'merchant', target: merchantId });
  await shop.pay(1, 'final');
  await shop.final('final');
  await operator.do('payouts.ask', { merchantId, payoutId: 'final' });
  await operator.do('payouts.resolve', { merchantId, payoutId: 'final', outcome: 'reversed', reason });
  await operator.do('payouts.methods', { merchantId });
  await operator.do('payouts.check', { merchantId, method: 1, fields: cardFields('2.00') });
  const { callbackId } = await until('the callback is delivered', async () => {
    const { items } = await operator.do('callbacks.list', {
      merchantId,
      subjectId: 'final',
      subject: 'payout',
      state: 'delivered',
    });
    return items[0];
  });
  await operator.do('callbacks.show', { merchantId, callbackId });
  await operator.do('callbacks.pace', { merchantId });
  await operator.do('callbacks.failing');
  await operator.do('callbacks.test', { merchantId, subject: 'payout' });
  await operator.do('callbacks.resend', { merchantId, callbackId });
  await operator.do('callbacks.resendUndelivered', { merchantId });
  const { requestId } = await until('a request is logged', async () => {
    return (await operator.do('requests.list', { merchantId })).items[0];
  });
  await operator.do('requests.show', { merchantId, requestId });
  await operator.do('payouts.list', { merchantId });
  await operator.do('payouts.show', { merchantId, payoutId });
  await operator.do('payouts.overdue');
  await operator.do('payouts.late');
  await operator.do('payouts.awaiting');
  await operator.do('payments.find', { q: 'final' });
  await operator.do('reconciliation.askPayouts', {
    rail: 'wayforpay',
    payouts: [{ merchantId, payoutId: 'final', amount: '10.00', currency: 'UAH' }],
  });
}

export async function handleBatches(stage: OutsideStage): Promise<void> {
  const { operator } = stage;
  const batchId = await checkedBatch(operator, merchantId);
  await operator.do('batches.list', { merchantId });
  await operator.do('batches.rows', { merchantId, batchId });
  await operator.do('batches.export', { merchantId, batchId });
  await operator.do('batches.submit', { merchantId, batchId, reason });
  await operator.do('batches.cancel', {
    merchantId,
    batchId: await checkedBatch(operator, merchantId),
    reason,
  });
}

export async function moveMoney(stage: OutsideStage): Promise<void> {
  const { world, operator, shop } = stage;
  for (const [order, act] of [
    ['held1', 'transfers.resolve'],
    ['held2', 'transfers.return'],
  ] as const) {
    const { rail, transferKey } = await world.heldTransfer(operator, shop, order);
    await operator.do(act, { rail, transferKey, reason });
  }
  const paid = await world.payByCard(operator, merchantId, 'card1');
  const { payoutId } = await operator.do('deposits.refund', {
    merchantId,
    transactionId: paid,
    amount: '1.00',
    reason,
  });
  const kindsOf = ({ related }: Values) => (related as Values[]).map(({ kind, id }: Values) => [kind, id]);
  const deposit = await operator.do('deposits.show', { merchantId, orderId: 'card1' });
  const { reference } = deposit.attempts[0];
  assert.deepEqual(kindsOf(deposit), [
    ['attempt', reference],
    ['refund', payoutId],
  ]);
  const [order] = kindsOf(await operator.do('payouts.show', { merchantId, payoutId }));
  assert.deepEqual(order, ['order', 'card1']);
  const open = await world.payByCard(operator, merchantId, 'card2', ASKING);
  // The first call to the provider may take half a minute.
  await world.gateway.database.pool.query(`update payment_attempts set send_until = now() where transaction_id = $1`, [
    open,
  ]);
  await operator.do('deposits.endAttempts', { merchantId, transactionId: open, reason });
  await operator.do('deposits.overdue');
  for (const list of ['deposits', 'payments', 'transfers', 'refunds'])
    await operator.do(`${list}.list`, { merchantId });
  const exports = [...DESCRIBED.keys()].filter((name) => name.endsWith('.export') && !name.startsWith('batches'));
  for (const name of exports) await operator.do(name, { merchantId });
}

export async function readBooks(stage: OutsideStage): Promise<void> {
  const { world, operator } = stage;
  const { items } = await operator.do('ledger.list', { merchantId });
  await operator.do('ledger.show', { merchantId, journalId: items[0].journal });
  await operator.do('balances.show', { merchantId });
  await operator.do('balances.history', { merchantId });
  await operator.do('ledger.trialBalance');
  await operator.do('volumes.list', { merchantId, ...PERIOD });
  await operator.do('statements.show', { merchantId, currency: 'UAH', ...PERIOD });
  await operator.do('statementKeys.list', { merchantId });
  await operator.do('reconciliation.compareDay', { rail: 'wayforpay', day: DAY });
  await operator.do('reconciliation.readTransfers', { rail: 'stp' });
  await operator.do('reconciliation.listDays', { from: DAY, until: DAY });
  await world.gateway.database.pool.query(
    `insert into differences (rail, day, kind, subject, ours, theirs, found_at) values ('stp', $1, 'amount', 'X', '1', '2', now())`,
    [DAY],
  );
  const [found] = (await operator.do('differences.list', { rail: 'stp', day: DAY, kind: 'amount' })).items;
  const { rail, day, kind, subject } = found;
  await operator.do('differences.show', { rail, day, kind, subject });
  await operator.do('differences.resolve', { rail, day, kind, subject, reason });
  await operator.do('audit.verify');
  await operator.do('books.verify');
}
