/**
 * Large abonos. They have no signature, so the gateway queries STP before it credits one. The forged abonos come from an
 * allowed address and are correct in every field. The gateway never credits a transfer that STP does not have, and credits a
 * transfer that STP has exactly once, however often STP notifies it.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { operationDate } from '../../../src/rails/stp/operation-date.ts';
import { type SpeiStage, startSpeiStage } from '../../support/deposits/spei-stage.ts';
import type { CreatedDeposit, TestMerchant } from '../../support/merchants/test-merchant.ts';
import type { PaidTransfer } from '../../support/rails/stp-under-control.ts';
import { until } from '../../support/tools/until.ts';

const ABOVE = '50000.01';
const ABOVE_MINOR = 5_000_001n;
const UP_TO = '50000.00';
/** Longer than any test. Lowering the latency releases the queries. */
const SILENT_MS = 600_000;

let stage: SpeiStage;
let orders = 0;

before(async () => {
  stage = await startSpeiStage();
});
afterEach(() => stage.stp.faults({ down: false, latency_ms: 0, answer_500: 0, notifications: 'on' }));
after(() => stage.verifyAndStop());

interface Scene {
  readonly merchant: TestMerchant;
  readonly deposit: CreatedDeposit;
}

async function unpaid(amount = ABOVE): Promise<Scene> {
  const merchant = await stage.gateway.merchant();
  return { merchant, deposit: await merchant.deposit(`L${++orders}`, { amount }) };
}

async function pay(clabe: string, change: object = {}): Promise<PaidTransfer> {
  const [paid] = await stage.stp.pay(clabe, { amount: ABOVE, ...change });
  assert(paid);
  return paid;
}

/** Sends an abono as anyone who knows one of our CLABEs could write it. */
function notify(clabe: string, change: object = {}): Promise<Response> {
  const abono = {
    id: 900_000 + orders,
    fechaOperacion: Number(operationDate(Date.now())),
    institucionOrdenante: 40012,
    institucionBeneficiaria: 90646,
    claveRastreo: `FORGED${orders}`,
    monto: Number(ABOVE),
    nombreOrdenante: 'ANA PAGADORA',
    cuentaOrdenante: '012180015000000000',
    cuentaBeneficiario: clabe,
    conceptoPago: 'PAGO',
    referenciaNumerica: 1234567,
    empresa: 'GATEWAY',
    tipoPago: 1,
    tsLiquidacion: String(Date.now()),
    ...change,
  };
  const headers = { 'content-type': 'application/json' };
  const url = `${stage.gateway.url}/rail-notifications/stp`;
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(abono) });
}

const recordedOf = async (clabe: string): Promise<number> => {
  const { rows } = await stage.gateway.database.pool.query(
    'select count(*)::int as recorded from incoming_transfers where pay_to = $1',
    [clabe],
  );
  return rows[0].recorded;
};

async function assertNothing({ merchant, deposit }: Scene): Promise<void> {
  assert.equal(await recordedOf(deposit.clabe), 0);
  assert.equal(await stage.state(merchant, deposit.order), 'pending');
  assert.equal(await stage.account(merchant.id, 'available'), 0n);
  assert.equal(await stage.account(merchant.id, 'suspense'), 0n);
}

async function assertCredited({ merchant, deposit }: Scene, foundBy = 'notification', minor = ABOVE_MINOR) {
  const kept = await stage.transfersTo(deposit.clabe);
  assert.deepEqual(
    kept.map(({ state, found_by, amount }) => [state, found_by, BigInt(amount)]),
    [['credited', foundBy, minor]],
  );
  assert.equal(await stage.state(merchant, deposit.order), 'success');
  assert.equal(await stage.account(merchant.id, 'available'), minor);
}

const refusals = (text: string) =>
  stage.gateway.log.filter((line) => line.includes('rail_notification_rejected') && line.includes(text));

async function counted(metric: string): Promise<number> {
  const text = await (await fetch(`${stage.gateway.opsUrl}/metrics`)).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(metric))
      ?.slice(metric.length) ?? 0,
  );
}

const CONFIRMED = 'gateway_rail_call_seconds_count{rail="stp",call="confirm",answer="confirmed"}';

describe('a true large abono', () => {
  it('a large abono is credited after STP confirms it', async () => {
    const scene = await unpaid();
    const before = await counted(CONFIRMED);
    await pay(scene.deposit.clabe);
    await assertCredited(scene);
    assert.equal(await counted(CONFIRMED), before + 1);
  });

  it('ten simultaneous notifications of one large abono are credited once and confirmed to STP', async () => {
    const scene = await unpaid();
    const paid = await pay(scene.deposit.clabe, { behaviour: 'notified_ten_times' });
    await assertCredited(scene);
    const isConfirmed = async () => (await stage.stp.story(paid)).includes('confirmed');
    await until('STP is answered', isConfirmed);
    assert.equal(await recordedOf(scene.deposit.clabe), 1);
  });

  it('a large abono is credited only after STP’s queries work again', async () => {
    const scene = await unpaid();
    await stage.stp.faults({ down: true });
    const paid = await pay(scene.deposit.clabe, { claveRastreo: 'WHILEDOWN' });
    await until('the notification is answered 503', () => refusals('WHILEDOWN').length > 0);
    await assertNothing(scene);
    assert.equal((await stage.stp.story(paid)).includes('return_requested'), false, 'STP does not return the transfer');
    await stage.stp.faults({ down: false });
    await assertCredited(scene);
  });

  it('the reconciliation finds a large abono when the gateway’s query to STP failed', async () => {
    const scene = await unpaid();
    const { claveRastreo } = await pay(scene.deposit.clabe, { behaviour: 'notification_lost' });
    await stage.stp.faults({ answer_500: 1 });
    assert.equal((await notify(scene.deposit.clabe, { claveRastreo })).status, 503);
    await assertNothing(scene);
    await stage.reconcile();
    await assertCredited(scene, 'reconciliation');
  });

  it('a repeated notification of a recorded large abono is confirmed without a query', async () => {
    const scene = await unpaid();
    const { claveRastreo } = await pay(scene.deposit.clabe);
    await assertCredited(scene);
    await stage.stp.faults({ down: true });
    const again = await notify(scene.deposit.clabe, { claveRastreo });
    assert.deepEqual([again.status, await again.json()], [200, { mensaje: 'confirmar' }]);
    await assertCredited(scene);
  });

  it('a large abono is recorded with the payer from STP’s response, not from the notification', async () => {
    const scene = await unpaid();
    const { claveRastreo } = await pay(scene.deposit.clabe, { behaviour: 'notification_lost', name: 'TRUE PAYER' });
    const abono = { claveRastreo, nombreOrdenante: 'THIEF', cuentaOrdenante: '012180015000000013' };
    assert.equal((await notify(scene.deposit.clabe, abono)).status, 200);
    const { rows } = await stage.gateway.database.pool.query(
      `select originator->>'name' as name, originator->>'account' as account from incoming_transfers where pay_to = $1`,
      [scene.deposit.clabe],
    );
    assert.deepEqual(rows, [{ name: 'TRUE PAYER', account: '012180015000000000' }]);
    await assertCredited(scene);
  });
});

describe('a forged large abono', () => {
  it('a forged large abono is not credited and raises an alert', async () => {
    const scene = await unpaid();
    const metric = 'gateway_rail_notifications_total{rail="stp",outcome="unconfirmed"}';
    const before = await counted(metric);
    const answers = [];
    for (let tries = 0; tries < 3; tries++) answers.push(await notify(scene.deposit.clabe));
    for (const answer of answers) {
      assert.deepEqual([answer.status, await answer.json()], [503, { error: 'try_again' }]);
      assert.equal(answer.headers.get('retry-after'), '1');
    }
    await assertNothing(scene);
    assert.equal(await counted(metric), before + 3);
    assert.ok(refusals(`FORGED${orders}`)[0]?.includes('STP does not find the transfer'));
    assert.ok(stage.gateway.log.some((line) => line.includes('"alert":"notification_unconfirmed"')));
    await stage.reconcile();
    await assertNothing(scene);
  });

  it('a forged abono under the tracking key of a genuine transfer does not credit another merchant or a higher amount', async () => {
    const victim = await unpaid();
    const thief = await unpaid();
    const { claveRastreo } = await pay(victim.deposit.clabe, { behaviour: 'notification_lost' });
    const forgeries = [
      [thief.deposit.clabe, { claveRastreo }],
      [victim.deposit.clabe, { claveRastreo, monto: 900_000 }],
      [thief.deposit.clabe, { claveRastreo, institucionOrdenante: 40002 }],
      [thief.deposit.clabe, { claveRastreo, tipoPago: 0 }],
    ] as const;
    for (const [clabe, change] of forgeries) assert.equal((await notify(clabe, change)).status, 503);
    await assertNothing(thief);
    await assertNothing(victim);
    assert.equal((await notify(victim.deposit.clabe, { claveRastreo })).status, 200);
    await assertCredited(victim);
    await assertNothing(thief);
  });

  it('a hundred forged abonos while STP is slow get 503 and do not delay a small abono', async () => {
    const scene = await unpaid();
    const small = await unpaid('100.00');
    await stage.stp.faults({ latency_ms: SILENT_MS });
    const forgeries = Array.from({ length: 100 }, (_, index) =>
      notify(scene.deposit.clabe, { claveRastreo: `MANY${index}` }),
    );
    // Each query takes five seconds, so a busy machine runs more than sixteen of them.
    await until('most abonos are put off', () => refusals('overloaded').length >= 50);
    await stage.stp.pay(small.deposit.clabe);
    await stage.transfersTo(small.deposit.clabe);
    await assertCredited(small, 'notification', 10_000n);
    await stage.stp.faults({ latency_ms: 0 });
    assert.deepEqual(new Set((await Promise.all(forgeries)).map(({ status }) => status)), new Set([503]));
    await assertNothing(scene);
  });
});

describe('an abono up to the threshold', () => {
  it('an abono up to the threshold is credited without a query', async () => {
    const scene = await unpaid(UP_TO);
    await stage.stp.faults({ down: true });
    await pay(scene.deposit.clabe, { amount: UP_TO });
    await assertCredited(scene, 'notification', 5_000_000n);
  });
});
