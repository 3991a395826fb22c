/** The fifteen methods over HTTP: accepted requests, missing fields, wrong signed sets and invalid formats. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { WIRE_KEY } from '../../../test/support/merchants/wire-merchants.ts';
import {
  ALL_METHODS,
  EXAMPLE_PAYOUTS,
  MASTERCARD,
  payoutRequest,
  post,
  type RequestFields,
  signOver,
  VISA_CARD,
} from '../../../test/support/payouts/payout-request.ts';
import { type PayoutWire, startPayoutWire } from '../../../test/support/payouts/payout-wire.ts';

const SEND = '/merchant/api/payout_send';
const CARD_SET = ['merchant', 'method', 'payout_id', 'account', 'amount', 'currency'];

/** Signed fields in addition to the six of the card methods (decision 1). */
const ALSO_SIGNED: Readonly<Record<number, readonly string[]>> = {
  26: ['customs_phone', 'customs_email', 'customs_ifsc', 'customs_ip'],
  34: ['full_name', 'customs_card', 'customs_inn'],
  92: ['full_name', 'customs_phone', 'customs_email'],
};

/** The only optional field in the examples. */
const OPTIONAL: Readonly<Record<number, readonly string[]>> = { 26: ['full_name'] };

/** Invalid strings for each field of any method. The examples define which method has which field. */
const WRONG: Readonly<Record<string, readonly string[]>> = {
  exp_date: ['10/26', '13/30', '12-39'],
  full_name: ['Jo2', ' Jo', 'Jo<script>', 'x'.repeat(101)],
  customs_birthday: ['31-02-1990', '1990-01-01', '21-11-2026'],
  customs_phone: ['12', '+1', 'phone', '+91'],
  customs_email: ['nobody', 'a@b', 'a b@c.de'],
  customs_address: ['<b>', ''],
  customs_city: ['Kö:ln', '\u202e'],
  customs_state: ['{}', 'x'.repeat(101)],
  customs_post_code: ['1'.repeat(13), '*'],
  customs_user_id: ['a b', 'x'.repeat(65)],
  customs_country: ['XX', 'DEU'],
  customs_ifsc: ['HDFC1000001', 'QQQQ0000001'],
  customs_ip: ['203.0.113.256', '1.2.3'],
  customs_card: ['5168742231234563', '123'],
  customs_inn: ['123', '12345678901'],
};

const WRONG_ACCOUNTS: Readonly<Record<number, readonly string[]>> = {
  22: [MASTERCARD, '4111111111111112'],
  23: [VISA_CARD, '5555555555554445'],
  24: ['+77011234567', '79161234567', '7701123456'],
  26: ['123', '12:345678', 'x'.repeat(36)],
  34: ['UA213223130000026007233566002', 'DE89370400440532013000'],
  70: ['41111111111', '4111x11111111111', '1'.repeat(20)],
  92: ['jo@', 'jo doe'],
};
const WRONG_CARDS = ['4111111111111112', '41111111111', '1'.repeat(20), '4111 1111 1111 1111', ''];

describe('payout_send by method', () => {
  let wire: PayoutWire;
  let counter = 0;
  before(async () => {
    wire = await startPayoutWire();
  });
  after(() => wire.stop());

  const build = (method: number, change: RequestFields = {}) =>
    payoutRequest({ merchant: 'M1', key: WIRE_KEY, method, payoutId: `P${counter++}`, change });
  const send = async (body: RequestFields) => (await post(wire.url + SEND, body)).json as Record<string, string>;
  const lastDraft = () => {
    const draft = wire.submissions.at(-1)?.draft;
    assert.ok(draft?.ok);
    return draft.value;
  };

  for (const method of ALL_METHODS) {
    const example = EXAMPLE_PAYOUTS[method] ?? {};

    describe(`method ${method}`, () => {
      it(`payout_send accepts method ${method} and signs the five fields of its response`, async () => {
        const request = build(method);
        const reply = await send(request);
        const expected = { status: 'Pending', code: '40', payout_id: request['payout_id'], description: 'Queued' };
        assert.deepEqual(reply, { ...expected, sign: signOver(expected, 'all', WIRE_KEY) });
      });

      it(`payout_send accepts method ${method} as a JSON number and in a form`, async () => {
        assert.equal((await send(build(method, { method })))['status'], 'Pending');
        const form = new URLSearchParams(build(method) as Record<string, string>).toString();
        const answer = await post(wire.url + SEND, form, { 'content-type': 'application/x-www-form-urlencoded' });
        assert.equal((answer.json as Record<string, string>)['status'], 'Pending');
      });

      const fields = ['payout_id', 'account', 'amount', 'currency', ...Object.keys(example).slice(2)];
      for (const name of fields.filter((field) => !OPTIONAL[method]?.includes(field))) {
        it(`payout_send with method ${method} rejects a missing, empty or non-string ${name}`, async () => {
          for (const value of [undefined, null, '', 5, true, ['x'], { x: 'y' }]) {
            const reply = await send(build(method, { [name]: value }));
            assert.equal(reply['description'], `Invalid ${name}`, JSON.stringify(value));
            assert.equal(reply['payout_id'], '');
          }
        });
      }

      it(`payout_send with method ${method} rejects a signature over another field set`, async () => {
        const request = build(method);
        const also = ALSO_SIGNED[method] ?? [];
        const other = also.length > 0 ? CARD_SET : [...CARD_SET, 'sign_of_more'];
        const withMore = { ...request, sign_of_more: 'x' };
        const wrong = { ...withMore, sign: signOver(withMore, other, WIRE_KEY) };
        const rejection = method === 34 ? 'Invalid sign_of_more' : 'Sign error';
        assert.equal((await send(wrong))['description'], rejection);
        for (const left of [...CARD_SET, ...also]) {
          const set = [...CARD_SET, ...also].filter((name) => name !== left);
          const reply = await send({ ...request, sign: signOver(request, set, WIRE_KEY) });
          assert.equal(reply['description'], 'Sign error', `without ${left}`);
        }
      });

      it(`payout_send with method ${method} rejects a colon in a signed field unless it is an IPv6 address`, async () => {
        const asked = wire.submissions.length;
        for (const name of [...CARD_SET.slice(2), ...(ALSO_SIGNED[method] ?? [])].filter((one) => one !== 'customs_ip'))
          for (const value of [`${String(build(method)[name])}:`, ':', 'a:b'])
            assert.equal((await send(build(method, { [name]: value })))['description'], `Invalid ${name}`, value);
        assert.equal(wire.submissions.length, asked);
      });

      it(`payout_send with method ${method} rejects a signed field that changed after signing`, async () => {
        for (const name of ['payout_id', 'account', 'amount', 'currency', ...(ALSO_SIGNED[method] ?? [])]) {
          const request = build(method);
          const reply = await send({ ...request, [name]: `${String(request[name])}1` });
          assert.equal(reply['description'], 'Sign error', name);
        }
      });

      it(`payout_send with method ${method} rejects each field with an invalid format by its name`, async () => {
        for (const account of WRONG_ACCOUNTS[method] ?? WRONG_CARDS) {
          assert.equal((await send(build(method, { account })))['description'], 'Invalid account', account);
        }
        for (const name of Object.keys(example).slice(2)) {
          const wrong = WRONG[name];
          assert.ok(wrong, `no wrong examples for ${name}`);
          for (const text of wrong) {
            if (text === '' && OPTIONAL[method]?.includes(name)) continue;
            assert.equal((await send(build(method, { [name]: text })))['description'], `Invalid ${name}`, text);
          }
        }
      });

      it(`payout_send with method ${method} accepts only the method’s currency`, async () => {
        for (const currency of ['UAH', 'USD', 'EUR', 'AZN', 'KZT', 'INR', 'CAD', 'TST', 'XXX']) {
          if (currency === example['currency']) continue;
          assert.equal((await send(build(method, { currency })))['description'], 'Currency not supported', currency);
        }
        assert.equal((await send(build(method, { currency: 'eur' })))['description'], 'Invalid currency');
      });
    });
  }

  it('card methods with an optional full_name accept its absence and reject an invalid full_name', async () => {
    for (const method of [1, 9, 11, 16, 17, 70]) {
      for (const nothing of [undefined, null, '']) {
        assert.equal((await send(build(method, { full_name: nothing })))['status'], 'Pending');
      }
      assert.equal((await send(build(method, { full_name: 'Jo2' })))['description'], 'Invalid full_name');
      await send(build(method, { full_name: 'Jo Do' }));
      assert.equal(lastDraft().fields['full_name'], 'Jo Do');
    }
  });

  it('methods 26, 34 and 92 accept a full_name of up to 30 characters', async () => {
    for (const method of [26, 34, 92]) {
      assert.equal((await send(build(method, { full_name: 'x'.repeat(30) })))['status'], 'Pending');
      assert.equal((await send(build(method, { full_name: 'x'.repeat(31) })))['description'], 'Invalid full_name');
    }
    assert.equal((await send(build(92, { full_name: '𐐷'.repeat(30) })))['status'], 'Pending');
  });

  it('method 26 accepts an IPv6 address as customs_ip', async () => {
    for (const customs_ip of ['2001:db8::1', '::1', '::ffff:203.0.113.7'])
      assert.equal((await send(build(26, { customs_ip })))['status'], 'Pending', customs_ip);
    assert.equal((await send(build(26, { customs_ip: '1:2' })))['description'], 'Invalid customs_ip');
  });

  it('method 34 accepts only Latin letters in full_name, and method 92 accepts others', async () => {
    assert.equal((await send(build(34, { full_name: 'Іван П' })))['description'], 'Invalid full_name');
    assert.equal((await send(build(92, { full_name: 'Іван П' })))['status'], 'Pending');
  });

  it('method 34 rejects an unknown field even if it is signed', async () => {
    assert.equal((await send(build(34, { note: null })))['status'], 'Pending');
    for (const note of ['x', '', 5])
      assert.equal((await send(build(34, { note })))['description'], 'Invalid note', JSON.stringify(note));
    assert.equal((await send({ ...build(34), note: 'added later' }))['description'], 'Invalid note');
    assert.equal((await send({ ...build(34), sign: 'wrong' }))['description'], 'Sign error');
  });

  it('methods other than 34 ignore unknown fields of any type', async () => {
    assert.equal((await send({ ...build(9), note: 'x', list: [1, { a: null }] }))['status'], 'Pending');
  });

  it('payout_send stores card numbers and expiry dates only as secret fields', async () => {
    await send(build(8, { account: '4111111111111111' }));
    assert.equal(lastDraft().accountShown, '411111******1111');
    assert.deepEqual(lastDraft().fields, { full_name: 'Maria Muñoz' });
    assert.deepEqual(Object.keys(lastDraft().secretFields).sort(), ['account', 'exp_date']);
    assert.equal(lastDraft().secretFields['account']?.reveal(), '4111111111111111');

    await send(build(34));
    assert.equal(lastDraft().accountShown, 'UA213223130000026007233566001');
    assert.deepEqual(lastDraft().fields, { full_name: 'Ivan P', customs_inn: '3184710691' });
    assert.deepEqual(Object.keys(lastDraft().secretFields), ['customs_card']);

    await send(build(24));
    assert.equal(lastDraft().accountShown, '77011234567');
    assert.deepEqual(lastDraft().secretFields, {});
    assert.ok(
      !JSON.stringify(wire.submissions, (_key, value) => (typeof value === 'bigint' ? '' : value)).includes(
        '4111111111111111',
      ),
    );
  });

  it('payout_send forwards the amount as received and in minor units', async () => {
    await send(build(9, { amount: '10.5' }));
    assert.equal(lastDraft().amountText, '10.5');
    assert.deepEqual(lastDraft().money, { currency: 'EUR', minor: 1050n });
  });

  it('method 92 accepts an account number, and a phone number without plus', async () => {
    assert.equal((await send(build(92, { account: '12345678' })))['status'], 'Pending');
    assert.equal((await send(build(92, { customs_phone: '14165550123' })))['status'], 'Pending');
  });

  it('payout_send verifies the check digit of an INN if the merchant’s setting requires it', async () => {
    assert.equal((await send(build(34, { customs_inn: '3184710692' })))['status'], 'Pending');
    wire.addMerchant('M2', { settings: { check_inn: 'on' } });
    const strict = payoutRequest({
      merchant: 'M2',
      key: WIRE_KEY,
      method: 34,
      payoutId: 'I1',
      change: { customs_inn: '3184710692' },
    });
    assert.equal((await send(strict))['description'], 'Invalid customs_inn');
  });
});
