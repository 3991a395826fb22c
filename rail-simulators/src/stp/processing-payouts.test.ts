/** STP orders over real HTTP: accepted orders, rejections, and the outcomes. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aWhile, eachOf, eventually } from '../kernel/inbox-under-test.ts';
import { assertUnanswered } from '../kernel/simulator-under-test.ts';
import { CLABE, order, PAYER_CLABE, type StpUnderTest, startStpUnderTest } from './under-test.ts';

const settledAfterMs = 2_000;
const returnedAfterMs = 3_000;

async function resultOf(answer: ReturnType<StpUnderTest['register']>): Promise<Record<string, unknown>> {
  const { status, body } = await answer;
  assert.equal(status, 200);
  return body['resultado'] as Record<string, unknown>;
}

async function statesNotified(stp: StpUnderTest, count: number): Promise<unknown[]> {
  await eventually(`${count} changes of state`, () => stp.states.received.length >= count);
  return stp.states.received.map(({ body }) => body['estado']);
}

describe('an STP order', () => {
  it('a signed STP order is executed once', async (t) => {
    const stp = await startStpUnderTest(t);
    assert.deepEqual(await resultOf(stp.register()), { id: 10_000_000 });
    assert.equal((await stp.summary())['orders_settled'], 0);
    stp.clock.advance(settledAfterMs);
    await statesNotified(stp, 1);
    assert.deepEqual(stp.states.received[0]?.body, {
      id: '10000000',
      empresa: 'TIENDA',
      folioOrigen: 'return-1',
      estado: 'LQ',
      causaDevolucion: '',
      tsLiquidacion: String(stp.clock.now()),
    });
    const { orders, orders_settled, orders_settled_amount, balance } = await stp.summary();
    assert.deepEqual([orders, orders_settled, orders_settled_amount, balance], [1, 1, '1.20', '-1.20']);
  });

  it('an STP order is accepted with its amount as a string or a number, with at most two decimals', async (t) => {
    const stp = await startStpUnderTest(t);
    for (const [index, monto] of ['1.20', 1.2, 5, '5.0'].entries()) {
      const result = await resultOf(stp.register({ monto, claveRastreo: `GW${index}` }));
      assert.equal(result['descripcionError'], undefined, String(monto));
    }
  });

  it('an STP order can contain letters beyond ASCII, which are signed as UTF-8', async (t) => {
    const stp = await startStpUnderTest(t);
    assert.ok(Number((await resultOf(stp.register({ nombreBeneficiario: 'José Muñoz' })))['id']) > 0);
  });

  const firma = order()['firma'];
  const refusals: readonly (readonly [what: string, fields: Record<string, unknown>, id: number, words: RegExp])[] = [
    ['a field changed after signing', { firma, monto: '1.21' }, 0, /^Error validando la firma$/],
    ['a signature that is none', { firma: 'x' }, 0, /^Error validando la firma$/],
    ['no signature', { firma: '' }, 0, /^El campo <FIRMA> es obligatorio$/],
    ['no concept', { conceptoPago: '' }, 0, /^El campo <CONCEPTO PAGO> es obligatorio$/],
    ['another company', { empresa: 'OTRA' }, 0, /^Firma invalida No entity found for query$/],
    ['a tracking key with a sign', { claveRastreo: 'GW-1' }, -34, /^Clave rastreo invalida : GW-1$/],
    ['nothing to pay', { monto: '0.00' }, -20, /^El monto \{0\.00\} no es válido$/],
    ['half a cent', { monto: '1.005' }, -20, /no es válido$/],
    ['an unknown institution', { institucionContraparte: '90679' }, -9, /^La Institucion 90679 no es valida$/],
    ['an account of the wrong kind', { tipoCuentaBeneficiario: '3' }, -11, /^El tipo de cuenta 3 es invalido$/],
    ['a CLABE with a wrong check digit', { cuentaBeneficiario: '012180015000000001' }, -11, /tipo de cuenta 40/],
    ['no account to take it from', { cuentaOrdenante: '' }, -200, /Se rechaza por PLD$/],
    ['an account that isn’t the client’s', { cuentaOrdenante: PAYER_CLABE }, -7, /^La cuenta \{\d{18}\} no existe $/],
    ['a bank other than the CLABE’s', { institucionContraparte: '40002' }, -22, /no coincide .* \{40002\}$/],
    [
      'the same account on both sides',
      { cuentaBeneficiario: CLABE, institucionContraparte: '90646' },
      -24,
      /^Cuenta \{\d{18}\} - \{MISMA_CUENTA\}$/,
    ],
  ];
  it('an STP order with an invalid field is rejected with its error number and not booked', async (t) => {
    const stp = await startStpUnderTest(t);
    await eachOf(refusals, async ([_what, fields, id, words]) => {
      const result = await resultOf(stp.register(fields));
      assert.equal(result['id'], id);
      assert.match(String(result['descripcionError']), words);
      assert.equal((await stp.summary())['orders'], 0);
    });
  });

  it('an STP order is rejected while the client has registered no key', async (t) => {
    const stp = await startStpUnderTest(t, { findPublicKey: () => undefined });
    assert.match(String((await resultOf(stp.register()))['descripcionError']), /^Firma invalida/);
  });

  it('STP executes one of a hundred concurrent orders with one tracking key and rejects the rest', async (t) => {
    const stp = await startStpUnderTest(t);
    const results = await Promise.all(Array.from({ length: 100 }, () => resultOf(stp.register())));
    assert.equal(results.filter(({ id }) => id === 10_000_000).length, 1);
    assert.equal(results.filter(({ id }) => id === -1).length, 99);
    const refused = results.find(({ id }) => id === -1);
    const words = 'La clave de rastreo {GW0001} para la fecha {20260101} de la institucion {90646} ya fue utilizada';
    assert.equal(refused?.['descripcionError'], words);
    assert.equal((await stp.summary())['orders'], 1);
    stp.clock.advance(7 * 86_400_000);
    assert.ok(Number((await resultOf(stp.register()))['id']) > 0, 'another day, another order');
  });

  it('an STP order that is not JSON is rejected', async (t) => {
    const stp = await startStpUnderTest(t);
    const response = await fetch(`${stp.url}/speiws/rest/ordenPago/registra`, { method: 'PUT', body: '<xml/>' });
    assert.equal(response.status, 400);
  });
});

describe('the outcome of an STP order', () => {
  it('an STP order can be cancelled by STP', async (t) => {
    const stp = await startStpUnderTest(t);
    await stp.control('faults', { orders: 'cancel' });
    await stp.register();
    stp.clock.advance(settledAfterMs);
    assert.deepEqual(await statesNotified(stp, 1), ['CN']);
    assert.equal((await stp.summary())['balance'], '0.00');
  });

  it('STP reports the return of a settled order as a received transfer that is not a payment', async (t) => {
    const stp = await startStpUnderTest(t);
    await stp.control('faults', { orders: 'return' });
    await stp.register();
    stp.clock.advance(settledAfterMs);
    assert.deepEqual(await statesNotified(stp, 1), ['LQ']);
    stp.clock.advance(returnedAfterMs);
    assert.deepEqual(await statesNotified(stp, 2), ['LQ', 'D']);
    assert.equal(stp.states.received[1]?.body['causaDevolucion'], '1');
    const [row, ...more] = (await stp.reconcile('R')).body['datos'] as Record<string, unknown>[];
    assert.deepEqual(more, []);
    assert.deepEqual([row?.['tipoPago'], row?.['claveRastreo'], row?.['causaDevolucion']], [0, 'GW0001', 1]);
    assert.equal(stp.abonos.received.length, 0);
    const { received, orders_returned, balance } = await stp.summary();
    assert.deepEqual([received, orders_returned, balance], [0, 1, '0.00']);
  });

  it('STP can notify a returned order as an abono under the order’s own tracking key', async (t) => {
    const stp = await startStpUnderTest(t);
    await stp.control('faults', { orders: 'return_notified' });
    await stp.register();
    stp.clock.advance(settledAfterMs);
    await statesNotified(stp, 1);
    stp.clock.advance(returnedAfterMs);
    await statesNotified(stp, 2);
    await eventually('the abono is confirmed', async () => (await kindsOf(stp)).includes('confirmed'));
    const { tipoPago, claveRastreo, monto, cuentaBeneficiario } = stp.abonos.received[0]?.body ?? {};
    assert.deepEqual([tipoPago, claveRastreo, monto, cuentaBeneficiario], [0, 'GW0001', 1.2, CLABE]);
    assert.equal((await stp.summary())['balance'], '0.00');
  });

  it('a fault makes STP reject a valid order', async (t) => {
    const stp = await startStpUnderTest(t);
    await stp.control('faults', { orders: 'refuse' });
    const refused = { id: -9, descripcionError: 'La Institucion 40012 no es valida' };
    assert.deepEqual(await resultOf(stp.register()), refused);
    assert.equal((await stp.summary())['orders'], 0);
  });

  it('a fault makes STP lose an order without a response', async (t) => {
    const stp = await startStpUnderTest(t);
    await stp.control('faults', { orders: 'lose' });
    await assertUnanswered(stp, stp.register());
    assert.equal((await stp.summary())['orders'], 0);
    await stp.control('faults', { orders: 'settle' });
    assert.ok(Number((await resultOf(stp.register()))['id']) > 0, 'its tracking key was not used');
  });

  it('a fault makes STP leave an order pending without any notification', async (t) => {
    const stp = await startStpUnderTest(t);
    await stp.control('faults', { orders: 'stay' });
    await stp.register();
    stp.clock.advance(60_000);
    await aWhile();
    assert.equal(stp.states.received.length, 0);
    assert.equal(((await stp.find('E', 'GW0001')).body['respuesta'] as Record<string, unknown>)['estado'], 'L');
  });

  it('a query finds an STP order whose response was lost or unusable', async (t) => {
    await eachOf(['settle_500', 'settle_unanswered'] as const, async (orders) => {
      const stp = await startStpUnderTest(t);
      await stp.control('faults', { orders });
      if (orders === 'settle_500') assert.equal((await stp.register()).status, 500);
      else await assertUnanswered(stp, stp.register());
      stp.clock.advance(settledAfterMs);
      assert.deepEqual(await statesNotified(stp, 1), ['LQ']);
      assert.equal(((await stp.find('E', 'GW0001')).body['respuesta'] as Record<string, unknown>)['estado'], 'LQ');
    });
  });

  it('a fault makes STP report an order’s state in its other vocabulary', async (t) => {
    const stp = await startStpUnderTest(t);
    await stp.control('faults', { orders: 'return', state_words: 'words' });
    await stp.register();
    stp.clock.advance(settledAfterMs);
    await statesNotified(stp, 1);
    stp.clock.advance(returnedAfterMs);
    assert.deepEqual(await statesNotified(stp, 2), ['Success', 'Refund']);
  });

  it('an STP state change is notified until the client confirms it', async (t) => {
    const stp = await startStpUnderTest(t);
    const receiving = stp.states.answer;
    stp.states.answer = () => ({ status: 200, body: 'OK' });
    await stp.register();
    stp.clock.advance(settledAfterMs);
    await eventually('a second attempt is due', () => stp.clock.delays()[0] === 500);
    stp.states.answer = receiving;
    stp.clock.advance(500);
    await eventually('it is received', async () => (await kindsOf(stp)).includes('state_acknowledged'));
    assert.equal(stp.states.received.length, 2);
  });

  it('the STP summary lists a folio that was paid under two tracking keys', async (t) => {
    const stp = await startStpUnderTest(t);
    for (const claveRastreo of ['A1', 'A2']) await stp.register({ claveRastreo, folioOrigen: 'return-7' });
    await stp.register({ claveRastreo: 'A3', folioOrigen: 'return-8' });
    stp.clock.advance(settledAfterMs);
    await eventually('all are settled', async () => (await stp.summary())['orders_settled'] === 3);
    assert.deepEqual((await stp.summary())['folios_settled_over_one'], ['return-7']);
  });
});

async function kindsOf(stp: StpUnderTest): Promise<readonly string[]> {
  const entries = (await stp.control('book')).body['entries'] as { kind: string }[];
  return entries.map(({ kind }) => kind);
}
