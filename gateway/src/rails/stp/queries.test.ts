import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  isQueryKeyRefused,
  readReconciliation,
  readTransferAnswer,
  writeReconciliationQuery,
  writeTransferQuery,
} from './queries.ts';
import { isSignedBy } from './signature.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const ROW = {
  idEF: 14643669,
  claveRastreo: 'PAGO0001',
  claveRastreoDevolucion: null,
  conceptoPago: 'Pedido 7',
  cuentaBeneficiario: '646180499000000018',
  cuentaOrdenante: '012180015000000000',
  empresa: 'TIENDA',
  estado: 'CCO',
  fechaOperacion: 20261120,
  institucionContraparte: 40012,
  institucionOperante: 90646,
  medioEntrega: 1,
  monto: '##',
  nombreBeneficiario: 'Tienda',
  nombreOrdenante: 'Ana',
  rfcCurpOrdenante: 'ND',
  referenciaNumerica: 1234567,
  tipoPago: 1,
  tsCaptura: 1795190399000,
  tsLiquidacion: 1795190400000,
  causaDevolucion: null,
};

const row = (change: object = {}, monto = '10.00') => JSON.stringify({ ...ROW, ...change }).replace('"##"', monto);
const page = (rows: readonly string[], total = rows.length) =>
  Buffer.from(`{"estado":0,"mensaje":"Datos consultados correctamente","datos":[${rows.join()}],"total":${total}}`);
const NONE = Buffer.from('{"estado":6,"mensaje":"No se encontraron datos relacionados","total":0}');

function transfersOf(body: Buffer) {
  const answer = readReconciliation(200, body);
  assert.ok(answer.kind === 'page');
  return answer;
}

describe('STP’s query for a day', () => {
  it('STP’s query for a day is signed over the company, the direction and the date, without the page', () => {
    const query = { empresa: 'TIENDA', direction: 'R', fechaOperacion: '20261120', page: 2 } as const;
    const { firma, ...fields } = JSON.parse(writeReconciliationQuery(query, privateKey));
    assert.deepEqual(fields, { empresa: 'TIENDA', page: 2, tipoOrden: 'R', fechaOperacion: '20261120' });
    assert.ok(isSignedBy('||TIENDA|R|20261120||', firma, publicKey));
  });

  it('STP’s query for a day omits the date if it is the current operation date', () => {
    const query = { empresa: 'TIENDA', direction: 'E', fechaOperacion: null, page: 0 } as const;
    const { firma, fechaOperacion } = JSON.parse(writeReconciliationQuery(query, privateKey));
    assert.equal(fechaOperacion, '');
    assert.ok(isSignedBy('||TIENDA|E|||', firma, publicKey));
  });
});

describe('STP’s query for a transfer', () => {
  it('an STP transfer’s query is signed over the company, the tracking key, the direction and the date', () => {
    const query = { empresa: 'TIENDA', claveRastreo: 'P1', direction: 'E', fechaOperacion: '20261120' } as const;
    const { firma, ...fields } = JSON.parse(writeTransferQuery(query, privateKey));
    assert.deepEqual(fields, { empresa: 'TIENDA', claveRastreo: 'P1', tipoOrden: 'E', fechaOperacion: '20261120' });
    assert.ok(isSignedBy('||TIENDA|P1|E|20261120||', firma, publicKey));
    const today = JSON.parse(writeTransferQuery({ ...query, fechaOperacion: null }, privateKey));
    assert.equal('fechaOperacion' in today, false);
    assert.ok(isSignedBy('||TIENDA|P1|E|||', today.firma, publicKey));
  });
});

describe('STP’s list of a day', () => {
  it('STP’s list of a day yields each transfer with its exact amount and the meaning of its state', () => {
    const { transfers, unreadable, total } = transfersOf(
      page([row(), row({ claveRastreo: 'PAGO0002' }, '0.01')], 1_500),
    );
    assert.deepEqual([unreadable, total], [[], 1_500]);
    assert.deepEqual(transfers[0], {
      idEF: '14643669',
      claveRastreo: 'PAGO0001',
      fechaOperacion: '20261120',
      estado: 'CCO',
      state: 'settled',
      money: { currency: 'MXN', minor: 1_000n },
      institucionContraparte: '40012',
      empresa: 'TIENDA',
      cuentaOrdenante: '012180015000000000',
      nombreOrdenante: 'Ana',
      rfcCurpOrdenante: 'ND',
      cuentaBeneficiario: '646180499000000018',
      nombreBeneficiario: 'Tienda',
      conceptoPago: 'Pedido 7',
      referenciaNumerica: '1234567',
      isReturnedOrder: false,
      claveRastreoDevolucion: '',
      causaDevolucion: '',
      settledAt: 1_795_190_400_000,
    });
    assert.equal(transfers[1]?.money.minor, 1n);
  });

  it('STP’s list of a day distinguishes our returned orders from payments', () => {
    const returned = row({
      tipoPago: 0,
      estado: 'LQ',
      claveRastreo: 'GW000017',
      causaDevolucion: 3,
      nombreOrdenante: null,
      cuentaBeneficiario: null,
    });
    const { transfers, unreadable } = transfersOf(page([returned]));
    assert.deepEqual([transfers[0]?.isReturnedOrder, transfers[0]?.causaDevolucion, unreadable], [true, '3', []]);
  });

  it('STP’s list of a day keeps the readable rows and reports each unreadable row', () => {
    const answer = transfersOf(page([row({ claveRastreo: 'BAD' }, '1e3'), row(), 'null', '7']));
    assert.deepEqual(
      [answer.transfers.map(({ claveRastreo }) => claveRastreo), answer.unreadable],
      [['PAGO0001'], ['BAD: monto', ': idEF']],
    );
  });

  it('STP’s list of a day is empty if STP returns 400 without data', () =>
    assert.deepEqual(readReconciliation(400, NONE), { kind: 'none' }));

  for (const [what, status, body] of [
    ['an HTTP 500', 500, '{"estado":0,"datos":[],"total":0}'],
    ['of another estado', 200, '{"estado":9,"mensaje":"x","datos":[],"total":0}'],
    ['without a list', 200, '{"estado":0,"total":0}'],
    ['without a total', 200, '{"estado":0,"datos":[]}'],
    ['an HTML page', 502, '<html>'],
    ['empty', 200, ''],
  ] as const) {
    it(`STP’s list of a day is unknown, not empty, if the response is ${what}`, () => {
      assert.equal(readReconciliation(status, Buffer.from(body)).kind, 'unknown');
    });
  }
});

describe('STP’s rejection of a query', () => {
  for (const [body, isOfKey] of [
    [{ estado: 1, mensaje: 'Firma invalida' }, true],
    [{ estado: 1, mensaje: 'Error validando la firma' }, true],
    [{ mensaje: 'Firma invalida No entity found for query' }, true],
    [{ estado: 1, mensaje: 'El campo firma es obligatorio' }, false],
    [{ estado: 6, mensaje: 'No se encontraron datos relacionados' }, false],
    [{ estado: 0, mensaje: 'Firma y datos consultados correctamente' }, false],
    ['Firma invalida', false],
  ] as const) {
    it(`a rejected STP query ${isOfKey ? 'means' : 'does not mean'} a refused key with ${JSON.stringify(body)}`, () =>
      assert.equal(isQueryKeyRefused(Buffer.from(JSON.stringify(body))), isOfKey));
  }
});

describe('STP’s response about a transfer', () => {
  const found = (text: string) =>
    Buffer.from(`{"estado":0,"mensaje":"Datos consultados correctamente","respuesta":${text}}`);

  it('STP’s response about a transfer yields the transfer, or not_found', () => {
    const answer = readTransferAnswer(200, found(row({ estado: 'D', causaDevolucion: 1 })));
    assert.ok(answer.kind === 'found');
    assert.deepEqual([answer.transfer.state, answer.transfer.causaDevolucion], ['returned', '1']);
    assert.deepEqual(readTransferAnswer(400, NONE), { kind: 'not_found' });
  });

  for (const [what, status, body] of [
    ['has no readable amount', 200, row({ monto: 'x' })],
    ['is an HTTP 500', 500, row()],
    ['is empty', 200, 'null'],
  ] as const) {
    it(`an STP response about a transfer is unknown if it ${what}`, () =>
      assert.equal(readTransferAnswer(status, found(body)).kind, 'unknown'));
  }

  it('an STP response about a transfer is unknown if it is not JSON', () => {
    assert.equal(readTransferAnswer(404, Buffer.from('not found')).kind, 'unknown');
  });
});
