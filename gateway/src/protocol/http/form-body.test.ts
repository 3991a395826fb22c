import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cpuMsOf } from '../../../test/support/tools/cpu-time.ts';
import { parseForm, parseQuery, RepeatedName, readLoosely } from './form-body.ts';
import { MalformedBody } from './json-body.ts';

describe('the strict form parser', () => {
  const refused = ['', 'a', '=1', 'a=1&', '&a=1', 'a=1&&b=2', 'a=1&a=1', 'a=1&%61=2', 'a=%', 'a=%4', 'a=%zz', '%zz=a'];
  const notUtf8 = ['a=%ff', 'a=%c0%80', 'a=%ed%a0%80', 'a=%e2%82', '__proto__=1'];
  for (const text of [...refused, ...notUtf8]) {
    it(`the strict form parser rejects ${JSON.stringify(text)}`, () =>
      assert.throws(() => parseForm(text), MalformedBody));
  }

  it('the strict form parser reports the name of a repeated field, even if the name is percent-encoded', () => {
    for (const text of ['order=1&order=1', 'order=1&a=2&%6frder=3']) {
      const isAboutOrder = (error: unknown) => error instanceof RepeatedName && error.repeated === 'order';
      assert.throws(() => parseForm(text), isAboutOrder);
    }
  });

  it('the strict form parser decodes plus signs, percent sequences and an empty value', () => {
    const fields = parseForm('full_name=Jo+D%C3%B6&customs_phone=%2B1416&empty=&sign=a%2Bb%3D%3D&raw=a==');
    assert.deepEqual(
      [...fields],
      [
        ['full_name', 'Jo Dö'],
        ['customs_phone', '+1416'],
        ['empty', ''],
        ['sign', 'a+b=='],
        ['raw', 'a=='],
      ],
    );
  });

  it('the strict form parser reads every form that URLSearchParams writes', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text !== '__proto__');
    const fields = fc.dictionary(name, fc.string({ unit: 'grapheme' }), { minKeys: 1 });
    fc.assert(
      fc.property(fields, (values) => {
        const read = parseForm(new URLSearchParams(Object.entries(values)).toString());
        assert.deepEqual(Object.fromEntries(read), { ...values });
      }),
    );
  });
});

describe('the strict query parser', () => {
  it('the strict query parser reads the text after the first question mark like a form body', () => {
    assert.deepEqual(
      [...parseQuery('/payment/form?order=N17&item_name=Tea+%26+cup&url=a?b')],
      [
        ['order', 'N17'],
        ['item_name', 'Tea & cup'],
        ['url', 'a?b'],
      ],
    );
    for (const address of ['/payment/form', '/payment/form?', '']) assert.equal(parseQuery(address).size, 0, address);
  });

  it('the strict query parser rejects repeated names, incomplete sequences, NUL and raw bytes', () => {
    const refused = [
      'a=1&a=2',
      'a=1&%61=2',
      'a',
      'a=1&',
      'a=%',
      'a=%00',
      'a=%ff',
      'a=é',
      'a=Ð¢',
      'a=b c',
      'a=\n',
      '__proto__=1',
    ];
    for (const query of refused) assert.throws(() => parseQuery(`/payment/form?${query}`), MalformedBody, query);
  });
});

describe('the loose form parser', () => {
  it('the loose form parser reads like URLSearchParams, including repeated names and broken sequences', () => {
    const pairs = [...readLoosely('a=1&a=2&b=%zz&c=%ff&&d')];
    assert.deepEqual(
      pairs.map(([name, value]) => `${name}=${value}`),
      ['a=1', 'a=2', 'b=%zz', 'c=\ufffd', 'd='],
    );
  });

  it('the loose form parser reads the largest body of invalid UTF-8 pairs in under 50 ms', () => {
    const text = '%ff=&'.repeat((64 * 1024) / 5);
    const tookMs = [1, 2, 3].map(() => cpuMsOf(() => readLoosely(text)));
    assert.ok(Math.min(...tookMs) < 50, `${tookMs}`);
  });
});
