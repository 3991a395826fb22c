/** What STP answers when it is asked, and its control surface, over real HTTP. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operationDate } from './operation-date.ts';
import { confirmingInbox, empresa, sign, startStpUnderTest } from './stp-under-test.ts';

const nothingFound = {
  status: 400,
  body: { estado: 6, mensaje: 'No se encontraron datos relacionados', total: 0 },
};

describe('the list of a day', () => {
  it('holds its transfers in the order in which they came, in pages, with the total of all', async (t) => {
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

  it('has the amount as a number with two decimals, and null where nothing is known', async (t) => {
    const stp = await startStpUnderTest(t);
    await stp.pay({ amount: '5' });
    const firma = sign(`||${empresa}|R|||`);
    const response = await fetch(`${stp.url}/efws/API/V2/conciliacion`, {
      method: 'POST',
      body: JSON.stringify({ empresa, page: 0, tipoOrden: 'R', fechaOperacion: '', firma }),
    });
    const text = await response.text();
    assert.match(text, /"monto":5\.00,/);
    assert.match(text, /"causaDevolucion":null/);
  });

  it('of the current operation date is given under no date, that of an earlier one under its date', async (t) => {
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
    ['another direction', { tipoOrden: 'X', firma: sign(`||${empresa}|X|||`) }],
    ['no page', { page: 'x' }],
  ] as const) {
    it(`is not given for ${what}`, async (t) => {
      const stp = await startStpUnderTest(t);
      await stp.pay();
      const query = { empresa, page: 0, tipoOrden: 'R', fechaOperacion: '', firma: sign(`||${empresa}|R|||`) };
      const response = await fetch(`${stp.url}/efws/API/V2/conciliacion`, {
        method: 'POST',
        body: JSON.stringify({ ...query, ...change }),
      });
      assert.deepEqual([response.status, ((await response.json()) as { estado: number }).estado], [400, 1]);
    });
  }
});

describe('the query for a transfer', () => {
  it('finds it by its tracking key and direction, or says that there is none', async (t) => {
    const stp = await startStpUnderTest(t);
    await stp.pay({ claveRastreo: 'P1' });
    const found = (await stp.find('R', 'P1')).body['respuesta'] as Record<string, unknown>;
    assert.deepEqual([found['claveRastreo'], found['tipoPago']], ['P1', 1]);
    assert.deepEqual(await stp.find('E', 'P1'), nothingFound);
    assert.deepEqual(await stp.find('R', 'P2'), nothingFound);
  });
});

describe('the operation date', () => {
  for (const [utc, date] of [
    ['2023-08-25T20:47:19Z', '20230825'],
    ['2023-08-25T00:02:32Z', '20230825'],
    ['2023-08-26T00:00:00Z', '20230828'],
    ['2020-04-18T08:04:09Z', '20200420'],
    ['2026-11-22T12:00:00Z', '20261123'],
  ] as const) {
    it(`of ${utc} is ${date}`, () => assert.equal(operationDate(Date.parse(utc)), date));
  }
});

describe('the control surface', () => {
  it('opens to its secret alone, while STP’s own addresses need none', async (t) => {
    const stp = await startStpUnderTest(t);
    for (const headers of [{}, { authorization: 'Bearer other' }]) {
      assert.equal((await fetch(`${stp.url}/control/summary`, { headers })).status, 401);
    }
    assert.equal((await stp.register()).status, 200);
    assert.equal((await fetch(`${stp.url}/elsewhere`)).status, 404);
  });

  it('is not there when it is off', async (t) => {
    const stp = await startStpUnderTest(t, { control: false });
    assert.equal((await stp.control('summary')).status, 404);
  });

  it('refuses faults that it does not know', async (t) => {
    const stp = await startStpUnderTest(t);
    for (const [field, value] of Object.entries({ notifications: 'maybe', orders: 7, dwon: true, latency_ms: -1 })) {
      assert.deepEqual(await stp.control('faults', { [field]: value }), {
        status: 400,
        body: { error: 'invalid', field },
      });
    }
  });

  it('takes STP down, makes it fail, and brings it back', async (t) => {
    const stp = await startStpUnderTest(t);
    await stp.control('faults', { down: true });
    await assert.rejects(stp.reconcile('R'), /fetch failed/);
    await stp.control('faults', { down: false, answer_500: 1 });
    assert.equal((await stp.register()).status, 500);
    assert.equal((await stp.summary())['orders'], 0);
    assert.equal((await stp.register()).status, 200);
  });

  it('empties a book in memory, with all that was under way', async (t) => {
    const stp = await startStpUnderTest(t);
    await stp.control('faults', { notifications: 'late' });
    await stp.pay();
    await stp.register();
    await stp.control('reset', {});
    stp.clock.advance(60_000);
    const { received, orders, balance } = await stp.summary();
    assert.deepEqual([received, orders, balance], [0, 0, '0.00']);
    const abonos = await confirmingInbox(t);
    assert.deepEqual([stp.abonos.received, abonos.received], [[], []]);
  });
});
