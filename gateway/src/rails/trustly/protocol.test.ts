/** Checks calls and responses against documented and recorded cases, and responses that only an attacker would send. */
import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import type { PaymentOrder, RefundOrder } from '../../domain/payments/payment-rail.ts';
import { Secret } from '../../foundation/secret.ts';
import { readAnswer, uuidOf, writeCall } from './json-rpc.ts';
import { depositCall, readDeposit, readRefund, refundCall, statementText } from './protocol.ts';
import { ledgerCall, readFunds } from './queries.ts';
import { meaningOf, meaningOfRefundError } from './refusals.ts';
import { isSignedBy, plaintext } from './signature.ts';

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const account = {
  username: 'merchant_username',
  password: new Secret('merchant_password'),
  notificationUrl: 'https://pay.example/rail-notifications/trustly',
};

const payer = {
  userId: '',
  firstName: 'John',
  lastName: 'Doe',
  email: 'test@example.com',
  phone: '',
  country: 'SE',
  ip: '123.123.123.123',
};
const order = {
  reference: '17-AbCd1234',
  providerReference: '1187741486',
  money: { currency: 'EUR', minor: 10_300n },
  merchantName: 'MyBrand.com',
  payer,
  returnUrl: 'https://pay.example/back',
} as PaymentOrder;
const refund: RefundOrder = {
  payment: order,
  reference: '18-AbCd1234',
  money: { currency: 'EUR', minor: 3_000n },
  startedAt: 0,
};

describe('Trustly’s Deposit', () => {
  it('a Trustly Deposit contains the documented fields', () => {
    const { method, uuid, data } = depositCall(order, account);
    assert.equal(method, 'Deposit');
    assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.deepEqual(data, {
      Username: 'merchant_username',
      Password: 'merchant_password',
      NotificationURL: 'https://pay.example/rail-notifications/trustly',
      EndUserID: '17-AbCd1234',
      MessageID: '17-AbCd1234',
      Attributes: {
        Amount: '103.00',
        Currency: 'EUR',
        Country: 'SE',
        Locale: 'en_GB',
        Firstname: 'John',
        Lastname: 'Doe',
        Email: 'test@example.com',
        IP: '123.123.123.123',
        ShopperStatement: 'MyBrand.com',
        SuccessURL: 'https://pay.example/back?trustly=success',
        FailURL: 'https://pay.example/back?trustly=fail',
        URLTarget: '_top',
      },
    });
  });

  it('equal Trustly orders give equal Deposits with the same UUID', () => {
    assert.deepEqual(depositCall({ ...order }, account), depositCall(order, account));
    assert.notEqual(uuidOf('Deposit', '17-AbCd1234'), uuidOf('Deposit', '17-AbCd1235'));
    assert.notEqual(uuidOf('Deposit', '17-AbCd1234'), uuidOf('Refund', '17-AbCd1234'));
  });

  it('a Trustly Deposit is written with its signature in the envelope of JSON-RPC 1.1', () => {
    const call = depositCall(order, account);
    const { method, params, version } = JSON.parse(writeCall(call, keys.privateKey));
    assert.deepEqual([method, version, params.UUID, params.Data], ['Deposit', '1.1', call.uuid, call.data]);
    assert.ok(isSignedBy(call, params.Signature, keys.publicKey));
    assert.match(
      plaintext(call),
      /^Deposit[0-9a-f-]{36}AttributesAmount103\.00CountrySECurrencyEUREmailtest@example\.com/,
    );
  });

  const names: readonly (readonly [name: string, printed: string])[] = [
    ['MyBrand.com', 'MyBrand.com'],
    ['Café “Öl” & Söhne', 'Cafe Ol Sohne'],
    ['A shop whose name is very long indeed', 'A shop whose name is very long'],
    ['Магазин', 'Payment'],
    ['<script>', 'script'],
  ];
  for (const [name, printed] of names) {
    it(`the merchant name ${name} is printed as ${printed} on the statement of a Trustly payer`, () =>
      assert.equal(statementText(name), printed));
  }

  it('a Trustly Deposit’s response is an order id and a page URL, and anything else is ignored', () => {
    const page = 'https://checkout.trustly.com/checkout?OrderID=1234567890&SessionID=x';
    assert.deepEqual(readDeposit({ orderid: '2190971587', url: page }, false), { orderId: '2190971587', url: page });
    const local = 'http://127.0.0.1:1/checkout';
    assert.equal(readDeposit({ orderid: '1', url: local }, false), undefined);
    assert.ok(readDeposit({ orderid: '1', url: local }, true));
    const wrong = ['javascript:alert(1)', 'data:text/html,x', '', 'checkout', `https://x/${'x'.repeat(2_000)}`];
    for (const url of wrong) assert.equal(readDeposit({ orderid: '1', url }, true), undefined, url);
    for (const orderid of ['', 'x', '1'.repeat(21)]) assert.equal(readDeposit({ orderid, url: page }, true), undefined);
    for (const data of [null, [], 'x', { orderid: null }]) assert.equal(readDeposit(data, true), undefined);
  });
});

describe('Trustly’s Refund', () => {
  it('a Trustly Refund contains the documented fields', () => {
    assert.deepEqual(refundCall(refund, account).data, {
      Username: 'merchant_username',
      Password: 'merchant_password',
      OrderID: '1187741486',
      Amount: '30.00',
      Currency: 'EUR',
      Attributes: { ExternalReference: '18-AbCd1234' },
    });
  });

  it('a Trustly Refund is accepted or rejected only by a response about its own order', () => {
    assert.equal(readRefund({ result: '1', orderid: '1187741486' }, refund), 'accepted');
    assert.equal(readRefund({ result: '0', orderid: '1187741486' }, refund), 'refused');
    for (const data of [{ result: '1', orderid: '2' }, { orderid: '1187741486' }, { result: 'x' }, null, []]) {
      assert.equal(readRefund(data, refund), undefined);
    }
  });
});

describe('Trustly’s responses', () => {
  /** The public key of Trustly's test system, from its documents. */
  const theirs = createPublicKey(
    [
      '-----BEGIN PUBLIC KEY-----',
      'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAy7h/yX8DEA2m588SrWye',
      'AC8rTMbErwHt2hoTiP9fte/iOo0FXIZSmNsNu422L+iJyvZQu19ebeL7XgB0UXqt',
      'zA6KtXBMXIKwuMCZhbdeR8sb7OKbX2nlWM+e2Hmrr9CTfkZkFBeSC+iN9fAU6PoR',
      'X0i5PWm0uZnaoWXcZnk5CxQCgnfYgsx7xsd8Au+mrqE8SHeT8zi/Inw0Xp6ba25G',
      'YsZhHfIPD2rcZQOpWbmHRS4Jk4aGzSOBHbAZhKlP97PxoVfUcPI3iCA1+3jMs1l2',
      'PYsHUbP60NMVwkGPjFOTv4m1a1wKsue0mhspDdvswZUeKE+POGOuewqTQJ+gIhXw',
      'mQIDAQAB',
      '-----END PUBLIC KEY-----',
    ].join('\n'),
  );
  const call = { method: 'Deposit', uuid: 'ad4f3dbe-6c1d-11e5-9d5e-0800279bcb51', data: {} };
  // As Trustly's test system sent it, with numbers as numbers.
  const recorded =
    '{"version":"1.1","error":{"error":{"uuid":"ad4f3dbe-6c1d-11e5-9d5e-0800279bcb51","signature":"bsu/qaPV6nQoyXvB6Ljlr5sWCntjBGcz9sgxawGtRHakMU3JZnJ7Iv/zR3S3BbcIhB8uSNybNlAgmXtOnrpdZ7HtN5CIKEh60h8mxvbq3asBuLbMqN9Bpeala9NgiBQiH9uq7tcY8xOSVbUJLcXWonn6QVBZGL4LJwcAXQOLfen/YBOETS0mcsXn8vpAKZeQf6IH4RwYUHlzisRjsW+8fKMJm9DchwmmEnrY4n34ucudMTPRISwRiSWjAupH+3ls5JEsfjAsSaHSeQw7O/kTRLetEP4Zs8I/bc1oQeE7S4djd6jwRKlwZp3dvZmUVPHKxYcOQrQXfIWMBIztayFhUw==","data":{"message":"ERROR_INVALID_CREDENTIALS","code":616},"method":"Deposit"},"name":"JSONRPCError","code":616,"message":"ERROR_INVALID_CREDENTIALS"}}';
  const read = (body: string, asked = call) => readAnswer(asked, 200, Buffer.from(body), theirs);

  it('an error response is read from the part that Trustly signed', () => {
    const error = { kind: 'error', isSigned: true, code: '616', message: 'ERROR_INVALID_CREDENTIALS' };
    assert.deepEqual(read(recorded), error);
    const outside = recorded.replace(
      '"code":616,"message":"ERROR_INVALID_CREDENTIALS"}}',
      '"code":638,"message":"x"}}',
    );
    assert.deepEqual(read(outside), error);
  });

  it('a signed Trustly error about another call is treated as unsigned', () => {
    const changed = [
      read(recorded, { ...call, uuid: 'ad4f3dbe-6c1d-11e5-9d5e-0800279bcb52' }),
      read(recorded, { ...call, method: 'Refund' }),
      read(recorded.replace('"code":616},', '"code":638},')),
      read('{"error":{"code":616,"message":"ERROR_INVALID_CREDENTIALS","error":{"uuid":null,"method":null}}}'),
      read('{"error":{}}'),
      read('{"error":{"code":"<b>","error":[]}}'),
    ];
    assert.ok(changed.every((answer) => answer.kind === 'error' && !answer.isSigned));
  });

  it('a Trustly response without a result and without an error is unreadable', () => {
    for (const body of ['', 'x', 'null', '[]', '{}', '"x"', '{"result":null}', '{"result":"x"}', '{"error":null}']) {
      assert.deepEqual(read(body), { kind: 'unreadable', reason: 'HTTP 200' }, body);
    }
    const reason = 'the response is not signed by Trustly';
    for (const body of [
      '{"result":{}}',
      '{"result":{"uuid":1}}',
      `{"result":{"method":"Deposit","uuid":"${call.uuid}"}}`,
    ]) {
      assert.deepEqual(read(body), { kind: 'unreadable', reason }, body);
    }
  });
});

describe('Trustly’s error codes', () => {
  it('a documented Trustly error code has its meaning, and an unknown code has none', () => {
    assert.deepEqual(
      ['602', '607', '616', '636', '637', '639', '620', '999', ''].map((code) => meaningOf(code).kind),
      [
        'credentials',
        'credentials',
        'credentials',
        'credentials',
        'duplicate',
        'credentials',
        ...Array(3).fill('unknown'),
      ],
    );
  });

  it('an error response to a Trustly Refund is a decline, except for credentials and for the ambiguous code 620', () => {
    assert.deepEqual(
      ['615', '623', '999', '616', '620'].map((code) => meaningOfRefundError(code).kind),
      ['refused', 'refused', 'refused', 'credentials', 'unknown'],
    );
  });
});

describe('Trustly’s ledger', () => {
  it('the Trustly ledger is queried from a day before the order to a day after the present', () => {
    const { data } = ledgerCall(account, 'u', Date.UTC(2026, 10, 20, 23), Date.UTC(2026, 10, 21, 1));
    const { FromDate, ToDate, Currency } = data as Record<string, string>;
    assert.deepEqual([FromDate, ToDate, Currency], ['2026-11-19', '2026-11-23', 'EUR']);
  });

  // The rows of Trustly's own example.
  const deposit = {
    userid: '3839426635',
    datestamp: '2014-01-30 13:28:45.652299+01',
    orderid: '3209647863',
    accountname: 'SUSPENSE_ACCOUNT_CLIENT_FUNDS_SWEDEN_ESSE',
    messageid: '133921',
    transactiontype: 'User deposit of client funds to CLIENT_FUNDS_SWEDEN_ESSE',
    currency: 'EUR',
    amount: '5.00000000000000000000',
    gluepayid: '3209647863',
  };
  const fee = { ...deposit, accountname: 'TRANSACTION_FEE_BANK_DEPOSIT', currency: 'SEK', amount: '-3.01' };
  const find = (rows: Parameters<typeof readFunds>[0]) => readFunds(rows, '3209647863', '133921');

  it('the ledger shows a Trustly order’s money without the fee', () => {
    assert.deepEqual(find([deposit, fee]), { currency: 'EUR', minor: 500n });
    assert.deepEqual(find([deposit, deposit]), { currency: 'EUR', minor: 1_000n });
  });

  it('Trustly’s ledger does not show anything for another order or account', () => {
    const others = [
      { ...deposit, orderid: '1' },
      { ...deposit, messageid: '1' },
      { ...deposit, currency: 'SEK' },
      { ...deposit, accountname: 'BANK_WITHDRAWAL_QUEUED' },
      { ...deposit, amount: '-5.00' },
      { ...deposit, amount: '5.001' },
      null,
      'x',
      [],
    ];
    assert.equal(find([fee, ...others]), undefined);
    for (const rows of [null, 'x', {}, []]) assert.equal(find(rows), undefined);
  });
});
