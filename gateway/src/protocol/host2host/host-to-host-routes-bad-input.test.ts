/** Hostile and broken host-to-host requests: each gets the right rejection, never 5xx, and none creates a deposit. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import {
  depositRequest,
  type HostToHostWire,
  startHostToHostWire,
} from '../../../test/support/deposits/host-to-host-wire.ts';
import type { RequestFields } from '../../../test/support/payouts/payout-request.ts';
import { BAD_AMOUNTS } from '../../../test/support/tools/bad-amounts.ts';

describe('bad input with a valid signature', () => {
  let wire: HostToHostWire;
  before(async () => {
    wire = await startHostToHostWire();
  });
  after(() => wire.stop());
  afterEach(() => {
    assert.deepEqual(wire.internalErrors, []);
    assert.deepEqual(wire.problems, []);
    assert.equal(wire.deposits.length, 0);
  });

  const description = async (body: RequestFields | string | Buffer) => {
    const answer = await wire.send(body);
    assert.ok(answer.status < 500);
    const reply = answer.json as Record<string, string>;
    assert.equal(reply['status'], 'fail');
    return reply['description'];
  };

  const WRONG: Readonly<Record<string, readonly unknown[]>> = {
    order: ['', '0', 'a b', 'a:b', 'a/b', 'ä', 'N17\n', ' N17', '٣', '\u200bN17', 'x'.repeat(65), '../x', '<script>'],
    user_id: ['', '0', 'a b', 'jo@example.com', 'ä', 'x'.repeat(65)],
    amount: BAD_AMOUNTS,
    currency: [''],
    first_name: [
      '',
      ' ',
      'Jo1',
      ' Jo',
      'Jo ',
      '-Jo',
      "Jo'",
      'Jo_',
      'Jo.',
      'Jo\nDo',
      'Jo\tDo',
      '<b>',
      'Иван',
      'Ιω',
      '李',
      'Jo🙂',
      'x'.repeat(31),
    ],
    last_name: ['', 'Do2', 'Do:', 'Do;', 'Мuñoz', '\u0301', 'Do\u200b', '\u202eDo', 'x'.repeat(61)],
  };
  for (const [name, values] of Object.entries(WRONG)) {
    it(`host-to-host rejects an invalid ${name} by its name`, async () => {
      for (const value of [...values, undefined, null, 0, 10, 1.5, true, [], {}, ['x'], { toString: 'x' }]) {
        assert.equal(await description(depositRequest({ [name]: value })), `Invalid ${name}`, JSON.stringify(value));
      }
    });
  }

  it('host-to-host rejects every currency other than MXN as not supported', async () => {
    for (const currency of ['USD', 'mxn', 'XXX', 'MXN ', 'MXNN', '484', 'ＭＸＮ']) {
      assert.equal(await description(depositRequest({ currency })), 'Currency not supported', currency);
    }
  });

  it('host-to-host rejects every amount that is a JSON number', async () => {
    const text = JSON.stringify(depositRequest({ amount: 'HERE' }));
    for (const number of ['10', '10.00', '1e3', '-0', '0', '1'.repeat(400)]) {
      assert.equal(await description(text.replace('"HERE"', number)), 'Invalid amount', number);
    }
  });

  const valid = JSON.stringify(depositRequest());
  const inside = (bytes: readonly number[]) =>
    Buffer.concat([Buffer.from(valid.replace(/}$/, ',"x":"')), Buffer.from(bytes), Buffer.from('"}')]);
  const MALFORMED: Readonly<Record<string, string | Buffer>> = {
    nothing: '',
    'white space': ' ',
    null: 'null',
    'an array': '[]',
    'an array around it': `[${valid}]`,
    'text around it': JSON.stringify(valid),
    'half of it': valid.slice(0, 20),
    'a form': 'order=1&amount=1',
    'a repeated key': valid.replace('{', '{"order":"N17",'),
    'a key repeated in another spelling': valid.replace('{', '{"\\u006frder":"N17",'),
    'a key repeated further in': valid.replace('{', '{"x":{"a":1,"a":2},'),
    __proto__: valid.replace('{', '{"__proto__":{"order":"1"},'),
    'a lone surrogate': valid.replace('{', '{"x":"\\udc00",'),
    NUL: valid.replace('N17', 'N\\u0000'),
    'an unescaped NUL': valid.replace('{', '{"x":"\0",'),
    'a byte order mark': `\ufeff${valid}`,
    'invalid UTF-8': inside([0xc3, 0x28]),
    'an overlong encoding': inside([0xc0, 0xaf]),
    'a surrogate in UTF-8': inside([0xed, 0xa0, 0x80]),
    'UTF-16': Buffer.from(valid, 'utf16le'),
    'depth 10,000': valid.replace('{', `{"x":${'['.repeat(10_000)}${']'.repeat(10_000)},`),
    'trailing bytes': `${valid}x`,
    'a trailing NUL': `${valid}\0`,
    'another document after it': valid + valid,
    'a number with a leading zero': valid.replace('{', '{"x":01,'),
    'single quotes': valid.replaceAll('"', "'"),
    'a comment': valid.replace('{', '{/* */'),
    'a trailing comma': valid.replace(/}$/, ',}'),
  };
  for (const [what, body] of Object.entries(MALFORMED)) {
    it(`host-to-host rejects an invalid body: ${what}`, async () => {
      const answer = await wire.send(body);
      assert.equal(answer.status, 400);
      assert.equal((answer.json as Record<string, string>)['description'], 'Invalid body');
    });
  }

  it('host-to-host treats an empty object, or names of built-in properties, as a body without fields', async () => {
    assert.equal(await description('{}'), 'Invalid order');
    assert.equal(await description('{"constructor":"x","toString":"y","hasOwnProperty":"z"}'), 'Invalid order');
  });

  it('a merchant id equal to a built-in property name does not exist', async () => {
    for (const merchant of ['constructor', '__proto__', 'toString']) {
      const answer = await wire.send(depositRequest(), { 'x-merchant': merchant, 'x-sign': 'x' });
      assert.equal((answer.json as Record<string, string>)['description'], 'Merchant not found');
    }
  });

  it('a host-to-host rejection never repeats the request’s content', async () => {
    const { text } = await wire.send(depositRequest({ order: 'N17', first_name: '<script>alert(1)</script>' }));
    assert.ok(!text.includes('<') && !text.includes('alert') && !text.includes('N17'));
  });
});
