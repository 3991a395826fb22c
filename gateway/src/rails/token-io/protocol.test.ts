/** Parses Token.io's bytes as in its OpenAPI document, and checks what they mean for an attempt. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { invariant } from '../../foundation/invariant.ts';
import { newsOf, readingOf, refusalOf } from './payment-answer.ts';
import {
  type Account,
  paymentPath,
  paymentsQuery,
  readError,
  readPaymentAnswer,
  readPaymentList,
  refIdOf,
  type TokenIoPayment,
} from './protocol.ts';
import { readCredit, transactionsPath, transactionsQuery } from './settlement-account.ts';
import { meaningOfPayment } from './vocabulary.ts';

const ACCOUNT: Account = {
  memberId: 'm:123456abcd:abcd',
  settlementAccount: 'pa:4TXFcixy9yKfEmhad45Jp6Lb34d1:2gFUX1NEGTG',
  creditor: { iban: 'GB29NWBK60161331926819', name: 'Customer Inc.' },
  localInstrument: 'SEPA',
  onBehalfOf: '',
  simulated: false,
};

/** The fields and values of the document's examples. Only the strings that we choose are ours. */
const PAYMENT = {
  id: 'pm:12345abcd:abcd',
  memberId: 'm:123456abcd:abcd',
  initiation: {
    bankId: 'ob-modelo',
    refId: '9-AbCd1234',
    remittanceInformationPrimary: '9-AbCd1234',
    amount: { value: '10.23', currency: 'EUR' },
    localInstrument: 'SEPA',
    creditor: { iban: 'GB29NWBK60161331926819', bic: 'BOFIIE2D', name: 'Customer Inc.' },
    debtor: { iban: 'DE89370400440532013000', name: 'John Smith' },
    callbackUrl: 'https://tpp.com/callback',
    callbackState: '6242e45e-3063-4c42-8376',
    flowType: 'EMBEDDED_HOSTED_PAGES',
  },
  status: 'INITIATION_PENDING_REDIRECT_AUTH',
  statusReasonInformation: 'The payment is settled on the debtor side.',
  authentication: { redirectUrl: 'https://psu-redirect.com/x' },
  createdDateTime: '2023-04-05T17:02:11.954Z',
  updatedDateTime: '2023-04-05T17:02:11.954Z',
};
const BANK_FIELDS = { bankPaymentStatus: 'ACPC', bankPaymentId: '1231423' };

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
const read = (change: object = {}, account = ACCOUNT) =>
  readPaymentAnswer(bytes({ payment: { ...PAYMENT, ...change } }), account);
const readWith = (initiation: object) => read({ initiation: { ...PAYMENT.initiation, ...initiation } });

function of(status: string, change: object = {}): TokenIoPayment {
  const payment = read({ status, ...change });
  invariant(payment, 'the example is a payment of ours');
  return payment;
}

describe('Token.io payments', () => {
  it('the rail reads the documented example of a Token.io payment', () => {
    assert.deepEqual(read(), {
      id: 'pm:12345abcd:abcd',
      reference: '9-AbCd1234',
      status: 'INITIATION_PENDING_REDIRECT_AUTH',
      reason: 'The payment is settled on the debtor side.',
      money: { currency: 'EUR', minor: 1_023n },
      redirectUrl: 'https://psu-redirect.com/x',
      callbackState: '6242e45e-3063-4c42-8376',
      isKnownToBank: false,
      payerAccount: 'DE89370400440532013000',
    });
    const refundDetails = { refundAccount: { iban: 'FI2112345600000785' } };
    const settled = read({ ...BANK_FIELDS, refundDetails });
    assert.deepEqual([settled?.isKnownToBank, settled?.payerAccount], [true, 'FI2112345600000785']);
  });

  it('a Token.io amount may have four decimals if it has no fraction of a cent', () => {
    const minor = (value: unknown) => readWith({ amount: { value, currency: 'EUR' } })?.money.minor;
    assert.deepEqual(['10', '10.2', '10.23', '10.2300'].map(minor), [1_000n, 1_020n, 1_023n, 1_023n]);
    for (const none of ['10.2310', '0.00', '-1.00', '1e3', ' 1', '1,00', 10.23, null])
      assert.equal(minor(none), undefined);
  });

  it('the gateway ignores a Token.io payment of another member, account or reference', () => {
    assert.equal(read({}, { ...ACCOUNT, memberId: 'm:other:1' }), undefined);
    assert.equal(read({}, { ...ACCOUNT, creditor: { iban: 'DE00', name: '' } }), undefined);
    assert.equal(readWith({ creditor: { virtualAccountId: 'pa:other:1' } }), undefined);
    assert.equal(readWith({ refId: '9htio4a1sp2akdr1aa' }), undefined);
    assert.equal(readWith({ remittanceInformationPrimary: 'Sweepco' }), undefined);
    assert.equal(read({ id: '../../refunds' }), undefined);
    for (const none of [{}, { payment: [] }, { payment: {} }, { error: { errorCode: 'InternalServerError' } }, [], 'x'])
      assert.equal(readPaymentAnswer(bytes(none), ACCOUNT), undefined);
    assert.equal(readPaymentAnswer(Buffer.from('<html>'), ACCOUNT), undefined);
  });

  it('a Token.io payment is found in a list by its refId', () => {
    const other = { ...PAYMENT, initiation: { ...PAYMENT.initiation, refId: 'another' } };
    const list = (payments: unknown) => readPaymentList(bytes({ payments, pageInfo: {} }), '9-AbCd1234', ACCOUNT);
    assert.deepEqual(
      list([PAYMENT, other])?.map(({ id }) => id),
      ['pm:12345abcd:abcd'],
    );
    assert.deepEqual(list([other]), []);
    assert.equal(list([{ ...PAYMENT, memberId: 'm:other:1' }]), undefined, 'our refId, and not our payment');
    assert.equal(list({}), undefined);
    assert.equal(paymentsQuery('9-AbCd1234', ACCOUNT), 'limit=10&refIds=9-AbCd1234');
    assert.match(paymentsQuery('9-AbCd1234', { ...ACCOUNT, onBehalfOf: 'c5a8' }), /&onBehalfOfId=c5a8$/);
  });

  it('the path of a Token.io payment is built from a valid id only', () => {
    assert.equal(
      paymentPath('pm2:4QExXrhKTxfShBdcTeqFabqJJhUF:2gFUX1NDgpN'),
      '/v2/payments/pm2:4QExXrhKTxfShBdcTeqFabqJJhUF:2gFUX1NDgpN',
    );
    for (const none of ['', '..', 'a/b', 'a?b', 'a#b', 'a%2Fb', 'a b'])
      assert.equal(paymentPath(none), undefined, none);
  });

  it('a Token.io refId has at most 18 letters, digits and hyphens', () => {
    const reference = fc.stringMatching(/^(?:P[0-9A-F]{28}|\d{1,16}-[A-Za-z0-9]{8})$/);
    fc.assert(
      fc.property(reference, reference, (one, other) => {
        assert.match(refIdOf(one), /^[A-Za-z0-9-]{1,18}$/);
        assert.equal(refIdOf(one), refIdOf(one));
        assert.equal(refIdOf(one) === refIdOf(other), one === other);
      }),
    );
  });
});

describe('Token.io statuses', () => {
  const UNDOCUMENTED = ['', 'SUCCESS', 'INITIATION_PENDING_REDIRECT_PBL', 'toString', '__proto__'];

  it('every documented Token.io status has a meaning, except those of the link flow, which the rail never requests', () => {
    const documented = [
      'INITIATION_PENDING',
      'INITIATION_PENDING_REDIRECT_AUTH',
      'INITIATION_PENDING_REDIRECT_AUTH_VERIFICATION',
      'INITIATION_PENDING_REDIRECT_HP',
      'INITIATION_PENDING_EMBEDDED_AUTH',
      'INITIATION_PENDING_EMBEDDED_AUTH_VERIFICATION',
      'INITIATION_PENDING_DECOUPLED_AUTH',
      'INITIATION_PENDING_REDEMPTION',
      'INITIATION_PENDING_REDEMPTION_VERIFICATION',
      'INITIATION_PROCESSING',
      'INITIATION_COMPLETED',
      'INITIATION_REJECTED',
      'INITIATION_REJECTED_INSUFFICIENT_FUNDS',
      'INITIATION_FAILED',
      'INITIATION_DECLINED',
      'INITIATION_EXPIRED',
      'INITIATION_NO_FINAL_STATUS_AVAILABLE',
      'SETTLEMENT_IN_PROGRESS',
      'SETTLEMENT_COMPLETED',
      'SETTLEMENT_INCOMPLETE',
      'CANCELED',
    ];
    for (const status of documented) assert.notEqual(meaningOfPayment(status), undefined, status);
    for (const status of UNDOCUMENTED) assert.equal(meaningOfPayment(status), undefined, status);
    const paid = documented.filter((status) => readingOf(of(status, BANK_FIELDS), '').kind === 'paid');
    assert.deepEqual(paid, ['SETTLEMENT_COMPLETED']);
  });

  it('an undocumented Token.io status is unknown and does not report an event', () => {
    for (const status of UNDOCUMENTED) {
      assert.equal(readingOf(of(status), '').kind, 'unknown', status);
      assert.deepEqual(newsOf(of(status)), [], status);
    }
  });

  it('a Token.io redirect goes to an https URL, or to http at a simulator', () => {
    const kindAt = (redirectUrl: unknown, simulated = false) => {
      const payment = read({ authentication: { redirectUrl } }, { ...ACCOUNT, simulated });
      invariant(payment, 'a payment');
      return readingOf(payment, '').kind;
    };
    assert.deepEqual([kindAt('https://bank.example/x'), kindAt('http://127.0.0.1:1/x', true)], ['step', 'step']);
    const bad = ['http://bank.example/x', 'javascript:alert(1)', '', 'x', 7, `https://b.example/${'x'.repeat(5_000)}`];
    for (const url of bad) assert.equal(kindAt(url), 'unknown', String(url).slice(0, 40));
  });

  it('an expired Token.io payment is declined only if neither the bank nor the payer has acted', () => {
    assert.equal(readingOf(of('INITIATION_EXPIRED'), '').kind, 'refused');
    assert.equal(readingOf(of('INITIATION_EXPIRED', BANK_FIELDS), '').kind, 'open_end');
    assert.equal(readingOf(of('INITIATION_EXPIRED'), 'returned').kind, 'open_end');
    assert.deepEqual(newsOf(of('INITIATION_EXPIRED')), [{ kind: 'ask', reference: '9-AbCd1234' }]);
  });
});

describe('Token.io errors', () => {
  const errorWith = (error: object) => readError(400, bytes({ error }));

  it('the rail reads the documented example of a Token.io error', () => {
    const error = {
      errorCode: 'Field.NotUnique',
      message: 'not unique',
      paths: ['initiation.refId'],
      tokenTraceId: '5678',
    };
    assert.deepEqual(errorWith(error), {
      code: 'Field.NotUnique',
      paths: ['initiation.refId'],
      reason: 'HTTP 400 Field.NotUnique not unique',
    });
    assert.equal(refusalOf(errorWith(error)).kind, 'unknown');
    assert.deepEqual(readError(502, Buffer.from('<html>')), { code: '', paths: [], reason: 'HTTP 502' });
  });

  it('a Token.io error about the bank or the payer’s account is a decline; any other error means not accepted', () => {
    const kindOf = (error: object) => refusalOf(errorWith(error)).kind;
    assert.equal(kindOf({ errorCode: 'Bank.FeatureNotSupported' }), 'refused');
    assert.equal(kindOf({ errorCode: 'Field.Invalid', paths: ['initiation.bankId'] }), 'refused');
    assert.equal(kindOf({ errorCode: 'Field.Expected', paths: ['initiation.debtor.iban'] }), 'refused');
    assert.equal(
      kindOf({ errorCode: 'Field.Invalid', paths: ['initiation.bankId', 'initiation.amount'] }),
      'not_accepted',
    );
    assert.equal(kindOf({ errorCode: 'Field.Invalid', paths: ['initiation.bankIdentity'] }), 'not_accepted');
    assert.equal(kindOf({ errorCode: 'PanDetected' }), 'not_accepted');
    assert.equal(kindOf({}), 'not_accepted');
  });
});

describe('Token.io’s settlement account', () => {
  const CREDIT = {
    amount: { value: '10.23', currency: 'EUR' },
    description: 'Payment',
    providerPaymentId: '83KiRJuXm',
    refId: '9-AbCd1234',
    transactionType: 'CREDIT',
  };
  const credit = (...transactions: object[]) => readCredit(bytes({ transactions }), '9-AbCd1234');

  it('the Token.io settlement account is queried for credits under a reference', () => {
    assert.equal(
      transactionsPath(ACCOUNT),
      '/virtual-accounts/pa:4TXFcixy9yKfEmhad45Jp6Lb34d1:2gFUX1NEGTG/transactions',
    );
    assert.equal(transactionsQuery('9-AbCd1234', ACCOUNT), 'limit=200&refId=9-AbCd1234&transactionType=CREDIT');
  });

  it('a Token.io credit is matched by its refId, or by the full reference in its description', () => {
    const money = { currency: 'EUR', minor: 1_023n };
    assert.deepEqual(credit(CREDIT), money);
    assert.deepEqual(credit({ ...CREDIT, refId: '', description: 'SEPA 9-AbCd1234 thanks' }), money);
    for (const other of [
      { ...CREDIT, transactionType: 'DEBIT' },
      { ...CREDIT, refId: '19-AbCd1234' },
      { ...CREDIT, refId: '', description: '19-AbCd1234' },
      { ...CREDIT, refId: '', description: '9-AbCd1234 19-AbCd1234' },
      { ...CREDIT, description: '19-AbCd1234' },
      { ...CREDIT, amount: { value: '10.23', currency: 'GBP' } },
      {},
    ]) {
      assert.equal(credit(other), undefined, JSON.stringify(other));
    }
    assert.equal(readCredit(Buffer.from('x'), '9-AbCd1234'), undefined);
  });
});
