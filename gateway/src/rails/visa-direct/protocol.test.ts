import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Secret } from '../../foundation/secret.ts';
import { writePush } from './payout-request.ts';
import { outcomePath, queryPath, readPush, readQuery } from './protocol.ts';
import { identityOf } from './reference.ts';

const REFERENCE = '1001-AbCd1234';
const BIN = '408999';
const MONEY = { currency: 'EUR', minor: 12_405n } as const;
const { traceAuditNumber: stan, retrievalReference: rrn } = identityOf(REFERENCE);

const bytes = (body: unknown) => Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
const said = (answer: object) => Object.values(answer).join(' ');
const push = (status: number, body: unknown) => said(readPush(status, bytes(body), REFERENCE));
const query = (status: number, body: unknown) =>
  said(readQuery(status, bytes(body), { reference: REFERENCE, money: MONEY }, BIN));

/** Follows the rules of Visa's description, whose own example of this response is a skeleton. */
const outcome = (change: object = {}) => ({
  transactionIdentifier: 234234322342343,
  actionCode: '00',
  approvalCode: '20304B',
  responseCode: '5',
  transmissionDateTime: '2023-01-04T08:35:21.000Z',
  retrievalReferenceNumber: rrn,
  ...change,
});

/** Visa's published response to the error of a wrong token. */
const responseStatus = (status: number, message = 'Token validation failed') => ({
  responseStatus: { status, code: '9209', severity: 'ERROR', message, info: '' },
});

describe('Visa’s push request', () => {
  const programme = {
    acquiringBin: BIN,
    acquirerCountry: '840',
    businessApplication: 'FD',
    merchantCategory: '6012',
    cardAcceptorId: 'CA-IDCode-77765',
    terminalId: 'TID-9999',
    cardAcceptorCountry: 'USA',
    sender: {
      name: 'Visa Inc. USA-Foster City',
      address: '901 Metro Center Blvd',
      city: 'Foster City',
      country: '840',
    },
  };
  const order = {
    reference: REFERENCE,
    remittance: 'M1/A17',
    purpose: 'payout',
    method: 22,
    money: MONEY,
    beneficiary: { account: new Secret('4060320000000127'), full_name: "Anne-Marie O'Neil" },
    sendUntil: 0,
    delayed: false,
  } as const;
  const written = (change: object = {}) => writePush({ ...order, ...change }, programme, Date.UTC(2023, 4, 5, 12));

  it('a Visa push writes numbers where Visa expects numbers, and the amount in major units', () => {
    assert.match(written(), /^\{"amount":124\.05,/);
    assert.deepEqual(JSON.parse(written()), {
      amount: 124.05,
      systemsTraceAuditNumber: Number(stan),
      retrievalReferenceNumber: rrn,
      acquiringBin: 408_999,
      acquirerCountryCode: 840,
      transactionCurrencyCode: 'EUR',
      businessApplicationId: 'FD',
      merchantCategoryCode: 6_012,
      localTransactionDateTime: '2023-05-05T12:00:00',
      sourceOfFundsCode: '05',
      senderReference: '1001',
      senderName: 'Visa Inc. USA-Foster City',
      senderAddress: '901 Metro Center Blvd',
      senderCity: 'Foster City',
      senderCountryCode: '840',
      recipientPrimaryAccountNumber: '4060320000000127',
      recipientName: 'Anne-Marie ONeil',
      cardAcceptor: {
        name: 'Visa Inc. USA-Foster City',
        idCode: 'CA-IDCode-77765',
        terminalId: 'TID-9999',
        address: { country: 'USA', city: 'Foster City' },
      },
    });
  });

  it('a Visa push omits a name that Visa’s letters cannot spell, and cuts a long name', () => {
    const nameOf = (full_name: string) =>
      JSON.parse(written({ beneficiary: { ...order.beneficiary, full_name } })).recipientName;
    assert.equal(nameOf('Айгуль Сапарова'), undefined);
    assert.equal(nameOf('a'.repeat(40)).length, 30);
  });

  it('a Visa push is queried by its numbers', () => {
    assert.equal(
      queryPath(REFERENCE, BIN),
      `/visadirect/v1/transactionquery?acquiringBIN=408999&stan=${stan}&rrn=${rrn}`,
    );
    assert.match(outcomePath('a/b'), /pushfundstransactions\/a%2Fb$/);
  });
});

describe('Visa’s response to a push', () => {
  const answers: readonly (readonly [status: number, body: unknown, meaning: string])[] = [
    [200, outcome(), 'executed'],
    [200, outcome({ retrievalReferenceNumber: undefined }), 'unknown Visa approved without an id of the transaction'],
    [200, outcome({ actionCode: '05' }), 'declined bank_declined Visa reports action code 05'],
    [200, outcome({ actionCode: '14' }), 'declined invalid_beneficiary Visa reports action code 14'],
    [200, outcome({ actionCode: '61' }), 'declined limit_or_risk Visa reports action code 61'],
    [200, outcome({ actionCode: '12' }), 'declined unspecified Visa reports action code 12'],
    [200, outcome({ actionCode: '94', originalActionCode: '00' }), 'executed'],
    [
      200,
      outcome({ actionCode: '94', originalActionCode: '51' }),
      'declined bank_declined Visa reports action code 51',
    ],
    [200, outcome({ actionCode: '94' }), 'unknown Visa reports action code none'],
    [200, outcome({ actionCode: '91' }), 'unknown Visa reports action code 91'],
    [200, outcome({ actionCode: '85' }), 'unknown Visa reports action code 85'],
    [200, outcome({ actionCode: '4111111111111111' }), 'unknown Visa reports action code none'],
    [200, outcome({ actionCode: undefined }), 'unknown Visa reports action code none'],
    [
      200,
      outcome({ retrievalReferenceNumber: '412770452025' }),
      'unknown Visa’s response is about another transaction',
    ],
    [202, { statusIdentifier: '1491819372_186_81_l73c003_VDP_ARM' }, 'unfinished 1491819372_186_81_l73c003_VDP_ARM'],
    [202, '1491819372_186_81_l73c003_VDP_ARM', 'unfinished 1491819372_186_81_l73c003_VDP_ARM'],
    [202, '"1491819372_186"', 'unfinished 1491819372_186'],
    [202, '', 'unknown HTTP 202'],
    [202, {}, 'unknown HTTP 202'],
    [303, '', 'unknown HTTP 303'],
    [
      400,
      { errorMessage: 'API Validation Error: 3001. Recipient Card Country is restricted' },
      'declined invalid_beneficiary',
    ],
    [400, responseStatus(400, 'acquiringBin is not valid'), 'not_accepted Visa rejects the request'],
    [400, '', 'unknown HTTP 400'],
    [400, {}, 'unknown HTTP 400'],
    [401, responseStatus(401), 'not_accepted Visa refuses our credential (HTTP 401)'],
    [403, responseStatus(403), 'not_accepted Visa refuses our credential (HTTP 403)'],
    [401, '', 'unknown HTTP 401'],
    [403, { error: 'a proxy’s' }, 'unknown HTTP 403'],
    [404, responseStatus(404), 'unknown HTTP 404'],
    [429, responseStatus(429), 'unknown HTTP 429'],
    [500, outcome(), 'unknown HTTP 500'],
    [503, responseStatus(401), 'unknown HTTP 503'],
  ];
  for (const [status, body, meaning] of answers) {
    it(`the HTTP ${status} response ${JSON.stringify(body).slice(0, 70)} from Visa means ${meaning}`, () => {
      assert.ok(push(status, body).startsWith(meaning), push(status, body));
    });
  }
});

const money = (amountInTransactionCurrency: string, transactionCurrencyCode = '978') => ({
  amountInTransactionCurrency,
  transactionCurrencyCode,
});
/** Visa's published example of a transaction, its repetition and its reversal, with the optional amount. */
const record = (change: object = {}) => ({
  ...money('124.05'),
  transactionType: 'CRED VOUCHER',
  systemsTraceAuditNumber: stan,
  approvalCode: '002798',
  transactionIdentifier: '388234793890020',
  actionCode: '00',
  acquiringBin: BIN,
  retrievalReferenceNumber: rrn,
  transactionDate: '22-08-2018',
  transactionTime: '22:03:09',
  statusCode: 'COMPLETED',
  responseCode: '4',
  ...change,
});
const repetition = record({ actionCode: '94', originalActionCode: '00' });
const reversal = record({ transactionType: 'CRED REVERSAL', responseCode: 'C' });

describe('Visa’s response to the transaction query', () => {
  const answers: readonly (readonly [what: string, status: number, body: unknown, meaning: string])[] = [
    ['a paid transaction', 200, [record()], 'executed'],
    ['a paid transaction and its repetition', 200, [record(), repetition], 'executed'],
    ['only the repetition of a paid transaction', 200, [repetition], 'executed'],
    ['a reversed transaction', 200, [record(), repetition, reversal], 'reversed'],
    ['a charged-back transaction', 200, [record({ transactionType: 'CRED CHGBK' }), record()], 'reversed'],
    ['a transaction with a declined reversal', 200, [record(), { ...reversal, actionCode: '12' }], 'executed'],
    [
      'a declined transaction',
      200,
      [record({ actionCode: '51' })],
      'declined bank_declined Visa reports action code 51',
    ],
    [
      'a transaction with an unavailable issuer',
      200,
      [record({ actionCode: '91' })],
      'declined bank_declined Visa reports action code 91',
    ],
    ['a failed transaction', 200, [record({ statusCode: 'FAILED', actionCode: undefined })], 'declined unspecified'],
    ['a transaction in progress', 200, [record({ statusCode: 'IN_PROGRESS', actionCode: undefined })], 'pending'],
    ['a pending transaction', 200, [record({ statusCode: 'PENDING' })], 'pending'],
    ['an empty list', 200, [], 'not_found'],
    ['Visa’s own 404', 404, responseStatus(404), 'not_found'],
    ['a proxy’s 404', 404, '', 'unknown'],
    ['an unknown state', 200, [record({ statusCode: 'Completed' })], 'unknown'],
    ['an unknown code', 200, [record({ actionCode: '85' })], 'unknown'],
    ['another trace audit number', 200, [record({ systemsTraceAuditNumber: '000001' })], 'unknown'],
    ['another retrieval reference', 200, [record(), record({ retrievalReferenceNumber: '412770452025' })], 'unknown'],
    ['the same currency by its letters', 200, [record(money('124.05', 'EUR'))], 'executed'],
    [
      'no amount',
      200,
      [record({ amountInTransactionCurrency: undefined })],
      'unknown Visa’s response does not contain an amount',
    ],
    [
      'no currency',
      200,
      [record({ transactionCurrencyCode: undefined })],
      'unknown Visa’s response does not contain an amount',
    ],
    [
      'a declined transaction without an amount',
      200,
      [record({ actionCode: '51', ...money('', '') })],
      'declined bank_declined',
    ],
    ['another amount', 200, [record(money('124.06'))], 'unknown'],
    ['an invalid amount', 200, [record(money('124,05'))], 'unknown'],
    ['a repetition of another amount', 200, [record(), { ...repetition, ...money('12.40') }], 'unknown'],
    ['a decline of another amount', 200, [record({ actionCode: '51', ...money('124.06') })], 'unknown'],
    ['another currency', 200, [record(money('124.05', '840'))], 'unknown'],
    [
      'a partly reversed transaction',
      200,
      [record(), { ...reversal, ...money('24.05') }],
      'unknown Visa lists a reversal of another amount',
    ],
    ['a wholly reversed transaction', 200, [record(), { ...reversal, ...money('124.05') }], 'reversed'],
    [
      'a reversed transaction without the reversal’s amount',
      200,
      [record(), { ...reversal, ...money('', '') }],
      'reversed',
    ],
    ['another acquirer', 200, [record({ acquiringBin: '1' })], 'unknown'],
    ['an entry that is not a record', 200, [record(), 'x'], 'unknown'],
    ['a reversal alone', 200, [reversal], 'unknown'],
    ['no list', 200, record(), 'unknown'],
    ['an empty body', 200, '', 'unknown'],
    ['a refused credential', 401, responseStatus(401), 'unknown Visa refuses our credential'],
    ['an HTTP 500', 500, [record()], 'unknown'],
  ];
  for (const [what, status, body, meaning] of answers) {
    it(`a Visa response with ${what} means ${meaning}`, () => {
      assert.ok(query(status, body).startsWith(meaning), query(status, body));
    });
  }
});
