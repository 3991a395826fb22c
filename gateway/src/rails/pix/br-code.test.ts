import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { locationIn, writeBrCode } from './br-code.ts';

/** From the Central Bank's manual of Pix initiation. */
const MANUAL =
  '00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913' +
  'Fulano de Tal6008BRASILIA62070503***630464E4';

/** Codes that banks issued and that are public: the GUI in capitals, omitted fields, other payment types. */
const PUBLISHED: readonly (readonly [location: string, code: string])[] = [
  [
    'pix.ebanx.com/qr/v2/7F646B96B450AA8A4D79A84A3FD34EC20EE5',
    '00020101021226780014br.gov.bcb.pix2556pix.ebanx.com/qr/v2/7F646B96B450AA8A4D79A84A3FD34EC20EE55204000053039865802BR' +
      '5905EBANX6008CURITIBA62070503***63040C96',
  ],
  [
    'qrcodespix.sejaefi.com.br/v2/ff719c748dc244a294adee9174ace379',
    '00020101021226830014BR.GOV.BCB.PIX2561qrcodespix.sejaefi.com.br/v2/ff719c748dc244a294adee9174ace379520400005303986' +
      '5802BR5905EFISA6008SAOPAULO62070503***6304BAC4',
  ],
  [
    'pix.ecomovi.com.br/qr/v3/at/e20a192a-7882-42c8-9a8a-13752e958868',
    '00020126860014br.gov.bcb.pix2564pix.ecomovi.com.br/qr/v3/at/e20a192a-7882-42c8-9a8a-13752e9588685204000053039865802' +
      'BR5925KAPTPAY_TECNOLOGIA_DE_PAG6009ARAPONGAS62070503***630443C8',
  ],
];

describe('BR Codes', () => {
  it('a written BR Code equals the example in the Central Bank’s manual', () => {
    const location = 'pix.example.com/8b3da2f39a4140d1a91abd93113bd441';
    assert.equal(writeBrCode({ location, name: 'Fulano de Tal', city: 'BRASILIA' }), MANUAL);
    assert.equal(locationIn(MANUAL), location);
  });

  for (const [location, code] of PUBLISHED)
    it(`the location ${location} is read from a bank’s BR Code`, () => assert.equal(locationIn(code), location));

  it('a BR Code survives any location and is ASCII for any name', () => {
    const locations = fc.stringMatching(/^[a-z0-9./-]{1,77}$/);
    fc.assert(
      fc.property(locations, fc.string({ unit: 'binary' }), fc.string(), (location, name, city) => {
        const code = writeBrCode({ location, name, city });
        assert.match(code, /^[\x20-\x7e]+$/);
        assert.equal(locationIn(code), location);
      }),
    );
  });

  it('a BR Code contains the name without accents, cut after 25 letters', () => {
    const code = writeBrCode({ location: 'a.b/c', name: 'Confeitaria São João de Açores Ltda', city: 'São Paulo' });
    assert.match(code, /5925Confeitaria Sao Joao de A6009Sao Paulo6207/);
  });

  it('a BR Code with one changed character is rejected', () => {
    fc.assert(
      fc.property(fc.nat(MANUAL.length - 1), fc.constantFrom('0', '7', 'a', 'Z', '*'), (at, character) => {
        fc.pre(MANUAL[at]?.toUpperCase() !== character.toUpperCase());
        assert.equal(locationIn(MANUAL.slice(0, at) + character + MANUAL.slice(at + 1)), undefined);
      }),
    );
  });

  for (const [what, text] of [
    ['an empty text', ''],
    [
      'a static code',
      '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d3-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***6304CEDC',
    ],
    ['a wrong field length', '000201269963041DBA'],
    ['a long text', `${'0'.repeat(600)}63041D3D`],
  ] as const)
    it(`a BR Code of ${what} has no location`, () => assert.equal(locationIn(text), undefined));
});
