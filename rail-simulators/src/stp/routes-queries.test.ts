/** STP's lists and queries, and its book on disk. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { aWhile, eventually, openInbox } from '../kernel/inbox-under-test.ts';
import { ManualClock } from '../manual-clock.ts';
import { operationDate } from './operation-date.ts';
import { confirming, confirmingInbox, EMPRESA, givingBack, receiving, sign, startStpUnderTest } from './under-test.ts';

const nothingFound = {
  status: 400,
  body: { estado: 6, mensaje: 'No se encontraron datos relacionados', total: 0 },
};

describe('STP’s list of a day', () => {
  it('the pages of the STP list contain the transfers in order of arrival', async (t) => {
    const stp = await startStpUnderTest(t, { rowsPerPage: 2 });
    for (const claveRastreo of ['P1', 'P2', 'P3']) await stp.pay({ claveRastreo });
    const keysOf = async (page: number) => {
      const { body } = await stp.reconcile('R', '', page);
      assert.deepEqual([body['estado'], body['mensaje'], body['total']], [0, 'Datos consultados correctamente', 3]);
      return (body['datos'] as { claveRastreo: string }[]).map(({ claveRastreo }) => claveRastreo);
    };
    assert.deepEqual([await keysOf(0), await keysOf(1)], [['P1', 'P2'], ['P3']]);
    assert.deepEqual(await stp.reconcile('R', '', 2), nothingFound);
    assert.deepEqual(await stp.reconcile('E'), nothingFound);
  });

  it('the STP list has amounts with two decimals, and null for unknown fields', async (t) => {
    const stp = await startStpUnderTest(t);
    await stp.pay({ amount: '5' });
    const firma = sign(`||${EMPRESA}|R|||`);
    const response = await fetch(`${stp.url}/efws/API/V2/conciliacion`, {
      method: 'POST',
      body: JSON.stringify({ empresa: EMPRESA, page: 0, tipoOrden: 'R', fechaOperacion: '', firma }),
    });
    const text = await response.text();
    assert.match(text, /"monto":5\.00,/);
    assert.match(text, /"causaDevolucion":null/);
  });

  it('the STP list of the current operation date does not need a date, and a list of an earlier date does', async (t) => {
    const stp = await startStpUnderTest(t);
    await stp.pay();
    assert.equal((await stp.reconcile('R')).body['total'], 1);
    assert.deepEqual(await stp.reconcile('R', '20260101'), nothingFound);
    stp.clock.advance(86_400_000);
    assert.deepEqual(await stp.reconcile('R'), nothingFound);
    assert.equal((await stp.reconcile('R', '20260101')).body['total'], 1);
  });

  for (const [what, change] of [
    ['another signature', { firma: 'x' }],
    ['a signature over another date', { fechaOperacion: '20251231' }],
    ['another company', { empresa: 'OTRA' }],
    ['another direction', { tipoOrden: 'X', firma: sign(`||${EMPRESA}|X|||`) }],
    ['no page', { page: 'x' }],
  ] as const) {
    it(`a query of the STP list with ${what} is rejected`, async (t) => {
      const stp = await startStpUnderTest(t);
      await stp.pay();
      const query = { empresa: EMPRESA, page: 0, tipoOrden: 'R', fechaOperacion: '', firma: sign(`||${EMPRESA}|R|||`) };
      const response = await fetch(`${stp.url}/efws/API/V2/conciliacion`, {
        method: 'POST',
        body: JSON.stringify({ ...query, ...change }),
      });
      assert.deepEqual([response.status, ((await response.json()) as { estado: number }).estado], [400, 1]);
    });
  }
});

describe('the query for an STP transfer', () => {
  it('the STP query finds a transfer by tracking key and direction, or reports that none exists', async (t) => {
    const stp = await startStpUnderTest(t);
    await stp.pay({ claveRastreo: 'P1' });
    const found = (await stp.find('R', 'P1')).body['respuesta'] as Record<string, unknown>;
    assert.deepEqual([found['claveRastreo'], found['tipoPago']], ['P1', 1]);
    assert.deepEqual(await stp.find('E', 'P1'), nothingFound);
    assert.deepEqual(await stp.find('R', 'P2'), nothingFound);
  });
});

describe('the operation date of SPEI', () => {
  for (const [utc, date] of [
    ['2023-08-25T20:47:19Z', '20230825'],
    ['2023-08-25T00:02:32Z', '20230825'],
    ['2023-08-26T00:00:00Z', '20230828'],
    ['2020-04-18T08:04:09Z', '20200420'],
    ['2026-11-22T12:00:00Z', '20261123'],
  ] as const) {
    it(`the operation date of ${utc} is ${date}`, () => assert.equal(operationDate(Date.parse(utc)), date));
  }
});

function newBookPath(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'stp-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'data', 'stp.jsonl');
}

describe('STP’s book on disk', () => {
  it('STP’s book has a payment and an order before their responses, and after a restart', async (t) => {
    const bookPath = newBookPath(t);
    const abonos = await confirmingInbox(t);
    const before = await startStpUnderTest(t, { bookPath, abonos });
    const payments = Array.from({ length: 20 }, (_, number) => before.pay({ claveRastreo: `P${number}` }));
    const orders = Array.from({ length: 20 }, (_, number) => before.register({ claveRastreo: `GW${number}` }));
    await Promise.all([...payments, ...orders]);
    const lines = readFileSync(bookPath, 'utf8').trim().split('\n');
    assert.match(lines[0] ?? '', /no money moved/);
    assert.equal(lines.filter((line) => /"kind":"(?:received|order_accepted)"/.test(line)).length, 40);
    await eventually('all are confirmed', async () => (await before.summary())['confirmed'] === 20);
    const summary = await before.summary();
    await before.close();
    const after = await startStpUnderTest(t, { bookPath, abonos });
    assert.deepEqual(await after.summary(), summary);
    assert.equal((await after.pay({ claveRastreo: 'P7' })).status, 409);
    assert.deepEqual((await after.register({ claveRastreo: 'GW7' })).body['resultado'], {
      id: -1,
      descripcionError: 'La clave de rastreo {GW7} para la fecha {20260101} de la institucion {90646} ya fue utilizada',
    });
    assert.equal((await after.control('reset', {})).status, 409);
  });

  it('after a restart STP repeats unconfirmed notifications only', async (t) => {
    const bookPath = newBookPath(t);
    const abonos = await openInbox(t);
    abonos.answer = ({ body }) => (body['claveRastreo'] === 'P1' ? { status: 503, body: '' } : confirming());
    const before = await startStpUnderTest(t, { bookPath, abonos });
    for (const claveRastreo of ['P1', 'P2']) await before.pay({ claveRastreo });
    await eventually('one is confirmed', async () => (await before.summary())['confirmed'] === 1);
    await before.close();
    abonos.received.length = 0;
    abonos.answer = confirming;
    const after = await startStpUnderTest(t, { bookPath, abonos });
    await eventually('both are confirmed', async () => (await after.summary())['confirmed'] === 2);
    await aWhile();
    assert.deepEqual(
      abonos.received.map(({ body }) => body['claveRastreo']),
      ['P1'],
    );
  });

  it('after a restart STP continues pending orders and returns, each at its due time', async (t) => {
    const bookPath = newBookPath(t);
    const clock = new ManualClock();
    const abonos = await openInbox(t);
    abonos.answer = givingBack;
    const states = await openInbox(t);
    states.answer = receiving;
    const before = await startStpUnderTest(t, { bookPath, clock, abonos, states });
    await before.pay();
    await eventually('the return is due', () => clock.delays()[0] === 3_000);
    await before.register();
    clock.advance(500);
    await before.close();
    assert.deepEqual(clock.delays(), []);
    const after = await startStpUnderTest(t, { bookPath, clock, abonos, states });
    assert.deepEqual(clock.delays(), [1_500, 2_500]);
    clock.advance(2_500);
    await eventually('both have happened', async () => {
      const { given_back, orders_settled } = await after.summary();
      return given_back === 1 && orders_settled === 1;
    });
    await eventually('the state is notified', () => states.received.length === 1);
  });
});
