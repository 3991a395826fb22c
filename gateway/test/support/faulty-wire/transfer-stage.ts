/**
 * Runs a complete gateway and STP over a faulty connection. Transfers arrive, and the operator returns held ones. Afterwards
 * the records must match STP's book, or the operator must see the difference.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PayoutRecord } from '../../../src/domain/payouts/payout-record-store.ts';
import type { PayoutKey } from '../../../src/foundation/identifiers.ts';
import { trackingKeyOf } from '../../../src/rails/stp/reference.ts';
import { freePort, startGateway } from '../gateway/running-gateway.ts';
import { daysSince } from '../rails/payout-trial.ts';
import { startStpUnderControl } from '../rails/stp-under-control.ts';
import type { Choices } from '../tools/seeded.ts';
import { until } from '../tools/until.ts';
import { isPaid, lifeOf } from './paid-record.ts';
import { openWires } from './wired.ts';

const PACE = { rail: { timeoutMs: 800, notFoundProofMs: 300, askAfterMs: [150, 300] }, recordingMs: 1_000 } as const;
const TROUBLE_FOR_MS = process.env['TEST_FULL'] ? 3_000 : 1_000;
const LOOK_EVERY_MS = 100;

export type WiredTransfers = Awaited<ReturnType<typeof openWiredTransfers>>;

export async function openWiredTransfers(choices: Choices) {
  const parts = await startEverything(choices);
  const { gateway, wires, stp, openedAt } = parts;
  let transfers = 0;

  const recorded = async () => {
    const { rows } = await gateway.database.pool.query<{ text: string }>(
      `select pay_to || ' ' || amount as text from incoming_transfers where rail = 'stp' and state <> 'sent_back'`,
    );
    return rows.map(({ text }) => text).sort();
  };
  const arrived = async () =>
    (await stp.received())
      .map(({ cuentaBeneficiario, monto }) => `${cuentaBeneficiario} ${monto.replace('.', '')}`)
      .sort();
  return {
    gateway,
    wires,
    /** A payer pays less than the deposit, so that the money is held. */
    async pay(): Promise<void> {
      const merchant = await gateway.merchant();
      const { clabe } = await merchant.deposit(`S${++transfers}`);
      await stp.pay(clabe, { amount: '40.00' });
    },
    async judgeTransfers(): Promise<void> {
      await sleep(TROUBLE_FOR_MS);
      await wires.calm();
      await gateway.operations.reconciliation.transfers('stp');
      await until('the bank’s list is recorded', async () => (await recorded()).length >= (await arrived()).length);
      assert.deepEqual(await recorded(), await arrived());
      await gateway.verify();
    },
    async returnAll(): Promise<readonly PayoutKey[]> {
      const held = await gateway.operations.deposits.held(1_000);
      const returned = await Promise.all(
        held.map((each) => gateway.operations.deposits.returnTransfer({ ...each, reason: 'too little' })),
      );
      return returned.flatMap((result) => (result.ok ? [result.value] : []));
    },
    async judgeReturns(keys: readonly PayoutKey[]): Promise<void> {
      const areOver = async () =>
        (await Promise.all(keys.map((key) => recordOf(parts, key)))).every(({ payout }) => payout.state !== 'pending');
      for (let left = TROUBLE_FOR_MS; left > 0 && !(await areOver()); left -= LOOK_EVERY_MS) await sleep(LOOK_EVERY_MS);
      await wires.calm();
      await until('each return is over', areOver);
      for (const day of daysSince(openedAt)) await gateway.operations.reconciliation.run('stp', day);
      for (const key of keys) await judgeReturn(parts, key);
      wires.assertAnswersProper();
      await gateway.verify();
    },
    async close() {
      await gateway.verifyAndStop().finally(async () => {
        await stp.close();
        await wires.close();
      });
    },
  };
}

type Parts = Awaited<ReturnType<typeof startEverything>>;

async function startEverything(choices: Choices) {
  const port = await freePort();
  const wires = await openWires(`http://127.0.0.1:${port}`, choices);
  const stp = await startStpUnderControl(`${wires.notificationsUrl}/rail-notifications/stp`);
  const openedAt = Date.now();
  const gateway = await startGateway({
    withoutBank: true,
    pace: PACE,
    variables: {
      ...(await wires.beforeAll('stp', stp.variables, '')),
      // STP signs nothing, so only its own response proves a transfer.
      STP_CONFIRM_ABOVE: '0',
      PORT: String(port),
    },
  });
  return { gateway, wires, stp, openedAt };
}

async function recordOf({ gateway }: Parts, key: PayoutKey): Promise<PayoutRecord> {
  const record = await gateway.operations.payouts.find(key);
  assert.ok(record);
  return record;
}

async function judgeReturn(parts: Parts, key: PayoutKey): Promise<void> {
  const record = await recordOf(parts, key);
  const { attempts } = record;
  const own = new Set(attempts.map(({ reference }) => trackingKeyOf(reference)));
  const orders = (await parts.stp.sent()).filter(({ claveRastreo }) => own.has(claveRastreo));
  const paid = orders.filter(({ estado }) => estado === 'LQ').length;
  assert.ok(paid <= 1, `STP executed ${key.payoutId} ${paid} times`);
  const query = { rail: 'stp', day: null, kind: null, openOnly: true } as const;
  const open = await parts.gateway.operations.differences.list(query);
  const isOpen = open.some(({ payoutId }) => payoutId === key.payoutId);
  const isAgreed = isPaid(record) === (paid === 1) || isOpen;
  assert.ok(isAgreed, `${lifeOf(record)}, and STP executed it ${paid} times`);
}
