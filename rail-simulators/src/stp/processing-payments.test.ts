/** STP's payers on demand: the money that arrives, the notifications, and the effects of the client's responses. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clabe as oracle } from 'clabe-validator';
import { aWhile, eventually } from '../kernel/inbox-under-test.ts';
import {
  CLABE,
  CLABE_PREFIX,
  confirming,
  givingBack,
  PAYER_CLABE,
  type StpUnderTest,
  startStpUnderTest,
} from './under-test.ts';

interface Paid {
  readonly id: number;
  readonly claveRastreo: string;
  readonly monto: string;
  readonly cuentaBeneficiario: string;
}

async function paid(stp: StpUnderTest, fields: Record<string, unknown>): Promise<readonly Paid[]> {
  const { status, body } = await stp.pay(fields);
  assert.equal(status, 200, JSON.stringify(body));
  return body['transfers'] as Paid[];
}

async function abonosNotified(stp: StpUnderTest, count: number): Promise<StpUnderTest['abonos']['received']> {
  await eventually(`${count} abonos`, () => stp.abonos.received.length >= count);
  await aWhile();
  assert.equal(stp.abonos.received.length, count);
  return stp.abonos.received;
}

const summaryHolds = (stp: StpUnderTest, name: string, value: unknown) =>
  eventually(`${name} is ${value}`, async () => (await stp.summary())[name] === value);

describe('an STP abono', () => {
  it('an STP abono has the documented fields, with its amount as a number with two decimals', async (t) => {
    const stp = await startStpUnderTest(t);
    const [transfer] = await paid(stp, { amount: '1234.5', name: 'José Muñoz', concept: 'PEDIDO 7', reference: '77' });
    const [abono] = await abonosNotified(stp, 1);
    assert.match(abono?.raw ?? '', /"monto":1234\.50,/);
    assert.equal(abono?.headers['content-type'], 'application/json');
    assert.deepEqual(abono?.body, {
      id: transfer?.id,
      fechaOperacion: 20260101,
      institucionOrdenante: 40012,
      institucionBeneficiaria: 90646,
      claveRastreo: transfer?.claveRastreo,
      monto: 1234.5,
      nombreOrdenante: 'José Muñoz',
      tipoCuentaOrdenante: 40,
      cuentaOrdenante: PAYER_CLABE,
      rfcCurpOrdenante: 'ND',
      nombreBeneficiario: 'NO DISPONIBLE',
      tipoCuentaBeneficiario: 40,
      cuentaBeneficiario: CLABE,
      rfcCurpBeneficiario: 'ND',
      conceptoPago: 'PEDIDO 7',
      referenciaNumerica: 77,
      empresa: 'TIENDA',
      tipoPago: 1,
      tsLiquidacion: String(stp.clock.now()),
    });
  });

  it('an STP abono is repeated only until it is confirmed', async (t) => {
    const stp = await startStpUnderTest(t);
    const refusals = [
      { status: 500, body: '{"mensaje":"confirmar"}' },
      { status: 200, body: 'OK' },
      { status: 200, body: '{"mensaje":"recibido"}' },
      { status: 400, body: '{"error":"malformed"}' },
      { status: 400, body: '{"mensaje":"devolver"}' },
      { status: 400, body: '{"mensaje":"devolver","id":0}' },
      { status: 503, body: '{"mensaje":"devolver","id":1}' },
    ];
    stp.abonos.answer = () => refusals.shift() ?? confirming();
    await paid(stp, {});
    for (const pauseMs of [500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000]) {
      await eventually(`a pause of ${pauseMs} ms`, () => stp.clock.delays()[0] === pauseMs);
      stp.clock.advance(pauseMs);
    }
    await summaryHolds(stp, 'confirmed', 1);
    const all = await abonosNotified(stp, 8);
    assert.equal(new Set(all.map(({ raw }) => raw)).size, 1);
    assert.deepEqual(stp.clock.delays(), []);
  });

  it('STP returns an abono that the client rejects, and lists it with the reason', async (t) => {
    const stp = await startStpUnderTest(t);
    stp.abonos.answer = givingBack;
    const [transfer] = await paid(stp, { behaviour: 'foreign_clabe' });
    await eventually('it is to be given back', () => stp.clock.delays()[0] === 3_000);
    stp.clock.advance(3_000);
    await summaryHolds(stp, 'given_back', 1);
    const { balance, given_back_amount } = await stp.summary();
    assert.deepEqual([balance, given_back_amount], ['0.00', '100.00']);
    const row = (await stp.find('R', transfer?.claveRastreo ?? '')).body['respuesta'] as Record<string, unknown>;
    assert.deepEqual([row['estado'], row['causaDevolucion']], ['D', 1]);
  });

  it('a contradictory second response to an STP abono has no effect', async (t) => {
    const stp = await startStpUnderTest(t);
    let answers = 0;
    stp.abonos.answer = () => (answers++ === 0 ? confirming() : givingBack());
    await stp.control('faults', { notifications: 'twice' });
    await paid(stp, {});
    await summaryHolds(stp, 'contradictions', 1);
    const { confirmed, given_back } = await stp.summary();
    assert.deepEqual([confirmed, given_back], [1, 0]);
  });
});

describe('a payer at STP', () => {
  for (const [behaviour, fields, monto] of [
    ['exact', {}, '100.00'],
    ['short', {}, '99.00'],
    ['short', { difference: '0.01' }, '99.99'],
    ['over', {}, '101.00'],
    ['over', { difference: '50.5' }, '150.50'],
  ] as const) {
    it(`an STP payer with behaviour ${behaviour} and ${JSON.stringify(fields)} pays ${monto} of 100.00`, async (t) => {
      const stp = await startStpUnderTest(t);
      const [transfer, ...more] = await paid(stp, { behaviour, ...fields });
      assert.deepEqual([transfer?.monto, transfer?.cuentaBeneficiario, more], [monto, CLABE, []]);
      const [abono] = await abonosNotified(stp, 1);
      assert.match(abono?.raw ?? '', new RegExp(`"monto":${monto.replace('.', '\\.')},`));
    });
  }

  it('an STP payer who pays twice sends two transfers with different tracking keys and numbers', async (t) => {
    const stp = await startStpUnderTest(t);
    const transfers = await paid(stp, { behaviour: 'twice', claveRastreo: 'PAGO' });
    assert.deepEqual(
      transfers.map(({ claveRastreo }) => claveRastreo),
      ['PAGO', 'PAGO2'],
    );
    assert.equal(new Set(transfers.map(({ id }) => id)).size, 2);
    await abonosNotified(stp, 2);
    await summaryHolds(stp, 'confirmed', 2);
  });

  it('a late STP payer pays after a delay', async (t) => {
    const stp = await startStpUnderTest(t);
    const { body } = await stp.pay({ behaviour: 'late', after_ms: 86_400_000 });
    assert.deepEqual([body['transfers'], body['due_at']], [[], '2026-01-02T00:00:00.000Z']);
    stp.clock.advance(86_399_999);
    assert.equal((await stp.summary())['received'], 0);
    stp.clock.advance(1);
    const [abono] = await abonosNotified(stp, 1);
    assert.equal(abono?.body['fechaOperacion'], 20260102);
  });

  for (const [behaviour, belongs] of [
    ['unknown_clabe', true],
    ['foreign_clabe', false],
  ] as const) {
    it(`an STP payer with behaviour ${behaviour} pays to a valid CLABE of ${belongs ? 'the client' : 'another client'}`, async (t) => {
      const stp = await startStpUnderTest(t);
      const [transfer] = await paid(stp, { behaviour });
      const paidInto = transfer?.cuentaBeneficiario ?? '';
      assert.deepEqual([oracle.validate(paidInto).ok, oracle.validate(paidInto).tag], [true, 'STP']);
      assert.notEqual(paidInto, CLABE);
      assert.equal(paidInto.startsWith(CLABE_PREFIX), belongs);
      await abonosNotified(stp, 1);
    });
  }

  it('only a query finds an STP transfer whose notification is lost', async (t) => {
    const stp = await startStpUnderTest(t);
    const [transfer] = await paid(stp, { behaviour: 'notification_lost' });
    stp.clock.advance(86_400_000);
    await abonosNotified(stp, 0);
    const [row] = (await stp.reconcile('R', '20260101')).body['datos'] as Record<string, unknown>[];
    assert.deepEqual([row?.['idEF'], row?.['estado']], [transfer?.id, 'LQ']);
  });

  it('the behaviour during_reconciliation notifies an STP transfer while the client reads the list', async (t) => {
    const stp = await startStpUnderTest(t);
    await paid(stp, { behaviour: 'during_reconciliation' });
    await abonosNotified(stp, 0);
    await stp.reconcile('E');
    await abonosNotified(stp, 0);
    assert.equal((await stp.reconcile('R')).body['total'], 1);
    await abonosNotified(stp, 1);
    await stp.reconcile('R');
    await abonosNotified(stp, 1);
  });

  it('the behaviour notified_ten_times sends ten concurrent notifications of one STP transfer', async (t) => {
    const stp = await startStpUnderTest(t);
    await paid(stp, { behaviour: 'notified_ten_times' });
    const all = await abonosNotified(stp, 10);
    assert.equal(new Set(all.map(({ raw }) => raw)).size, 1);
    const { received, confirmed, contradictions } = await stp.summary();
    assert.deepEqual([received, confirmed, contradictions], [1, 1, 0]);
  });

  it('an STP payer can use each tracking key once per day and bank', async (t) => {
    const stp = await startStpUnderTest(t);
    const fields = { account: '4111111111111111', institution: '40072', claveRastreo: '058-25/08/2023/25-300C' };
    await paid(stp, fields);
    const [abono] = await abonosNotified(stp, 1);
    const { tipoCuentaOrdenante, institucionOrdenante, claveRastreo } = abono?.body ?? {};
    assert.deepEqual([tipoCuentaOrdenante, institucionOrdenante, claveRastreo], [3, 40072, fields.claveRastreo]);
    assert.deepEqual(await stp.pay(fields), { status: 409, body: { error: 'tracking_key_used' } });
    await paid(stp, { ...fields, institution: '40012' });
    stp.clock.advance(86_400_000);
    await paid(stp, fields);
    assert.equal((await stp.summary())['received'], 3);
  });

  for (const [field, value] of [
    ['clabe', '646180499000000019'],
    ['clabe', undefined],
    ['amount', '0'],
    ['amount', 100],
    ['amount', '1e3'],
    ['behaviour', 'sometimes'],
    ['behaviour', 'constructor'],
    ['difference', '-1'],
    ['name', ''],
    ['account', 'x'],
    ['institution', '12345'],
    ['claveRastreo', 'x'.repeat(30)],
    ['reference', '12345678'],
    ['after_ms', -1],
    ['amuont', '5'],
  ] as const) {
    it(`the control surface rejects an STP payer with ${field} ${value}`, async (t) => {
      const stp = await startStpUnderTest(t);
      const { status, body } = await stp.pay({ [field]: value });
      const { accepts, ...rest } = body as { accepts: string };
      assert.deepEqual([status, rest], [400, { error: 'invalid', field }]);
      assert.match(accepts, /\w/);
    });
  }

  it('an STP payer with a shortfall cannot pay less than nothing', async (t) => {
    const stp = await startStpUnderTest(t);
    const answer = await stp.pay({ behaviour: 'short', amount: '1.00' });
    assert.deepEqual(answer.body, { error: 'invalid', field: 'difference', accepts: 'less than the amount' });
  });
});

describe('STP notifications under faults', () => {
  it('STP never sends a notification of a transfer that arrived while notifications were off', async (t) => {
    const stp = await startStpUnderTest(t);
    await stp.control('faults', { notifications: 'off' });
    await paid(stp, {});
    await stp.control('faults', { notifications: 'on' });
    stp.clock.advance(600_000);
    await abonosNotified(stp, 0);
    assert.equal((await stp.summary())['unanswered'], 1);
  });

  it('the fault out_of_order swaps pairs of STP notifications and loses none', async (t) => {
    const stp = await startStpUnderTest(t);
    await stp.control('faults', { notifications: 'out_of_order' });
    for (const claveRastreo of ['FIRST', 'SECOND', 'THIRD']) await paid(stp, { claveRastreo });
    await abonosNotified(stp, 2);
    stp.clock.advance(10_000);
    const notified = await abonosNotified(stp, 3);
    assert.deepEqual(
      notified.map(({ body }) => body['claveRastreo']),
      ['SECOND', 'FIRST', 'THIRD'],
    );
  });

  it('a fault puts a different amount into an STP notification, while the list shows the correct amount', async (t) => {
    const stp = await startStpUnderTest(t);
    await stp.control('faults', { notifications: 'wrong_amount' });
    await paid(stp, {});
    const [abono] = await abonosNotified(stp, 1);
    assert.equal(abono?.body['monto'], 999999.99);
    assert.equal(((await stp.reconcile('R')).body['datos'] as Record<string, unknown>[])[0]?.['monto'], 100);
  });
});
