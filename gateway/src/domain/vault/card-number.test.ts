import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { holdsCardNumber, isCardNumberAsId, maskedIdentifier } from './card-number.ts';

const CARDS = ['4111111111111111', '5555555555554444', '378282246310005', '6011000990139424', '2200000000000004'];

describe('holdsCardNumber', () => {
  it('holdsCardNumber finds a card number alone, grouped, or inside other text', () => {
    for (const card of CARDS) {
      const groups = card.replace(/(\d{4})(?=\d)/g, '$1 ');
      for (const text of [
        card,
        groups,
        groups.replaceAll(' ', '-'),
        groups.replaceAll(' ', ' - '),
        `Card ${groups}, 12/29`,
        `12 ${card}`,
        `john${card}@example.com`,
        `https://shop.example/paid?card=${card}&x=1`,
        card.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
      ])
        assert.ok(holdsCardNumber(text), text);
    }
  });

  it('holdsCardNumber ignores digits that no card network issues', () => {
    for (const text of [
      '',
      'Blue shoes, size 42',
      '4111111111111112',
      '41111111111111112222',
      '50100012345678',
      '192.168.100.200',
      '+573001234567',
      'UA213223130000026007233566001',
      '2026-11-22 20:33:55',
      '20261122203355',
      'd41d8cd98f00b204e9800998ecf8427e',
    ])
      assert.ok(!holdsCardNumber(text), text);
  });

  it('holdsCardNumber ignores every UUID and digest', () => {
    const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 32, maxLength: 64 });
    fc.assert(fc.property(fc.uuid(), (uuid) => !holdsCardNumber(uuid)));
    fc.assert(fc.property(hex, (digest) => !/[a-f]/.test(digest) || !holdsCardNumber(digest)));
    assert.ok(!holdsCardNumber('41111111-1111-4111-8111-111111111111'));
  });
});

describe('isCardNumberAsId', () => {
  it('isCardNumberAsId is true only for an id that is entirely a card number', () => {
    for (const id of ['4111111111111111', '4111-1111-1111-1111', '4111.1111.1111.1111'])
      assert.ok(isCardNumberAsId(id));
    for (const id of ['A-4111111111111111', '4111111111111112', '0', '1763843635123', '573001234567'])
      assert.ok(!isCardNumberAsId(id), id);
  });
});

describe('maskedIdentifier', () => {
  it('maskedIdentifier shows both ends of an unbroken card number, and no digit of a grouped card number', () => {
    assert.equal(maskedIdentifier('4111111111111111'), '411111******1111');
    assert.equal(maskedIdentifier('4111 1111 1111 1111'), '**** **** **** ****');
    assert.equal(maskedIdentifier('4111111111111111/40012/20261127'), '411111******1111/40012/20261127');
  });

  it('maskedIdentifier leaves an identifier unchanged if it forms a card number only across its separators', () => {
    for (const id of ['MBAN01001/40012/20261127', '40001000001/40012/20261127', '40001000015/40012/20261127'])
      assert.equal(maskedIdentifier(id), id);
    assert.ok(holdsCardNumber('40001000001/40012/20261127'));
  });
});
