/** Checks requests and responses against the examples of RazorpayX's pages, with our values. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { PayoutOrder } from '../../domain/payouts/payout-rail.ts';
import { type JsonObject, readObject } from '../kit/provider-json.ts';
import { payoutsMade, payoutsOfReference, readBalance, readFound, readMade, writePayout } from './protocol.ts';
import { testRupeeOrder } from './rail-under-test.ts';
import { readRefusal } from './refusals.ts';

const ACCOUNT = { accountNumber: '7878780080316316', purpose: 'payout' };
const order = testRupeeOrder('17-AbCd1234');

const withBeneficiary = (change: Readonly<Record<string, string>>): PayoutOrder => ({
  ...order,
  beneficiary: { ...order.beneficiary, ...change },
});

function written(from: PayoutOrder): Record<string, unknown> {
  const body = writePayout(from, ACCOUNT);
  assert.ok(body.ok);
  return JSON.parse(body.value);
}

describe('RazorpayX’s payout request', () => {
  it('a RazorpayX payout request contains its beneficiary', () => {
    assert.deepEqual(written(order), {
      account_number: '7878780080316316',
      fund_account: {
        account_type: 'bank_account',
        bank_account: { name: 'Ravi Kumar', ifsc: 'HDFC0000001', account_number: '50100012345678' },
        contact: { name: 'Ravi Kumar', email: 'r@example.com', contact: '9876543210', type: 'customer' },
      },
      amount: 10_025,
      currency: 'INR',
      mode: 'IMPS',
      purpose: 'payout',
      queue_if_low_balance: true,
      reference_id: '17-AbCd1234',
      narration: 'M1 A 17',
      notes: { payout: 'M1/A_17' },
    });
  });

  it('a RazorpayX payout uses IMPS up to five lakh rupees, and NEFT above', () => {
    const modeOf = (minor: bigint) => written({ ...order, money: { currency: 'INR', minor } })['mode'];
    assert.deepEqual([modeOf(50_000_000n), modeOf(50_000_001n)], ['IMPS', 'NEFT']);
  });

  it('a RazorpayX payout request contains the amount to the paisa, and equal bytes for equal orders', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 99_999_999_999_999n }), (minor) => {
        const some = { ...order, money: { currency: 'INR', minor } } as const;
        const [first, second] = [writePayout(some, ACCOUNT), writePayout(some, ACCOUNT)];
        assert.deepEqual(first, second);
        assert.ok(first.ok && first.value.includes(`"amount":${minor},`));
      }),
    );
  });

  const names: readonly (readonly [fullName: string, name: string])[] = [
    ['José Núñez', 'Jose Nunez'],
    ["Anne-Marie O'Neil", 'Anne-Marie O’Neil'],
    ['Ravi K.', 'Ravi K.'],
  ];
  for (const [fullName, name] of names)
    it(`the name ${fullName} is written as ${name} for RazorpayX`, () => {
      const { fund_account: to } = written(withBeneficiary({ full_name: fullName })) as {
        fund_account: { bank_account: { name: string }; contact: { name: string } };
      };
      assert.deepEqual([to.bank_account.name, to.contact.name], [name, name]);
    });

  const unfit: readonly (readonly [fullName: string, reason: RegExp])[] = [
    ['', /needs full_name/],
    ['रवि कुमार', /Latin letters only/],
    ['Ravi कुमार', /Latin letters only/],
    ['Om', /too short/],
  ];
  for (const [fullName, reason] of unfit)
    it(`a RazorpayX payout to the name ${JSON.stringify(fullName)} is declined without a request`, () => {
      const body = writePayout(withBeneficiary({ full_name: fullName }), ACCOUNT);
      assert.ok(!body.ok);
      assert.equal(body.error.blockedReason, 'invalid_beneficiary');
      assert.match(body.error.reason, reason);
    });

  it('a RazorpayX payout’s narration has at most 30 letters, digits and spaces for any merchant ids', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (remittance) => {
        assert.match(String(written({ ...order, remittance })['narration']), /^[A-Za-z0-9 ]{0,30}$/);
      }),
    );
  });
});

describe('RazorpayX’s list requests', () => {
  it('a list request to RazorpayX contains the account, and a reference or a period', () => {
    const own = '/payouts?account_number=7878780080316316';
    assert.equal(payoutsOfReference(ACCOUNT.accountNumber, '17-AbCd1234'), `${own}&reference_id=17-AbCd1234&count=100`);
    assert.equal(payoutsMade(ACCOUNT.accountNumber, 5, 6, 100), `${own}&from=5&to=6&skip=100&count=100`);
  });
});

/** The example of the page on composite payouts. */
const SHOWN = {
  id: 'pout_F681qslJ3ba70q',
  entity: 'payout',
  fund_account_id: 'fa_F681qr6Bqy1Je7',
  fund_account: { id: 'fa_F681qr6Bqy1Je7', entity: 'fund_account', account_type: 'bank_account' },
  amount: 10_025,
  currency: 'INR',
  notes: [],
  fees: 590,
  tax: 90,
  status: 'processed',
  purpose: 'refund',
  utr: null,
  mode: 'NEFT',
  reference_id: '17-AbCd1234',
  narration: 'Acme Corp Fund Transfer',
  batch_id: null,
  status_details: null,
  created_at: 1_592_929_017,
  fee_type: '',
  error: { description: null, source: null, reason: null },
};

const shown = (change: object) => readObject(JSON.stringify({ ...SHOWN, ...change })) as JsonObject;
const details = (reason: string) => ({ status_details: { description: 'Some text.', source: 'business', reason } });
const listed = (...changes: object[]) =>
  readObject(
    JSON.stringify({
      entity: 'collection',
      count: changes.length,
      items: changes.map((change) => ({ ...SHOWN, ...change })),
    }),
  ) as JsonObject;

describe('a payout in RazorpayX’s response', () => {
  const meanings: readonly (readonly [change: object, answer: object])[] = [
    [{}, { kind: 'executed' }],
    [{ status: 'processing' }, { kind: 'pending' }],
    [{ status: 'scheduled' }, { kind: 'pending' }],
    [
      { status: 'queued', ...details('low_balance') },
      { kind: 'pending', note: 'RazorpayX waits for money: our account there has too little' },
    ],
    [
      { status: 'queued', ...details('beneficiary_bank_down') },
      { kind: 'pending', note: 'RazorpayX reports queued: beneficiary_bank_down' },
    ],
    [
      { status: 'pending', ...details('pending_approval') },
      { kind: 'pending', note: 'RazorpayX is waiting for an approval by one of our users' },
    ],
    [
      { status: 'failed', ...details('imps_not_allowed') },
      { kind: 'declined', blockedReason: 'bank_declined', reason: 'RazorpayX reports failed: imps_not_allowed' },
    ],
    [
      { status: 'failed', ...details('invalid_ifsc_code') },
      { kind: 'declined', blockedReason: 'invalid_beneficiary', reason: 'RazorpayX reports failed: invalid_ifsc_code' },
    ],
    [
      { status: 'failed', ...details('amount_limit_exhausted_neft') },
      {
        kind: 'declined',
        blockedReason: 'limit_or_risk',
        reason: 'RazorpayX reports failed: amount_limit_exhausted_neft',
      },
    ],
    [
      { status: 'failed', ...details('a_new_reason') },
      { kind: 'declined', blockedReason: 'unspecified', reason: 'RazorpayX reports failed: a_new_reason' },
    ],
    [
      { status: 'failed', ...details('account 50100012345678 is closed') },
      { kind: 'declined', blockedReason: 'unspecified', reason: 'RazorpayX reports failed' },
    ],
    [{ status: 'rejected' }, { kind: 'declined', blockedReason: 'unspecified', reason: 'RazorpayX reports rejected' }],
    [{ status: 'cancelled' }, { kind: 'declined', blockedReason: 'cancelled', reason: 'RazorpayX reports cancelled' }],
    [
      { status: 'reversed', ...details('amount_limit_exhausted') },
      { kind: 'reversed', reason: 'RazorpayX reports reversed: amount_limit_exhausted' },
    ],
  ];
  for (const [change, answer] of meanings)
    it(`a RazorpayX payout with ${JSON.stringify(change)} is ${(answer as { kind: string }).kind}, whether new or found`, () => {
      assert.deepEqual(readMade(order, shown(change)), answer);
      assert.deepEqual(readFound(order, listed(change)), answer);
    });

  const nothing: readonly object[] = [
    { entity: 'fund_account' },
    { id: 'fa_F681qr6Bqy1Je7' },
    { id: undefined },
    { amount: 10_051 },
    { amount: 10_025.5 },
    { amount: -10_025 },
    { currency: 'USD' },
    { reference_id: null },
    { reference_id: '18-AbCd1234' },
    { status: 'PROCESSED' },
    { status: 'done' },
    { status: undefined },
    { created_at: 'yesterday' },
  ];
  for (const change of nothing)
    it(`a RazorpayX payout with ${JSON.stringify(change)} leaves the outcome of our payout unknown`, () => {
      assert.equal(readMade(order, shown(change)).kind, 'unknown');
      assert.equal(readFound(order, listed(change)).kind, 'unknown');
    });
});

describe('RazorpayX’s list by reference', () => {
  it('an empty RazorpayX list means that the payout is not found', () => {
    assert.deepEqual(readFound(order, listed()), { kind: 'not_found' });
  });

  it('a RazorpayX list of several payouts is read by the payout whose money has left or may still leave', () => {
    const [failed, processing] = [{ status: 'failed' }, { status: 'processing' }];
    assert.equal(readFound(order, listed(failed, processing, {})).kind, 'executed');
    assert.equal(readFound(order, listed(failed, processing)).kind, 'pending');
    assert.equal(readFound(order, listed({ status: 'reversed' }, failed)).kind, 'reversed');
    assert.equal(readFound(order, listed({}, { status: 'done' })).kind, 'unknown');
  });

  it('a RazorpayX response without a list leaves the outcome of the payout unknown', () => {
    for (const text of ['{}', '{"entity":"collection"}', '{"entity":"collection","items":{}}', '{"items":[]}'])
      assert.equal(readFound(order, readObject(text) as JsonObject).kind, 'unknown', text);
    assert.equal(readFound(order, readObject('{"entity":"collection","items":[null]}') as JsonObject).kind, 'unknown');
  });
});

describe('RazorpayX’s rejections', () => {
  const error = (change: object) =>
    Buffer.from(
      JSON.stringify({
        error: { code: 'BAD_REQUEST_ERROR', description: '', source: 'business', step: 'NA', metadata: {}, ...change },
      }),
    );
  const input = (field: string, description = '') => error({ reason: 'input_validation_failed', field, description });
  const key = { kind: 'not_accepted', reason: 'RazorpayX refuses our key (HTTP 401): check its id and its secret' };

  const meanings: readonly (readonly [status: number, body: Buffer, answer: object])[] = [
    [401, error({ description: 'Authentication failed' }), key],
    [401, error({ code: 'BAD_REQUEST_AUTHENTICATION_ERROR', reason: 'authentication_failed' }), key],
    [429, error({}), { kind: 'not_accepted', reason: 'RazorpayX rejects our requests by its rate limit' }],
    [
      400,
      error({ reason: 'insufficient_funds' }),
      { kind: 'not_accepted', reason: 'the balance of our account at RazorpayX is too low' },
    ],
    [
      400,
      error({ description: 'Your account does not have enough balance to carry out the payout operation.' }),
      { kind: 'not_accepted', reason: 'the balance of our account at RazorpayX is too low' },
    ],
    [
      400,
      input('ifsc', 'The IFSC must be 11 characters.'),
      { kind: 'declined', blockedReason: 'invalid_beneficiary', reason: 'RazorpayX refuses customs_ifsc' },
    ],
    [
      400,
      input('account_number', 'The account number format is invalid.'),
      { kind: 'declined', blockedReason: 'invalid_beneficiary', reason: 'RazorpayX refuses account' },
    ],
    [
      400,
      input('fund_account.bank_account.account_number'),
      { kind: 'declined', blockedReason: 'invalid_beneficiary', reason: 'RazorpayX refuses account' },
    ],
    [
      400,
      input('name'),
      { kind: 'declined', blockedReason: 'invalid_beneficiary', reason: 'RazorpayX refuses full_name' },
    ],
    [400, input('amount'), { kind: 'declined', blockedReason: 'limit_or_risk', reason: 'RazorpayX refuses amount' }],
    [
      400,
      input('contact.email'),
      { kind: 'declined', blockedReason: 'invalid_beneficiary', reason: 'RazorpayX refuses customs_email' },
    ],
    [
      400,
      input('contact.contact'),
      { kind: 'declined', blockedReason: 'invalid_beneficiary', reason: 'RazorpayX refuses customs_phone' },
    ],
    [400, input('contact.type'), { kind: 'not_accepted', reason: 'RazorpayX refuses the field contact.type' }],
    [
      400,
      input('purpose', 'The name of the purpose is invalid.'),
      { kind: 'not_accepted', reason: 'RazorpayX refuses the field purpose' },
    ],
    [
      400,
      input('account_number', 'The account number field is required'),
      { kind: 'not_accepted', reason: 'RazorpayX refuses the field account_number' },
    ],
    [
      400,
      error({ description: 'Different request body sent for the same Idempotency Header', reason: null }),
      { kind: 'unknown', reason: 'HTTP 400: Different request body sent for the same Idempotency Header' },
    ],
    [
      400,
      error({ description: 'Account 50100012345678\nof <b>Ravi</b>' }),
      { kind: 'unknown', reason: 'HTTP 400: Account … of b Ravi b' },
    ],
    [500, error({ reason: 'server_error' }), { kind: 'unknown', reason: 'HTTP 500' }],
    [503, error({ description: 'Authentication failed' }), { kind: 'unknown', reason: 'HTTP 503' }],
    [401, Buffer.from('<html>'), { kind: 'unknown', reason: 'HTTP 401' }],
    [429, Buffer.from(''), { kind: 'unknown', reason: 'HTTP 429' }],
    [400, Buffer.from('{"error":"invalid"}'), { kind: 'unknown', reason: 'HTTP 400' }],
  ];
  for (const [status, body, answer] of meanings)
    it(`the HTTP ${status} rejection ${body.toString().slice(0, 130)} from RazorpayX means ${(answer as { kind: string }).kind}`, () => {
      assert.deepEqual(readRefusal(status, body).answer, answer);
    });

  it('a rejection is about credentials if RazorpayX refuses the key or the address', () => {
    const address = error({ description: 'Transactions from this IP are not allowed for this merchant' });
    assert.deepEqual(
      [
        readRefusal(401, error({})),
        readRefusal(400, address),
        readRefusal(403, address),
        readRefusal(429, error({})),
      ].map(({ isOfCredentials }) => isOfCredentials),
      [true, true, true, false],
    );
  });
});

describe('RazorpayX’s balances', () => {
  const balances = (change: object) =>
    readObject(
      JSON.stringify({
        entity: 'collection',
        count: 1,
        items: [
          {
            entity: 'banking_balance',
            currency: 'INR',
            account_number: '7878780080316316',
            amount: 186_682_638,
            available_amount: 186_682_600,
            refreshed_at: 1_721_889_110,
            ...change,
          },
        ],
      }),
    ) as JsonObject;
  const read = (change: object) => readBalance(ACCOUNT.accountNumber, balances(change));

  it('the RazorpayX balance is the available amount of our account, even if it is overdrawn', () => {
    assert.deepEqual(read({}), { ok: true, value: { currency: 'INR', minor: 186_682_600n } });
    assert.deepEqual(read({ available_amount: -5 }), { ok: true, value: { currency: 'INR', minor: -5n } });
  });

  it('a RazorpayX balance of another account, or an unreadable balance, is an error', () => {
    for (const change of [{ account_number: '1' }, { currency: 'USD' }, { available_amount: 1.5 }])
      assert.equal(read(change).ok, false);
    assert.equal(readBalance(ACCOUNT.accountNumber, {}).ok, false);
  });
});
