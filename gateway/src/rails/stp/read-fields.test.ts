import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formatAmount } from '../../foundation/money.ts';
import { readObject } from '../kit/provider-json.ts';
import { instantOf, moneyOf, textOf } from './read-fields.ts';

const read = (text: string) => readObject(Buffer.from(text)) ?? assert.fail('no object');

describe('amounts in STP’s JSON', () => {
  it('an amount in STP’s JSON is read to the cent, as a number or as a string', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 99_999_999_999_999n }), (minor) => {
        const text = formatAmount({ currency: 'MXN', minor });
        for (const json of [`{"monto":${text}}`, `{"monto":"${text}"}`, `{"monto":${text}000}`]) {
          assert.equal(moneyOf(read(json), 'monto')?.minor, minor, json);
        }
      }),
    );
  });

  for (const [json, minor] of [
    ['5', 500n],
    ['5.1', 510n],
    ['0.01', 1n],
    ['" 12.50 "', 1250n],
    ['9007199254740.993', undefined],
    ['90071992547.09', 9007199254709n],
    ['0.10', 10n],
    ['0.1000', 10n],
    ['0', undefined],
    ['0.00', undefined],
    ['-1', undefined],
    ['1e3', undefined],
    ['1.0E7', undefined],
    ['0.005', undefined],
    ['"1,00"', undefined],
    ['"1."', undefined],
    ['".5"', undefined],
    ['"+1"', undefined],
    ['"１"', undefined],
    ['"1.00 MXN"', undefined],
    ['1234567890123', undefined],
    ['""', undefined],
    ['null', undefined],
    ['true', undefined],
    ['[1]', undefined],
    ['{"a":1}', undefined],
  ] as const) {
    it(`an amount of ${json} in STP’s JSON is read as ${minor === undefined ? 'none' : `${minor} cents`}`, () => {
      assert.equal(moneyOf(read(`{"monto":${json}}`), 'monto')?.minor, minor);
    });
  }
});

describe('strings in STP’s JSON', () => {
  it('a string in STP’s JSON is equal as a number and as digits, and loses trailing blanks', () => {
    assert.equal(textOf(read('{"id":20200127}'), 'id'), '20200127');
    assert.equal(textOf(read('{"id":"20200127  "}'), 'id'), '20200127');
    assert.equal(textOf(read('{"id":123456789012345678}'), 'id'), '123456789012345678');
  });

  it('a string in STP’s JSON loses characters that PostgreSQL cannot store and is cut after 200 characters', () => {
    const halved = `x${'😀'.repeat(500)}`;
    const fields = read(JSON.stringify({ name: 'A\u0000B\ud800C', long: 'x'.repeat(1_000), halved }));
    assert.equal(textOf(fields, 'name'), 'A B\ufffdC');
    assert.equal(textOf(fields, 'long').length, 200);
    assert.ok(textOf(fields, 'halved').isWellFormed());
  });

  it('a string in STP’s JSON is empty if the field is absent, null or of another type', () => {
    const fields = read('{"a":null,"b":[],"c":{},"d":true}');
    for (const name of ['a', 'b', 'c', 'd', 'e', 'constructor', '__proto__']) assert.equal(textOf(fields, name), '');
  });
});

describe('times in STP’s JSON', () => {
  for (const [json, instant] of [
    ['"1634919027297"', 1_634_919_027_297],
    ['1634919027297', 1_634_919_027_297],
    ['"0"', null],
    ['0', null],
    ['4524', null],
    ['582.142', null],
    ['"yesterday"', null],
    ['null', null],
  ] as const) {
    it(`a time of ${json} in STP’s JSON is read as ${instant}`, () =>
      assert.equal(instantOf(read(`{"t":${json}}`), 't'), instant));
  }
});

describe('bodies that are not a JSON object', () => {
  for (const body of ['', 'x', '[]', '1', 'null', '"a"', '{', '{"a":1}x']) {
    it(`the body “${body}” from STP is not read as a JSON object`, () =>
      assert.equal(readObject(Buffer.from(body)), undefined));
  }

  it('a deeply nested body from STP is read without a stack overflow', () => {
    for (const depth of [100, 10_000, 1_000_000])
      readObject(Buffer.from(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`));
  });

  it('a body of any bytes from STP is read without an exception', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void readObject(Buffer.from(bytes))));
  });
});
