import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type PaymentOrder, readRegistration, speiText, writeOrder } from './protocol.ts';
import { isSignedBy, orderText } from './signature.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const ORDER: PaymentOrder = {
  empresa: 'TIENDA',
  claveRastreo: 'GW000017',
  folioOrigen: 'return-17',
  money: { currency: 'MXN', minor: 120n },
  institucionContraparte: '40012',
  cuentaOrdenante: '646180499000000018',
  nombreOrdenante: 'Tienda de México',
  cuentaBeneficiario: '012180015000000000',
  nombreBeneficiario: 'José | Muñoz',
  conceptoPago: 'Devolución de su pago',
  referenciaNumerica: '17',
};

describe('an order to STP', () => {
  it('an order to STP contains its fields as strings and its amount with two decimals', () => {
    const { firma, ...fields } = JSON.parse(writeOrder(ORDER, privateKey)) as Record<string, string>;
    assert.deepEqual(fields, {
      institucionContraparte: '40012',
      empresa: 'TIENDA',
      folioOrigen: 'return-17',
      claveRastreo: 'GW000017',
      institucionOperante: '90646',
      monto: '1.20',
      tipoPago: '1',
      tipoCuentaOrdenante: '40',
      nombreOrdenante: 'Tienda de Mexico',
      cuentaOrdenante: '646180499000000018',
      rfcCurpOrdenante: 'ND',
      tipoCuentaBeneficiario: '40',
      nombreBeneficiario: 'Jose Munoz',
      cuentaBeneficiario: '012180015000000000',
      rfcCurpBeneficiario: 'ND',
      conceptoPago: 'Devolucion de su pago',
      referenciaNumerica: '17',
    });
    assert.ok(isSignedBy(orderText(fields), firma ?? '', publicKey));
  });

  it('an STP order’s signature covers the fields of its body, whatever the recipient’s name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.bigInt({ min: 1n, max: 10n ** 14n }), (name, minor) => {
        const order = { ...ORDER, nombreBeneficiario: name, money: { currency: 'MXN', minor } } as const;
        const { firma, ...fields } = JSON.parse(writeOrder(order, privateKey)) as Record<string, string>;
        assert.ok(isSignedBy(orderText(fields), firma ?? '', publicKey));
      }),
      { numRuns: 50 },
    );
  });

  it('an STP order contains the account type that follows from the account’s length', () => {
    const typeOf = (cuentaBeneficiario: string) =>
      JSON.parse(writeOrder({ ...ORDER, cuentaBeneficiario }, privateKey)).tipoCuentaBeneficiario;
    assert.deepEqual(
      [typeOf('012180015000000000'), typeOf('4111111111111111'), typeOf('5512345678')],
      ['40', '3', '10'],
    );
    assert.throws(() => typeOf('123'), /account is not/);
  });

  const impossible: readonly (readonly [string, Partial<PaymentOrder>])[] = [
    ['another currency', { money: { currency: 'USD', minor: 1n } }],
    ['an amount of zero', { money: { currency: 'MXN', minor: 0n } }],
    ['a claveRastreo with a dash', { claveRastreo: 'GW-1' }],
    ['a claveRastreo that is too long', { claveRastreo: 'G'.repeat(31) }],
    ['a reference of eight digits', { referenciaNumerica: '12345678' }],
    ['a separator in our own reference', { folioOrigen: 'a|b' }],
  ];
  for (const [what, change] of impossible) {
    it(`an STP order with ${what} is never written`, () =>
      assert.throws(() => writeOrder({ ...ORDER, ...change }, privateKey)));
  }
});

describe('texts for SPEI', () => {
  it('a string for SPEI is short ASCII without separators, and a second conversion does not change it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const carried = speiText(text);
        assert.match(carried, /^(?:[A-Za-z0-9.,-](?:[A-Za-z0-9 .,-]{0,37}[A-Za-z0-9.,-])?)?$/);
        assert.equal(speiText(carried), carried);
      }),
    );
  });
});

describe('STP’s response to an order', () => {
  const answerTo = (body: unknown, status = 200) =>
    readRegistration(status, Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
  const says = (id: number, descripcionError: string) => answerTo({ resultado: { id, descripcionError } });

  it('an STP response with an order id means that STP accepted the order', () => {
    assert.deepEqual(answerTo('{"resultado":{"id":9349827}}'), { kind: 'accepted', id: '9349827' });
    assert.deepEqual(answerTo({ resultado: { id: '123123123', descripcionError: null } }), {
      kind: 'accepted',
      id: '123123123',
    });
  });

  const refusals: readonly (readonly [number, string])[] = [
    [0, 'Error validando la firma'],
    [0, 'Firma invalida No entity found for query'],
    [0, 'El campo <CONCEPTO PAGO> es obligatorio'],
    [-7, 'La cuenta {646180257067226640} no existe '],
    [-9, 'La Institucion 90679 no es valida'],
    [-11, 'El tipo de cuenta 3 es invalido'],
    [-20, 'El monto {500.0} no es válido'],
    [-22, 'La cuenta CLABE {6461801570} no coincide para la institucion operante {40072}'],
    [-24, 'Cuenta {646180157000000000} - {MISMA_CUENTA}'],
    [-34, 'Clave rastreo invalida : ABC123'],
    [-200, 'Orden sin cuenta ordenante. Se rechaza por PLD'],
  ];
  for (const [id, reason] of refusals) {
    it(`STP’s response ${id} “${reason}” means that STP rejected the order`, () => {
      assert.deepEqual(says(id, reason), { kind: 'refused', id: String(id), reason: reason.trim() });
    });
  }

  it('an STP response that the key was used makes the rail query the order', () => {
    const said = says(
      -1,
      'La clave de rastreo {GW1} para la fecha {20261120} de la institucion {90646} ya fue utilizada',
    );
    assert.deepEqual(said, { kind: 'key_used' });
  });

  for (const [what, body, status] of [
    [
      'no response from STP’s own service',
      '{"resultado":{"id":0,"descripcionError":"No se recibió respuesta del servicio"}}',
      200,
    ],
    ['an unknown refusal', '{"resultado":{"id":-999,"descripcionError":"x"}}', 200],
    ['an order id with an error text', '{"resultado":{"id":9349827,"descripcionError":"x"}}', 200],
    ['an order id that is too small', '{"resultado":{"id":3}}', 200],
    ['no order id', '{"resultado":{}}', 200],
    ['an empty body', '', 200],
    ['an HTML page', '<html>', 200],
    ['HTTP 500', '{"resultado":{"id":9349827}}', 500],
    ['HTTP 403', '', 403],
  ] as const) {
    it(`the STP response of ${what} to an order leaves the outcome unknown`, () =>
      assert.equal(answerTo(body, status).kind, 'unknown'));
  }
});
