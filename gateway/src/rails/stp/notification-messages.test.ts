import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ABONO_CONFIRMED, abonoReturned, readIncoming, STATE_RECEIVED } from './notification-messages.ts';
import { declineReasonOfRefusal } from './refusals.ts';
import { declineReasonOf, endOf, returnReason, stateOf } from './vocabulary.ts';

const ABONO = {
  id: 3191365,
  fechaOperacion: 20261120,
  institucionOrdenante: 40012,
  institucionBeneficiaria: 90646,
  claveRastreo: 'BNET01002611200012345678',
  monto: '##',
  nombreOrdenante: 'José Muñoz',
  tipoCuentaOrdenante: 40,
  cuentaOrdenante: '012180015000000000',
  rfcCurpOrdenante: 'ND',
  nombreBeneficiario: 'Tienda',
  tipoCuentaBeneficiario: 40,
  cuentaBeneficiario: '646180499000000018',
  rfcCurpBeneficiario: 'ND',
  conceptoPago: 'Pedido 7',
  referenciaNumerica: 1234567,
  empresa: 'TIENDA',
  tipoPago: 1,
  tsLiquidacion: '1795190400000',
};

/** The bytes as STP writes them. `monto` is written as a JSON number. */
function abono(change: object = {}, monto = '100.10'): Buffer {
  return Buffer.from(JSON.stringify({ ...ABONO, ...change }).replace('"##"', monto));
}

function read(body: Buffer) {
  const reading = readIncoming(body);
  assert.ok(reading.ok, reading.ok ? '' : reading.error);
  return reading.value;
}

function faultOf(body: Buffer): string {
  const reading = readIncoming(body);
  return reading.ok ? 'none' : reading.error;
}

describe('parsing of STP’s abonos', () => {
  it('an abono is read with its amount to the cent', () => {
    assert.deepEqual(read(abono()), {
      kind: 'abono',
      abono: {
        id: '3191365',
        fechaOperacion: '20261120',
        institucionOrdenante: '40012',
        claveRastreo: 'BNET01002611200012345678',
        money: { currency: 'MXN', minor: 10_010n },
        nombreOrdenante: 'José Muñoz',
        cuentaOrdenante: '012180015000000000',
        rfcCurpOrdenante: 'ND',
        nombreBeneficiario: 'Tienda',
        cuentaBeneficiario: '646180499000000018',
        conceptoPago: 'Pedido 7',
        referenciaNumerica: '1234567',
        empresa: 'TIENDA',
        isReturnedOrder: false,
        claveRastreoDevolucion: '',
        settledAt: 1_795_190_400_000,
      },
    });
  });

  it('an abono has the same meaning whether its numbers are JSON numbers or strings', () => {
    const asTexts = Object.fromEntries(Object.entries(ABONO).map(([name, value]) => [name, String(value)]));
    assert.deepEqual(read(Buffer.from(JSON.stringify({ ...asTexts, monto: '100.10' }))), read(abono()));
  });

  it('an abono needs only its identity, amount and account', () => {
    const { id, fechaOperacion, institucionOrdenante, claveRastreo, cuentaBeneficiario, empresa } = ABONO;
    const bare = { id, fechaOperacion, institucionOrdenante, claveRastreo, cuentaBeneficiario, empresa, monto: 5 };
    const message = read(Buffer.from(JSON.stringify(bare)));
    assert.ok(message.kind === 'abono');
    assert.deepEqual(
      [message.abono.money.minor, message.abono.nombreOrdenante, message.abono.settledAt],
      [500n, '', null],
    );
    for (const name of Object.keys(bare)) {
      assert.equal(faultOf(Buffer.from(JSON.stringify({ ...bare, [name]: undefined }))), name);
    }
  });

  it('an abono keeps the tracking key of the payer’s bank, without trailing blanks', () => {
    const message = read(abono({ claveRastreo: '058-25/08/2023/25-300CPWF924  ' }));
    assert.ok(message.kind === 'abono');
    assert.equal(message.abono.claveRastreo, '058-25/08/2023/25-300CPWF924');
  });

  for (const tipoPago of ['0', '16', 17, 18, 23, 24]) {
    it(`an abono of payment type ${tipoPago} reports the return of one of our orders, whatever its account`, () => {
      const message = read(abono({ tipoPago, cuentaBeneficiario: '' }));
      assert.ok(message.kind === 'abono' && message.abono.isReturnedOrder);
    });
  }

  for (const [name, values] of Object.entries({
    id: ['', 'x', -1, 1.5, '1'.repeat(19)],
    fechaOperacion: ['', '2026-11-20', 20261131, 'x'],
    institucionOrdenante: ['', 12, 123456, 'BBVA'],
    claveRastreo: ['', ' ', 'ñ', 'x'.repeat(31), 'a\u0007b'.repeat(20)],
    cuentaBeneficiario: ['', '123456789', '64618012340000000D', '6461804990000000180'],
    empresa: ['', 'x'.repeat(51)],
  })) {
    it(`an abono with an invalid ${name} is rejected, and the error names the field`, () => {
      for (const value of values) assert.equal(faultOf(abono({ [name]: value })), name, String(value));
    });
  }

  it('an abono with an invalid amount is rejected', () => {
    for (const monto of ['0', '-5', '1e3', '0.001', '"x"', 'null'])
      assert.equal(faultOf(abono({}, monto)), 'monto', monto);
  });
});

describe('parsing of STP’s state changes', () => {
  const CHANGE = {
    id: 21785011,
    empresa: 'TIENDA',
    folioOrigen: 'D7',
    estado: 'LQ',
    causaDevolucion: '',
    tsLiquidacion: '1795190400000',
  };
  const change = (fields: object = {}) => Buffer.from(JSON.stringify({ ...CHANGE, ...fields }));

  it('an STP state change is parsed and distinguished from an abono', () => {
    assert.deepEqual(read(change()), {
      kind: 'state',
      change: {
        id: '21785011',
        empresa: 'TIENDA',
        folioOrigen: 'D7',
        claveRastreo: '',
        estado: 'LQ',
        state: 'settled',
        causaDevolucion: '',
        settledAt: 1_795_190_400_000,
      },
    });
  });

  for (const [estado, state] of [
    ['LQ', 'settled'],
    ['TLQ', 'settled'],
    ['Success', 'settled'],
    ['CN', 'cancelled'],
    ['Cancel', 'cancelled'],
    ['D', 'returned'],
    ['Refund', 'returned'],
    ['XD', 'returning'],
    ['ZZ', 'unknown'],
    ['constructor', 'unknown'],
  ] as const) {
    it(`the STP state ${estado} is read as ${state}`, () => {
      const message = read(change({ estado }));
      assert.equal(message.kind === 'state' && message.change.state, state);
    });
  }

  it('an STP state change without its identity or with an invalid state is rejected', () => {
    for (const name of ['id', 'empresa']) assert.equal(faultOf(change({ [name]: '' })), name);
    for (const estado of ['', 'a b', 7, {}]) assert.equal(faultOf(change({ estado })), 'estado');
  });
});

describe('other messages to STP’s listener', () => {
  it('any other JSON to STP’s listener is rejected without an exception', () => {
    fc.assert(fc.property(fc.json(), (json) => assert.equal(readIncoming(Buffer.from(json)).ok, false)));
  });
});

describe('responses to STP', () => {
  it('the responses to STP have STP’s status and wording', () => {
    assert.deepEqual([ABONO_CONFIRMED.status, ABONO_CONFIRMED.body], [200, '{"mensaje":"confirmar"}']);
    assert.deepEqual([abonoReturned(1).status, abonoReturned(1).body], [400, '{"mensaje":"devolver","id":1}']);
    assert.deepEqual([STATE_RECEIVED.status, STATE_RECEIVED.body], [200, '{"mensaje":"recibido"}']);
  });
});

describe('STP’s vocabulary', () => {
  it('an STP return reason is found by its number, with or without leading zeros', () => {
    assert.equal(returnReason('1'), 'the account does not exist');
    assert.equal(returnReason('03'), 'the account is closed');
    assert.equal(returnReason('Cuenta bloqueada'), 'Cuenta bloqueada');
    assert.equal(returnReason('99'), '99');
  });

  it('each STP reason maps to the blocked reason of the responsible party', () => {
    assert.deepEqual(['1', '03', '20', '14', ''].map(declineReasonOf), [
      'invalid_beneficiary',
      'invalid_beneficiary',
      'limit_or_risk',
      'bank_declined',
      'bank_declined',
    ]);
    assert.deepEqual(['-11', '-22', '-20', '-7'].map(declineReasonOfRefusal), [
      'invalid_beneficiary',
      'invalid_beneficiary',
      'limit_or_risk',
      'bank_declined',
    ]);
  });

  it('a final state of an STP order maps to an outcome, and a pending state to none', () => {
    const end = (estado: string, causaDevolucion = '') => endOf({ estado, state: stateOf(estado), causaDevolucion });
    assert.deepEqual(end('LQ'), { kind: 'executed' });
    assert.deepEqual(end('CN', '20'), {
      kind: 'declined',
      blockedReason: 'limit_or_risk',
      reason: 'the account would exceed its balance limit',
    });
    assert.deepEqual(end('D', '03'), { kind: 'reversed', reason: 'the account is closed' });
    assert.deepEqual(end('Refund'), { kind: 'reversed', reason: 'STP reports Refund' });
    for (const estado of ['L', 'XD', 'ZZ']) assert.equal(end(estado), undefined, estado);
  });

  it('each STP state has one meaning', () => {
    assert.deepEqual(['L', 'A', 'TCL', 'CCO'].map(stateOf), ['pending', 'pending', 'cancelled', 'settled']);
  });
});
