/** Checks the bytes against the requests and responses that WayForPay's pages describe. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import type { PayoutOrder } from '../../domain/payouts/payout-rail.ts';
import { Secret } from '../../foundation/secret.ts';
import { answerOf, readAnswer, type WayForPayAnswer, writePayout, writeStatusQuery } from './protocol.ts';
import { readBalance, readList, writeBalanceQuery, writeListQuery } from './queries.ts';

const KEY = 'flk3409refn54t54t*FNJRET';
const configuration = {
  url: 'https://api.wayforpay.com',
  merchantAccount: 'test_merch_n1',
  secretKey: new Secret(KEY),
  serviceUrl: 'https://gateway.example/rail-notifications/wayforpay',
  concurrency: 1,
  simulated: false,
};

const order = (change: Partial<PayoutOrder>): PayoutOrder => ({
  reference: '17-AbCd1234',
  remittance: 'M1/A17',
  purpose: 'payout',
  method: 1,
  money: { currency: 'UAH', minor: 10_000n },
  beneficiary: { account: new Secret('4111111111111111') },
  sendUntil: 0,
  delayed: false,
  ...change,
});

describe('requests for WayForPay payouts', () => {
  for (const method of [1, 16])
    it(`a WayForPay payout by method ${method} is a P2P_CREDIT to the card in hryvnias`, () => {
      const { merchantSignature, ...fields } = JSON.parse(writePayout(order({ method }), configuration));
      assert.match(merchantSignature, /^[0-9a-f]{32}$/);
      assert.deepEqual(fields, {
        transactionType: 'P2P_CREDIT',
        merchantAccount: 'test_merch_n1',
        orderReference: '17-AbCd1234',
        amount: 100,
        currency: 'UAH',
        cardBeneficiary: '4111111111111111',
        apiVersion: 1,
        serviceUrl: 'https://gateway.example/rail-notifications/wayforpay',
      });
    });

  it('a WayForPay payout by method 34 is a P2P_ACCOUNT to the IBAN, without the client’s card', () => {
    const beneficiary = {
      account: 'UA213223130000026007233566001',
      full_name: 'Ivan P',
      customs_card: new Secret('4111111111111111'),
      customs_inn: '3184710691',
    };
    const text = writePayout(
      order({ method: 34, money: { currency: 'UAH', minor: 150_050n }, beneficiary }),
      configuration,
    );
    const { transactionType, iban, okpo, accountName, amount } = JSON.parse(text);
    assert.deepEqual(
      [transactionType, iban, okpo, accountName, amount],
      ['P2P_ACCOUNT', 'UA213223130000026007233566001', '3184710691', 'Ivan P', 1500.5],
    );
    assert.doesNotMatch(text, /4111/);
  });

  it('a WayForPay payout is queried by its reference', () => {
    assert.deepEqual(JSON.parse(writeStatusQuery('P1', configuration)), {
      transactionType: 'CHECK_STATUS',
      merchantAccount: 'test_merch_n1',
      orderReference: 'P1',
      apiVersion: 1,
      merchantSignature: '361961e9cd4477f5be5b0091edfe0da6',
    });
  });
});

/** The response of CHECK_STATUS from its page, signed. */
function answer(change: Record<string, unknown> = {}, status = 200): WayForPayAnswer {
  const fields = {
    merchantAccount: 'test_merch_n1',
    orderReference: '17-AbCd1234',
    amount: 100,
    currency: 'UAH',
    authCode: '123456',
    createdDate: 1_415_379_863,
    processingDate: 1_415_379_864,
    cardPan: '41****1111',
    cardType: 'Visa',
    issuerBankCountry: '980',
    issuerBankName: 'PrivatBank',
    transactionStatus: 'Approved',
    reason: 'Ok',
    reasonCode: 1100,
    ...change,
  } as Record<string, unknown>;
  const names = 'merchantAccount;orderReference;amount;currency;authCode;cardPan;transactionStatus;reasonCode';
  const text = names.split(';').map((name) => fields[name] ?? '');
  const merchantSignature = createHmac('md5', KEY).update(text.join(';')).digest('hex');
  return readAnswer(status, Buffer.from(JSON.stringify({ merchantSignature, ...fields })), configuration);
}

describe('WayForPay’s statements about an order', () => {
  const meaning = (change: object) => {
    const said = answer(change as Record<string, unknown>);
    return said.kind === 'order' ? answerOf(said.statement) : said;
  };
  const declined = (blockedReason: string, reason: string) => ({ kind: 'declined', blockedReason, reason });

  const meanings: readonly (readonly [transactionStatus: string, reasonCode: number, means: object | string])[] = [
    ['Approved', 1100, { kind: 'executed' }],
    ['Approved', 1131, 'unknown'],
    ['Declined', 1101, declined('bank_declined', 'WayForPay reports 1101: declined by the card’s bank')],
    ['Declined', 1105, declined('invalid_beneficiary', 'WayForPay reports 1105: no valid card')],
    [
      'Declined',
      1118,
      declined('limit_or_risk', 'WayForPay reports 1118: our account exceeded a limit or lacks a permission'),
    ],
    ['Declined', 1136, declined('unspecified', 'WayForPay reports 1136: our balance there is too small')],
    ['Declined', 1139, declined('bank_declined', 'WayForPay reports 1139: declined while the card was credited')],
    ['Declined', 1140, declined('limit_or_risk', 'WayForPay reports 1140: too many credits to the card')],
    ['Declined', 9999, declined('unspecified', 'WayForPay reports 9999')],
    ['Declined', 1100, 'unknown'],
    ['Declined', 1129, 'unknown'],
    ['Declined', 1131, 'unknown'],
    ['Declined', 1134, 'unknown'],
    ['Expired', 1101, declined('expired', 'it expired at WayForPay')],
    ['Refunded', 1100, { kind: 'reversed', reason: 'returned to us by WayForPay' }],
    ['Voided', 1100, { kind: 'reversed', reason: 'returned to us by WayForPay' }],
    ['inProcessing', 1131, { kind: 'pending' }],
    ['InProcessing', 1131, { kind: 'pending' }],
    ['Pending', 1134, { kind: 'pending' }],
    ['Created', 1131, { kind: 'pending' }],
    ['RefundInProcessing', 1138, { kind: 'pending' }],
    ['WaitingAuthComplete', 1100, 'unknown'],
    ['__proto__', 1100, 'unknown'],
  ];
  for (const [transactionStatus, reasonCode, means] of meanings)
    it(`the WayForPay status ${transactionStatus} with reason ${reasonCode} means ${typeof means === 'string' ? means : JSON.stringify(means)}`, () => {
      const said = meaning({ transactionStatus, reasonCode });
      if (typeof means === 'string') assert.equal(said.kind, means);
      else assert.deepEqual(said, means);
    });

  it('a WayForPay statement is read with numbers or with strings', () => {
    for (const change of [{ reasonCode: '1100' }, { amount: '100' }, { amount: 100.0 }])
      assert.deepEqual(meaning(change), { kind: 'executed' });
  });

  it('the gateway ignores a WayForPay statement about another account, a foreign reference or an invalid amount', () => {
    const changes = [
      { merchantAccount: 'test_merch_n2' },
      { orderReference: 'P1' },
      { orderReference: '17-AbCd1234;x' },
      { currency: 'USD' },
      { amount: 0 },
      { amount: '1e3' },
      { merchantSignature: '0'.repeat(32) },
    ];
    for (const change of changes) assert.equal(meaning(change).kind, 'nothing', JSON.stringify(change));
  });

  it('a WayForPay reason code about the request does not decide an order, even with status Declined', () => {
    for (const reasonCode of [1112, 1113, 1117, 1121, 1127]) {
      assert.deepEqual(answer({ transactionStatus: 'Declined', reasonCode }), {
        kind: 'request',
        reasonCode: String(reasonCode),
      });
      assert.equal(meaning({ transactionStatus: 'Approved', reasonCode }).kind, 'unknown');
    }
    assert.deepEqual(answer({ transactionStatus: undefined, reasonCode: 1115 }), {
      kind: 'request',
      reasonCode: '1115',
    });
  });

  it('a decline reason never includes the message that WayForPay sends', () => {
    const said = meaning({ transactionStatus: 'Declined', reason: 'card 4111111111111111', reasonCode: 1105 });
    assert.doesNotMatch(JSON.stringify(said), /4111/);
    assert.equal(answer({ reasonCode: '4111111111111111' }).kind, 'nothing');
  });

  it('an HTTP status other than 200 from WayForPay leaves the outcome unknown', () => {
    for (const status of [201, 301, 400, 403, 500]) assert.equal(answer({}, status).kind, 'nothing');
  });
});

describe('WayForPay’s list', () => {
  const row = (change: object) => ({
    transactionType: 'P2P_CREDIT',
    orderReference: '17-AbCd1234',
    createdDate: 1_415_379_863,
    amount: 100.5,
    currency: 'UAH',
    transactionStatus: 'Approved',
    reasonCode: 1100,
    ...change,
  });
  const list = (...rows: unknown[]) =>
    readList(200, Buffer.from(JSON.stringify({ reason: 'Ok', reasonCode: 1100, transactionList: rows })));
  const money = { currency: 'UAH', minor: 10_050n };

  it('WayForPay’s list is queried from one midnight to the next', () => {
    const { dateBegin, dateEnd, transactionType } = JSON.parse(writeListQuery('2026-11-20', configuration));
    assert.deepEqual(
      [transactionType, dateBegin, dateEnd],
      ['TRANSACTION_LIST', 1_795_132_800, 1_795_132_800 + 86_400],
    );
  });

  it('WayForPay’s list contains payouts with their states, without customers’ payments', () => {
    const rows = [
      row({}),
      row({ orderReference: '18-AbCd1234', transactionType: 'WHATEVER', transactionStatus: 'Expired' }),
      row({ orderReference: 'by hand', transactionStatus: 'Refunded' }),
      row({ orderReference: 'by-hand', transactionStatus: 'Refunded' }),
      row({ orderReference: '', transactionStatus: 'inProcessing' }),
      row({ orderReference: 'DH783023', transactionType: 'PURCHASE' }),
    ];
    assert.deepEqual(list(...rows), {
      ok: true,
      value: {
        payouts: [
          { reference: '17-AbCd1234', providerId: '17-AbCd1234', money, state: 'executed' },
          { reference: '18-AbCd1234', providerId: '18-AbCd1234', money, state: 'declined' },
          { reference: 'by-hand', providerId: 'by-hand', money, state: 'reversed' },
          { reference: null, providerId: '', money, state: 'pending' },
        ],
        unreadable: ['row 3 of WayForPay’s list'],
      },
    });
  });

  it('WayForPay’s list returns unreadable rows separately', () => {
    const rows = [null, row({ amount: -1 }), row({ currency: 'XXX' }), row({ transactionStatus: 'Odd' }), 7];
    const read = list(...rows);
    assert.deepEqual(read.ok && [read.value.payouts.length, read.value.unreadable.length], [0, 5]);
  });

  it('a response without WayForPay’s list is an error', () => {
    const none: readonly (readonly [status: number, body: string])[] = [
      [500, '{"reasonCode":1100,"transactionList":[]}'],
      [200, ''],
      [200, '{"reasonCode":1100}'],
      [200, '{"reasonCode":1100,"transactionList":{}}'],
      [200, '{"reasonCode":1113,"transactionList":[]}'],
    ];
    for (const [status, body] of none) assert.equal(readList(status, Buffer.from(body)).ok, false, body);
  });
});

describe('WayForPay’s balance', () => {
  const read = (body: string, status = 200) => readBalance(status, Buffer.from(body));

  it('the balance query to WayForPay contains only the account and its signature', () => {
    assert.deepEqual(JSON.parse(writeBalanceQuery(configuration)), {
      merchantAccount: 'test_merch_n1',
      merchantSignature: 'b1e5ea3e24d3301f396f6ddf23bdaf19',
    });
  });

  it('the balance at WayForPay is read by currency and is never rounded up', () => {
    const amounts = { '56.19': 5_619n, '0': 0n, '0.5': 50n, '56.199': 5_619n, '-12.5': -1_250n };
    for (const [text, minor] of Object.entries(amounts)) {
      const body = `{"reason":"Ok","reasonCode":"1100","merchantAccount":"x","balance_UAH":${text}}`;
      assert.deepEqual(read(body), { ok: true, value: [{ currency: 'UAH', minor }] });
    }
  });

  it('an unreadable WayForPay balance is an error', () => {
    for (const body of [
      '{"reason":"Invalid signature","reasonCode":"1113"}',
      '{"reasonCode":"1100"}',
      '{"reasonCode":"1100","balance_UAH":"much"}',
      '{"reasonCode":"1100","balance_UAH":1e25}',
      '{"reasonCode":"1100","balance_UAH":1,"balance_USD":null}',
      '<html>',
    ])
      assert.equal(read(body).ok, false, body);
    assert.equal(read('{"reasonCode":"1100","balance_UAH":1}', 502).ok, false);
  });
});
