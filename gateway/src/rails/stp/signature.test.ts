import assert from 'node:assert/strict';
import { createVerify, generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isSignedBy, ORDER_FIELDS, orderText, reconciliationText, signText, transferQueryText } from './signature.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;

describe('the string to sign of an order', () => {
  it('an STP order’s string to sign contains all 34 fields in their places between double pipes', () => {
    assert.equal(ORDER_FIELDS.length, 34);
    for (const [place, field] of ORDER_FIELDS.entries()) {
      assert.equal(orderText({ [field]: 'x' }), `||${'|'.repeat(place)}x${'|'.repeat(33 - place)}||`, field);
    }
  });

  it('an order’s string to sign equals the string that STP expects', () => {
    const text = orderText({
      institucionContraparte: '40012',
      empresa: 'TIENDA',
      folioOrigen: 'D7',
      claveRastreo: 'R1',
      institucionOperante: '90646',
      monto: '1.20',
      tipoPago: '1',
      tipoCuentaOrdenante: '40',
      nombreOrdenante: 'Tienda SA',
      cuentaOrdenante: '646180110400000007',
      rfcCurpOrdenante: 'ND',
      tipoCuentaBeneficiario: '40',
      nombreBeneficiario: 'Ana',
      cuentaBeneficiario: '012180015000000000',
      rfcCurpBeneficiario: 'ND',
      conceptoPago: 'Devolucion',
      referenciaNumerica: '7',
    });
    const written =
      '||40012|TIENDA||D7|R1|90646|1.20|1|40|Tienda SA|646180110400000007|ND|40|Ana|012180015000000000|ND' +
      '||||||Devolucion||||||7||||||||';
    assert.equal(text, written);
  });

  for (const value of ['a|b', 'a\nb', 'a\u0000b']) {
    it(`an STP order with ${JSON.stringify(value)} in a field is not signed, because another order would have the same string to sign`, () => {
      assert.throws(() => orderText({ nombreOrdenante: value }), /separator/);
    });
  }
});

describe('the string to sign of a query', () => {
  it('the string to sign of an STP query keeps an empty field for an omitted date', () => {
    assert.equal(reconciliationText('TIENDA', 'R', '20261120'), '||TIENDA|R|20261120||');
    assert.equal(reconciliationText('TIENDA', 'R', ''), '||TIENDA|R|||');
    assert.equal(transferQueryText('TIENDA', 'R1', 'E', '20261120'), '||TIENDA|R1|E|20261120||');
    assert.equal(transferQueryText('TIENDA', 'R1', 'E', ''), '||TIENDA|R1|E|||');
  });
});

describe('STP’s signature', () => {
  it('an STP signature is RSA-SHA256 with PKCS#1 v1.5 over UTF-8 in base64, to an independent verifier', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const verifier = createVerify('RSA-SHA256').update(Buffer.from(text, 'utf8'));
        assert.ok(verifier.verify(publicKey, signText(text, privateKey), 'base64'));
      }),
      { numRuns: 30 },
    );
  });

  it('an STP signature is deterministic, and valid only for its content and key', () => {
    const firma = signText('||José||', privateKey);
    assert.equal(signText('||José||', privateKey), firma);
    assert.ok(isSignedBy('||José||', firma, publicKey));
    assert.ok(!isSignedBy('||Jose||', firma, publicKey));
    assert.ok(!isSignedBy('||José||', firma, otherKey));
    for (const wrong of ['', 'x', firma.slice(4), firma.toUpperCase()])
      assert.ok(!isSignedBy('||José||', wrong, publicKey));
  });
});
