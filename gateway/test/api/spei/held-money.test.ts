/**
 * The operator's decisions about held money, as the merchant and STP see them. The money is credited, or STP returns it
 * exactly once, whatever happens to the order at STP.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { RecordedTransfer, TransferState } from '../../../src/domain/deposits/deposit.ts';
import { composeClabe } from '../../../src/rails/stp/clabe.ts';
import { freePort, type RunningGateway, startGateway } from '../../support/gateway/running-gateway.ts';
import type { TestMerchant } from '../../support/merchants/test-merchant.ts';
import { CLABE_PREFIX, type StpUnderControl, startStpUnderControl } from '../../support/rails/stp-under-control.ts';
import { dumpTables, findSecrets } from '../../support/secrets/hiding-places.ts';
import { assertGenuine } from '../../support/servers/callback-receiver.ts';
import { until } from '../../support/tools/until.ts';

/** An unassigned CLABE with our prefix. */
const NOBODYS = composeClabe(CLABE_PREFIX, 9_999_999n);

let stp: StpUnderControl;
let gateway: RunningGateway;

before(async () => {
  const port = await freePort();
  stp = await startStpUnderControl(`http://127.0.0.1:${port}/rail-notifications/stp`);
  gateway = await startGateway({
    variables: { ...stp.variables, PORT: String(port) },
    pace: { rail: { timeoutMs: 4_000, askAfterMs: [100], notFoundProofMs: 700 } },
  });
});

after(async () => {
  await stp.close();
  await gateway.verifyAndStop();
});

/** Creates a deposit of 100.00 whose payer sent 40.00, which is held. */
async function shortPaid(
  merchant: TestMerchant,
  order: string,
  payer: Readonly<Record<string, unknown>> = {},
): Promise<RecordedTransfer> {
  const { clabe } = await merchant.deposit(order);
  await stp.pay(clabe, { amount: '40.00', ...payer });
  return until('the money is held', async () => {
    const held = await gateway.operations.deposits.held(1_000);
    return held.find(({ payTo }) => payTo === clabe);
  });
}

async function transferOf(merchant: TestMerchant, order: string): Promise<RecordedTransfer> {
  const found = await gateway.operations.deposits.find(merchant.id, order);
  const [transfer] = found?.transfers ?? [];
  assert.ok(transfer);
  return transfer;
}

async function suspenseOf({ id }: TestMerchant): Promise<bigint> {
  const record = await gateway.operations.merchants.find(id);
  return record?.balances.get('MXN')?.suspense ?? 0n;
}

interface ReturnCase {
  readonly orders: string;
  /** The final state of the transfer. */
  readonly ends: TransferState;
  readonly suspense: bigint;
  /** The state of the only order in STP's book. Absent if STP never received the order. */
  readonly book?: string;
}

const RETURNS: readonly ReturnCase[] = [
  { orders: 'settle', ends: 'returned', suspense: 0n, book: 'LQ' },
  { orders: 'settle_unanswered', ends: 'returned', suspense: 0n, book: 'LQ' },
  { orders: 'settle_500', ends: 'returned', suspense: 0n, book: 'LQ' },
  { orders: 'cancel', ends: 'held', suspense: 4_000n, book: 'CN' },
  { orders: 'return', ends: 'held', suspense: 4_000n, book: 'D' },
  { orders: 'return_notified', ends: 'held', suspense: 4_000n, book: 'D' },
  { orders: 'refuse', ends: 'held', suspense: 4_000n },
];

describe('the return of held money through STP', () => {
  for (const { orders, ends, suspense, book } of RETURNS) {
    it(`a return becomes ${ends} when STP responds to the order with "${orders}"`, async () => {
      const merchant = await gateway.merchant();
      const held = await shortPaid(merchant, 'N1');
      const before = new Set((await stp.sent()).map(({ id }) => id));
      await stp.faults({ orders });
      const returned = await gateway.operations.deposits.returnTransfer({ ...held, reason: 'nobody asked for it' });
      assert.ok(returned.ok);
      await until(`the money is ${ends}`, async () => {
        const payout = await gateway.operations.payouts.find(returned.value);
        const isOver = payout?.payout.state !== 'pending' && (await transferOf(merchant, 'N1')).state === ends;
        return isOver && (ends !== 'held' || (await suspenseOf(merchant)) === suspense);
      });
      assert.equal(await suspenseOf(merchant), suspense);
      const sent = (await stp.sent()).filter(({ id }) => !before.has(id));
      assert.deepEqual(
        sent.map(({ monto, estado }) => [monto, estado]),
        book === undefined ? [] : [['40.00', book]],
      );
      await stp.faults({ orders: 'settle' });
      assert.equal((await merchant.list('MXN')).length, 0, 'the merchant’s list does not show the return');
    });
  }

  it('a forged notification of a failed return does not change the returned transfer', async () => {
    const merchant = await gateway.merchant();
    const returned = await gateway.operations.deposits.returnTransfer({
      ...(await shortPaid(merchant, 'N1')),
      reason: 'too little',
    });
    assert.ok(returned.ok);
    await until('the money is returned', async () => (await transferOf(merchant, 'N1')).state === 'returned');
    const payout = await gateway.operations.payouts.find(returned.value);
    const folioOrigen = payout?.attempts.at(-1)?.reference;
    const forged = { id: 999, empresa: 'GATEWAY', folioOrigen, estado: 'D', causaDevolucion: 1 };
    const answer = await fetch(`${gateway.url}/rail-notifications/stp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(forged),
    });
    assert.equal(answer.status, 503);
    assert.equal((await transferOf(merchant, 'N1')).state, 'returned');
    assert.equal(await suspenseOf(merchant), 0n);
  });

  it('a return from an unknown CLABE empties the operator’s suspense', async () => {
    await stp.pay(NOBODYS, { amount: '12.34' });
    const held = await until('the operator holds it', async () =>
      (await gateway.operations.deposits.held(1_000)).find(({ money }) => money.minor === 1_234n),
    );
    assert.ok((await gateway.operations.deposits.returnTransfer({ ...held, reason: 'nobody knows it' })).ok);
    await until('STP has executed it', async () => (await stp.sent()).some(({ monto }) => monto === '12.34'));
    await until('the operator holds nothing more', async () => {
      const record = await gateway.operations.merchants.find('operator');
      const balances = record?.balances.get('MXN');
      return balances?.suspense === 0n && balances.reserved === 0n;
    });
  });

  it('a return is sent again after the gateway has proved that STP never received it', async () => {
    const merchant = await gateway.merchant();
    const held = await shortPaid(merchant, 'N1');
    await stp.faults({ orders: 'lose' });
    const before = (await stp.sent()).length;
    const returned = await gateway.operations.deposits.returnTransfer({ ...held, reason: 'nobody asked for it' });
    assert.ok(returned.ok);
    await until('the first attempt has an unknown outcome', async () => {
      const payout = await gateway.operations.payouts.find(returned.value);
      return payout?.attempts.some(({ outcome }) => outcome === 'unknown');
    });
    await stp.faults({ orders: 'settle' });
    await until('the money is returned', async () => (await transferOf(merchant, 'N1')).state === 'returned');
    assert.equal((await stp.sent()).length, before + 1);
  });

  it('a payer can still pay a deposit after the operator returned a shortfall', async () => {
    const merchant = await gateway.merchant();
    const held = await shortPaid(merchant, 'N1');
    assert.ok((await gateway.operations.deposits.returnTransfer({ ...held, reason: 'too little' })).ok);
    await stp.pay(held.payTo);
    await until('the deposit is paid', async () => {
      const [listed] = await merchant.list('MXN', { type: 'deposit', order: 'N1' });
      return listed?.['status'] === 'success';
    });
    await until('the shortfall is returned', async () => (await transferOf(merchant, 'N1')).state === 'returned');
  });
});

describe('transfers from a card', () => {
  const CARD = '4539578763621486';
  const FROM_CARD = { account: CARD, concept: `from ${CARD.replace(/(\d{4})(?=\d)/g, '$1 ')}` };

  async function sealedCards({ id }: TestMerchant): Promise<number> {
    const { rows } = await gateway.database.pool.query(
      'select count(*)::int as cards from vault_records where merchant_id = $1 and destroy_at is null',
      [id],
    );
    return rows[0].cards;
  }

  it('a transfer from a card is returned to that card', async () => {
    const merchant = await gateway.merchant();
    const held = await shortPaid(merchant, 'N1', FROM_CARD);
    assert.equal(held.originator.account, '453957******1486');
    assert.equal(held.originator.concept, 'from **** **** **** ****');
    assert.equal(await sealedCards(merchant), 1);
    assert.ok((await gateway.operations.deposits.returnTransfer({ ...held, reason: 'too little' })).ok);
    await until('the money is returned', async () => (await transferOf(merchant, 'N1')).state === 'returned');
    assert.equal((await stp.sent()).at(-1)?.cuentaBeneficiario, CARD);
    for (const [table, dump] of await dumpTables(gateway.database.pool))
      assert.deepEqual(findSecrets(dump, { card: CARD }), [], table);
    assert.deepEqual(findSecrets(gateway.log.join('\n'), { card: CARD }), []);
  });

  it('the vault destroys the card of a transfer once its money is credited', async () => {
    const merchant = await gateway.merchant();
    const { clabe } = await merchant.deposit('N1');
    await stp.pay(clabe, FROM_CARD);
    await until('the deposit is paid', () => gateway.receiver.about(merchant.id, 'N1').at(0));
    assert.equal(await sealedCards(merchant), 0);
    const held = await shortPaid(merchant, 'N2', FROM_CARD);
    assert.equal(await sealedCards(merchant), 1);
    assert.ok((await gateway.operations.deposits.resolve({ ...held, to: null, reason: 'the merchant agrees' })).ok);
    assert.equal(await sealedCards(merchant), 0);
  });
});

describe('crediting of held money', () => {
  it('a credited shortfall completes the deposit with the received amount and calls back the merchant', async () => {
    const merchant = await gateway.merchant();
    const held = await shortPaid(merchant, 'N1');
    const resolved = await gateway.operations.deposits.resolve({ ...held, to: null, reason: 'the merchant agrees' });
    assert.ok(resolved.ok);
    const callback = await until('the callback', () => gateway.receiver.about(merchant.id, 'N1').at(0));
    assertGenuine(callback, merchant.key);
    const { co_inv_st, co_amount, co_base_amount } = callback.fields;
    assert.deepEqual([co_inv_st, co_amount, co_base_amount], ['success', '40.00', '100.00']);
  });

  it('the operator credits held money of an unknown CLABE to a chosen deposit', async () => {
    const merchant = await gateway.merchant();
    await merchant.deposit('N1');
    await stp.pay(NOBODYS, { amount: '100.00' });
    const held = await until('the operator holds it', async () =>
      (await gateway.operations.deposits.held(1_000)).find(({ payTo }) => payTo === NOBODYS),
    );
    assert.equal(held.merchantId, 'operator');
    const to = { merchantId: merchant.id, orderId: 'N1' };
    assert.ok((await gateway.operations.deposits.resolve({ ...held, to, reason: 'the payer mistyped' })).ok);
    const callback = await until('the callback', () => gateway.receiver.about(merchant.id, 'N1').at(0));
    assert.deepEqual([callback.fields['co_inv_st'], callback.fields['co_amount']], ['success', '100.00']);
  });
});
