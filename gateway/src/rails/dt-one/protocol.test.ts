/** Checks requests and responses against DT One's description and recorded responses, with our values. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Json, type JsonObject, readJson } from '../kit/provider-json.ts';
import {
  chooseProduct,
  readBalances,
  readFound,
  readMade,
  transactionsMade,
  transactionsOfReference,
  writeLookUp,
  writeTransaction,
} from './protocol.ts';
import { testTengeOrder } from './rail-under-test.ts';
import { readTransaction } from './read-payout.ts';
import { readRefusal } from './refusals.ts';

const order = testTengeOrder('17-AbCd1234');
const CALLBACKS = { callbackUrl: 'https://pay.example/rail-notifications/dt-one' };
const json = (value: unknown) => readJson(JSON.stringify(value));

describe('requests to DT One', () => {
  it('a transaction request to DT One contains the recipient’s amount and number, and our callback URL', () => {
    assert.deepEqual(JSON.parse(writeTransaction(order, '9002', CALLBACKS)), {
      external_id: '17-AbCd1234',
      product_id: 9002,
      calculation_mode: 'DESTINATION_AMOUNT',
      destination: { unit_type: 'CURRENCY', unit: 'KZT', amount: 1000.25 },
      auto_confirm: true,
      credit_party_identifier: { mobile_number: '+77011234567' },
      callback_url: 'https://pay.example/rail-notifications/dt-one',
    });
  });

  it('a transaction request to DT One writes every amount exactly, as a number with tiyn', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 99_999_999_999_999n }), (minor) => {
        const body = writeTransaction({ ...order, money: { currency: 'KZT', minor } }, '9002', CALLBACKS);
        const [, whole = '', decimals = ''] = /"amount":(\d+)(?:\.(\d{1,2}))?\}/.exec(body) ?? [];
        assert.equal(BigInt(whole + decimals.padEnd(2, '0')), minor);
      }),
    );
  });

  it('an operator lookup at DT One contains the number with its plus sign', () => {
    assert.deepEqual(JSON.parse(writeLookUp(order)), { mobile_number: '+77011234567', page: 1, per_page: 100 });
  });

  it('a list request to DT One contains a reference or a period', () => {
    assert.equal(transactionsOfReference('17-AbCd1234'), '/transactions?external_id=17-AbCd1234');
    assert.equal(
      transactionsMade('2026-11-20T00:00:00.000Z', '2026-11-21T00:00:00.000Z', 2),
      '/transactions?from_date=2026-11-20T00%3A00%3A00.000Z&to_date=2026-11-21T00%3A00%3A00.000Z&page=2&per_page=100',
    );
  });
});

describe('the product for a number', () => {
  const products = [
    { operatorId: '2001', productId: '9001' },
    { operatorId: '2002', productId: '9002' },
  ];
  type Found = readonly [id: number, identified: boolean];
  const chosen = (...found: readonly Found[]) =>
    chooseProduct(
      json(found.map(([id, identified]) => ({ id, name: 'An operator', identified }))) as readonly Json[],
      products,
    );

  it('the DT One product belongs to the identified operator', () => {
    assert.deepEqual(chosen([2002, true]), { ok: true, value: '9002' });
    assert.deepEqual(chosen([2002, false], [2001, true]), { ok: true, value: '9001' });
    assert.deepEqual(chosen([2001, false]), { ok: true, value: '9001' });
  });

  it('an unreadable operator lookup at DT One leaves the payout not accepted', () => {
    for (const found of [[null], [{}], [{ id: '' }], [{ id: 2001, identified: true }, { id: -1 }]]) {
      const product = chooseProduct(json(found) as readonly Json[], products);
      assert.equal(!product.ok && product.error.kind, 'not_accepted');
    }
  });

  it('a DT One payout does not get a product if the operator is uncertain or has none', () => {
    for (const operators of [
      [],
      [
        [2001, false],
        [2002, false],
      ],
      [[2003, true]],
      [
        [2001, false],
        [2003, true],
      ],
    ] as const) {
      const choice = chosen(...operators);
      assert(!choice.ok && choice.error.kind === 'declined');
      assert.equal(choice.error.blockedReason, 'invalid_beneficiary', JSON.stringify(operators));
    }
  });
});

/** A client's recorded transaction, with our values and the fields added since. */
const SHOWN = {
  id: 2237512891,
  external_id: '17-AbCd1234',
  creation_date: '2026-11-20T20:05:05.883561000Z',
  confirmation_expiration_date: '2026-11-20T21:05:05.883561000Z',
  confirmation_date: '2026-11-20T20:05:06.111631000Z',
  status: { id: 20000, message: 'CONFIRMED', class: { id: 2, message: 'CONFIRMED' } },
  credit_party_identifier: { mobile_number: '+77011234567' },
  product: { id: 9002, name: 'Any amount', type: 'RANGED_VALUE_RECHARGE' },
  prices: { wholesale: { amount: 3.6, fee: 0, unit: 'USD', unit_type: 'CURRENCY' }, retail: null },
  benefits: [{ type: 'CREDITS', unit_type: 'CURRENCY', unit: 'KZT', amount: { base: 1000.25, promotion_bonus: 0 } }],
  requested_values: { source: null, destination: { amount: 1000.25, unit: 'KZT', unit_type: 'CURRENCY' } },
  adjusted_values: null,
  promotions: null,
};

const shown = (change: object) => json({ ...SHOWN, ...change }) as JsonObject;
const state = (id: number, message: string) => ({
  status: { id: id * 10_000, message, class: { id, message: '' } },
});

describe('a transaction in DT One’s response', () => {
  it('a DT One transaction is executed only if its amount is ours', () => {
    const completed = state(7, 'COMPLETED');
    const bare = { ...completed, requested_values: null, adjusted_values: null, benefits: null };
    assert.equal(readMade(order, shown({ ...completed, requested_values: null })).kind, 'executed');
    assert.equal(readMade(order, shown(bare)).kind, 'unknown');
    assert.equal(readMade(order, shown({ ...bare, ...state(5, 'SUBMITTED') })).kind, 'pending');
  });

  const says = (blockedReason: string, message: string) => ({
    kind: 'declined',
    blockedReason,
    reason: `DT One reports ${message}`,
  });
  const meanings: readonly (readonly [id: number, message: string, answer: object])[] = [
    [1, 'CREATED', { kind: 'pending', note: 'DT One has it and has not confirmed it' }],
    [2, 'CONFIRMED', { kind: 'pending' }],
    [5, 'SUBMITTED', { kind: 'pending' }],
    [7, 'COMPLETED', { kind: 'executed' }],
    [8, 'REVERSED', { kind: 'reversed', reason: 'DT One reports REVERSED' }],
    [4, 'CANCELLED', says('cancelled', 'CANCELLED')],
    [3, 'REJECTED', says('unspecified', 'REJECTED')],
    [3, 'REJECTED-INVALID-CREDIT-PARTY', says('invalid_beneficiary', 'REJECTED-INVALID-CREDIT-PARTY')],
    [3, 'REJECTED-INSUFFICIENT-BALANCE', says('unspecified', 'REJECTED-INSUFFICIENT-BALANCE')],
    [3, 'REJECTED-OPERATOR-CURRENTLY-UNAVAILABLE', says('bank_declined', 'REJECTED-OPERATOR-CURRENTLY-UNAVAILABLE')],
    [9, 'DECLINED', says('bank_declined', 'DECLINED')],
    [9, 'DECLINED-BARRED-CREDIT-PARTY', says('invalid_beneficiary', 'DECLINED-BARRED-CREDIT-PARTY')],
    [
      9,
      'DECLINED-LIMITATIONS-ON-OPERATOR-QUANTITY',
      says('limit_or_risk', 'DECLINED-LIMITATIONS-ON-OPERATOR-QUANTITY'),
    ],
    [9, 'DECLINED-DUPLICATED-TRANSACTION', says('bank_declined', 'DECLINED-DUPLICATED-TRANSACTION')],
    [9, 'DECLINED-SOMETHING-NEW', says('bank_declined', 'DECLINED-SOMETHING-NEW')],
    [9, 'of 77011234567', says('bank_declined', 'class 9')],
  ];
  for (const [id, message, answer] of meanings)
    it(`the DT One state ${message} means ${(answer as { kind: string }).kind}, for a new transaction and a found one`, () => {
      const transaction = shown(state(id, message));
      assert.deepEqual(readMade(order, transaction), answer);
      assert.deepEqual(readFound(order, [transaction]), answer);
    });

  it('a DT One transaction without requested values is executed if its other amounts are ours', () => {
    for (const requested_values of [undefined, null, { destination: null }])
      assert.equal(readMade(order, shown({ ...state(7, 'COMPLETED'), requested_values })).kind, 'executed');
  });

  const nothing: readonly object[] = [
    { id: 'tx-1' },
    { id: undefined },
    { external_id: '18-AbCd1234' },
    { external_id: null },
    { status: undefined },
    { status: { id: 70000, message: 'COMPLETED' } },
    state(6, 'COMPLETED'),
    state(70, 'COMPLETED'),
    { requested_values: { destination: { amount: 1000, unit: 'KZT' } } },
    { requested_values: { destination: { amount: 1000.25, unit: 'USD' } } },
    { requested_values: { destination: { amount: -1000.25, unit: 'KZT' } } },
    { requested_values: { destination: { unit: 'KZT' } } },
  ];
  for (const change of nothing)
    it(`a DT One transaction with ${JSON.stringify(change)} leaves the outcome of the payout unknown`, () => {
      const transaction = shown({ ...state(7, 'COMPLETED'), ...change });
      assert.equal(readMade(order, transaction).kind, 'unknown');
      assert.equal(readFound(order, [transaction]).kind, 'unknown');
    });

  it('a DT One transaction reports the adjusted amount when it differs from the requested amount', () => {
    const minor = (change: object) => readTransaction(shown(change))?.given?.minor;
    assert.equal(minor({}), 100_025n);
    assert.equal(minor({ adjusted_values: { destination: { amount: 990, unit: 'KZT' } } }), 99_000n);
    assert.equal(minor({ requested_values: null }), 100_025n);
    assert.equal(minor({ requested_values: null, benefits: [] }), undefined);
  });

  it('a DT One list with several or unreadable transactions leaves the outcome of the payout unknown', () => {
    assert.deepEqual(readFound(order, []), { kind: 'not_found' });
    assert.equal(readFound(order, [shown({}), shown({})]).kind, 'unknown');
    assert.equal(readFound(order, [null]).kind, 'unknown');
  });
});

describe('DT One’s rejections', () => {
  const error = (code: unknown) => Buffer.from(JSON.stringify({ errors: [{ code, message: 'Words' }] }));
  const meanings: readonly (readonly [status: number, code: unknown, kind: string, declined?: string])[] = [
    [400, 1000400, 'not_accepted'],
    [401, 1000401, 'not_accepted'],
    [429, 1000429, 'not_accepted'],
    [404, 1003001, 'not_accepted'],
    [400, 1003001, 'not_accepted'],
    [400, 1003003, 'not_accepted'],
    [400, 1006001, 'not_accepted'],
    [404, 1006009, 'not_accepted'],
    [400, 1003002, 'declined', 'limit_or_risk'],
    [400, 1005003, 'declined', 'invalid_beneficiary'],
    [400, '1005003', 'declined', 'invalid_beneficiary'],
    [400, 1007500, 'declined', 'invalid_beneficiary'],
    [400, 1007001, 'unknown'],
    [404, 1008004, 'unknown'],
    [400, 1999999, 'unknown'],
    [500, 1009001, 'unknown'],
    [503, 1009503, 'unknown'],
    [500, 1000401, 'unknown'],
  ];
  for (const [status, code, kind, declined] of meanings)
    it(`the rejection HTTP ${status} with code ${code} from DT One means ${kind} ${declined ?? ''}`, () => {
      const { answer } = readRefusal(status, error(code));
      assert.equal(answer.kind, kind);
      assert.equal(answer.kind === 'declined' ? answer.blockedReason : undefined, declined);
    });

  it('a rejection without DT One’s code leaves the outcome unknown', () => {
    for (const body of [
      '',
      '<html>',
      '[]',
      '{"errors":[]}',
      '{"errors":{"code":1000401}}',
      '{"errors":[{"code":"x"}]}',
    ])
      for (const status of [400, 401, 403, 404, 429])
        assert.deepEqual(readRefusal(status, Buffer.from(body)).answer, { kind: 'unknown', reason: `HTTP ${status}` });
  });

  it('a DT One rejection with HTTP 401 is treated as a credentials error only if its body contains a credentials code', () => {
    assert.equal(readRefusal(401, error(1000401)).isOfCredentials, true);
    assert.equal(readRefusal(401, Buffer.from('')).isOfCredentials, false);
  });
});

describe('DT One’s balances', () => {
  const read = (...balances: object[]) => readBalances(json(balances) as readonly Json[]);
  const own = { id: 1, unit_type: 'CURRENCY', unit: 'USD', available: 100.5, holding: 3.6, credit_limit: 0 };

  it('the DT One balance is the available amount of each known currency, rounded down to cents', () => {
    assert.deepEqual(read(own, { ...own, unit: 'EUR', available: 0 }, { ...own, unit: 'XAF' }), {
      ok: true,
      value: [
        { currency: 'USD', minor: 10_050n },
        { currency: 'EUR', minor: 0n },
      ],
    });
    assert.deepEqual(read({ ...own, available: 7.129 }), { ok: true, value: [{ currency: 'USD', minor: 712n }] });
    assert.deepEqual(read({ ...own, available: -0.5 }), { ok: true, value: [{ currency: 'USD', minor: -50n }] });
  });

  it('the DT One balance reader fails on unreadable balances', () => {
    for (const change of [{ available: '1e9' }, { available: null }, { unit: undefined }])
      assert.equal(read(own, { ...own, ...change }).ok, false);
  });
});
