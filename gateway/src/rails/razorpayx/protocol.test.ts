/** What RazorpayX is asked, and what its answers say: by the examples of its pages, with our values. */
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

describe('a payout that RazorpayX is asked for', () => {
  it('has its beneficiary in it', () => {
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

  it('goes by IMPS up to five lakh rupees, and by NEFT above', () => {
    const modeOf = (minor: bigint) => written({ ...order, money: { currency: 'INR', minor } })['mode'];
    assert.deepEqual([modeOf(50_000_000n), modeOf(50_000_001n)], ['IMPS', 'NEFT']);
  });

  it('names its amount to the paisa, and is of the same bytes each time', () => {
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
    it(`is for ${name} where it is for ${fullName}`, () => {
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
    it(`is declined without being asked for where its name is ${JSON.stringify(fullName)}`, () => {
      const body = writePayout(withBeneficiary({ full_name: fullName }), ACCOUNT);
      assert.ok(!body.ok);
      assert.equal(body.error.code, '52');
      assert.match(body.error.reason, reason);
    });

  it('has a narration of 30 letters, digits and spaces, whatever the merchant’s ids are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (remittance) => {
        assert.match(String(written({ ...order, remittance })['narration']), /^[A-Za-z0-9 ]{0,30}$/);
      }),
    );
  });
});

describe('the lists that RazorpayX is asked for', () => {
  it('are named by account, reference and span', () => {
    const own = '/payouts?account_number=7878780080316316';
    assert.equal(payoutsOfReference(ACCOUNT.accountNumber, '17-AbCd1234'), `${own}&reference_id=17-AbCd1234&count=100`);
    assert.equal(payoutsMade(ACCOUNT.accountNumber, 5, 6, 100), `${own}&from=5&to=6&skip=100&count=100`);
  });
});

/** As the page on composite payouts shows one. */
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

describe('a payout as RazorpayX answers it', () => {
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
      { kind: 'pending', note: 'RazorpayX says queued: beneficiary_bank_down' },
    ],
    [
      { status: 'pending', ...details('pending_approval') },
      { kind: 'pending', note: 'RazorpayX waits for somebody of ours to approve it there' },
    ],
    [
      { status: 'failed', ...details('imps_not_allowed') },
      { kind: 'declined', code: '51', reason: 'RazorpayX says failed: imps_not_allowed' },
    ],
    [
      { status: 'failed', ...details('invalid_ifsc_code') },
      { kind: 'declined', code: '52', reason: 'RazorpayX says failed: invalid_ifsc_code' },
    ],
    [
      { status: 'failed', ...details('amount_limit_exhausted_neft') },
      { kind: 'declined', code: '53', reason: 'RazorpayX says failed: amount_limit_exhausted_neft' },
    ],
    [
      { status: 'failed', ...details('a_new_reason') },
      { kind: 'declined', code: '50', reason: 'RazorpayX says failed: a_new_reason' },
    ],
    [
      { status: 'failed', ...details('account 50100012345678 is closed') },
      { kind: 'declined', code: '50', reason: 'RazorpayX says failed' },
    ],
    [{ status: 'rejected' }, { kind: 'declined', code: '50', reason: 'RazorpayX says rejected' }],
    [{ status: 'cancelled' }, { kind: 'declined', code: '55', reason: 'RazorpayX says cancelled' }],
    [
      { status: 'reversed', ...details('amount_limit_exhausted') },
      { kind: 'reversed', reason: 'RazorpayX says reversed: amount_limit_exhausted' },
    ],
  ];
  for (const [change, answer] of meanings)
    it(`with ${JSON.stringify(change)} is ${(answer as { kind: string }).kind}, made or found`, () => {
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
    it(`with ${JSON.stringify(change)} says nothing of ours`, () => {
      assert.equal(readMade(order, shown(change)).kind, 'unknown');
      assert.equal(readFound(order, listed(change)).kind, 'unknown');
    });
});

describe('the list of what bears a reference', () => {
  it('may be empty, which is not found', () => {
    assert.deepEqual(readFound(order, listed()), { kind: 'not_found' });
  });

  it('of several has the one count by which money has left, or may leave', () => {
    const [failed, processing] = [{ status: 'failed' }, { status: 'processing' }];
    assert.equal(readFound(order, listed(failed, processing, {})).kind, 'executed');
    assert.equal(readFound(order, listed(failed, processing)).kind, 'pending');
    assert.equal(readFound(order, listed({ status: 'reversed' }, failed)).kind, 'reversed');
    assert.equal(readFound(order, listed({}, { status: 'done' })).kind, 'unknown');
  });

  it('that is none says nothing', () => {
    for (const text of ['{}', '{"entity":"collection"}', '{"entity":"collection","items":{}}', '{"items":[]}'])
      assert.equal(readFound(order, readObject(text) as JsonObject).kind, 'unknown', text);
    assert.equal(readFound(order, readObject('{"entity":"collection","items":[null]}') as JsonObject).kind, 'unknown');
  });
});

describe('an answer of RazorpayX that is no success', () => {
  const error = (change: object) =>
    Buffer.from(
      JSON.stringify({
        error: { code: 'BAD_REQUEST_ERROR', description: '', source: 'business', step: 'NA', metadata: {}, ...change },
      }),
    );
  const input = (field: string, description = '') => error({ reason: 'input_validation_failed', field, description });
  const key = { kind: 'not_taken', reason: 'RazorpayX refuses our key (HTTP 401): check its id and its secret' };

  const meanings: readonly (readonly [status: number, body: Buffer, answer: object])[] = [
    [401, error({ description: 'Authentication failed' }), key],
    [401, error({ code: 'BAD_REQUEST_AUTHENTICATION_ERROR', reason: 'authentication_failed' }), key],
    [429, error({}), { kind: 'not_taken', reason: 'RazorpayX finds our requests too many' }],
    [
      400,
      error({ reason: 'insufficient_funds' }),
      { kind: 'not_taken', reason: 'our account at RazorpayX has too little money' },
    ],
    [
      400,
      error({ description: 'Your account does not have enough balance to carry out the payout operation.' }),
      { kind: 'not_taken', reason: 'our account at RazorpayX has too little money' },
    ],
    [
      400,
      input('ifsc', 'The IFSC must be 11 characters.'),
      { kind: 'declined', code: '52', reason: 'RazorpayX refuses customs_ifsc' },
    ],
    [
      400,
      input('account_number', 'The account number format is invalid.'),
      { kind: 'declined', code: '52', reason: 'RazorpayX refuses account' },
    ],
    [
      400,
      input('fund_account.bank_account.account_number'),
      { kind: 'declined', code: '52', reason: 'RazorpayX refuses account' },
    ],
    [400, input('name'), { kind: 'declined', code: '52', reason: 'RazorpayX refuses full_name' }],
    [400, input('amount'), { kind: 'declined', code: '53', reason: 'RazorpayX refuses amount' }],
    [400, input('contact.email'), { kind: 'declined', code: '52', reason: 'RazorpayX refuses customs_email' }],
    [400, input('contact.contact'), { kind: 'declined', code: '52', reason: 'RazorpayX refuses customs_phone' }],
    [400, input('contact.type'), { kind: 'not_taken', reason: 'RazorpayX refuses the field contact.type' }],
    [
      400,
      input('purpose', 'The name of the purpose is invalid.'),
      { kind: 'not_taken', reason: 'RazorpayX refuses the field purpose' },
    ],
    [
      400,
      input('account_number', 'The account number field is required'),
      { kind: 'not_taken', reason: 'RazorpayX refuses the field account_number' },
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
    it(`HTTP ${status} with ${body.toString().slice(0, 130)} is ${(answer as { kind: string }).kind}`, () => {
      assert.deepEqual(readRefusal(status, body).answer, answer);
    });

  it('is about who we are where the key or the address is not known', () => {
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

describe('the balances of RazorpayX', () => {
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

  it('have what is available in our account, overdrawn or not', () => {
    assert.deepEqual(read({}), { ok: true, value: { currency: 'INR', minor: 186_682_600n } });
    assert.deepEqual(read({ available_amount: -5 }), { ok: true, value: { currency: 'INR', minor: -5n } });
  });

  it('of other accounts, or unreadable, are none', () => {
    for (const change of [{ account_number: '1' }, { currency: 'USD' }, { available_amount: 1.5 }])
      assert.equal(read(change).ok, false);
    assert.equal(readBalance(ACCOUNT.accountNumber, {}).ok, false);
  });
});
