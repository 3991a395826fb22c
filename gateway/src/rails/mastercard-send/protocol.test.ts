import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Secret } from '../../foundation/secret.ts';
import { writeDisbursement } from './payout-request.ts';
import { queryPath, readQuery, readSubmission, submissionPath } from './protocol.ts';

const order = {
  reference: 'Disb_302638978466399000',
  remittance: 'M1/A17',
  purpose: 'payout',
  method: 23,
  money: { currency: 'USD', minor: 1_008n },
  beneficiary: { account: new Secret('5013040000000018'), full_name: 'Jane Tyler Smith' },
  sendUntil: 0,
  delayed: false,
} as const;

/** The response to the example of Mastercard's description. */
const disbursement = (change: object = {}, transaction: object = {}) => ({
  id: 'dsb_b7bV5cYZIOrewrPg70JShED7ZILk',
  resource_type: 'disbursement',
  payment_type: 'BDB',
  disbursement_reference: order.reference,
  sender_account_uri: 'raw:12345678901234567890',
  funding_source: 'DEPOSIT_ACCOUNT',
  recipient_account_uri: 'pan:************0018',
  disbursement_amount: { value: '1008', currency: 'USD' },
  created: '2019-08-29T09:17:51-05:00',
  transaction_history: {
    resource_type: 'list',
    item_count: '1',
    data: {
      transaction: [
        {
          id: 'txn_fsD7SodGiWKciB0pRjVDoVhzl4sx',
          resource_type: 'transaction',
          account_uri: 'pan:************0018',
          transaction_amount: { value: '1008', currency: 'USD' },
          network: 'STAR',
          type: 'PAYMENT',
          status: 'APPROVED',
          status_reason: 'APPROVED',
          ...transaction,
        },
      ],
    },
  },
  original_status: 'APPROVED',
  status: 'APPROVED',
  ...change,
});
const declined = (transaction: object) => disbursement({ status: 'DECLINED' }, { status: 'DECLINED', ...transaction });
const listOf = (...found: unknown[]) => ({
  disbursements: { resource_type: 'list', item_count: String(found.length), data: { disbursement: found } },
});
const errorOf = (Source: string, ReasonCode: string, Recoverable: unknown = 'false') => ({
  Errors: { Error: [{ RequestId: 'rqst_73HB-5RO5-0OGS-53SG', Source, ReasonCode, Description: '', Recoverable }] },
});

const bytes = (body: unknown) => Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
const said = (answer: object) => Object.values(answer).join(' ');

describe('Mastercard’s disbursement request', () => {
  const programme = { paymentType: 'BDB', senderAccount: 'raw:12345678901234567890', originCountry: 'USA' };
  const written = (full_name: string, origin: string | null = 'USA') => {
    const beneficiary = { ...order.beneficiary, full_name };
    return writeDisbursement({ ...order, beneficiary }, { ...programme, originCountry: origin });
  };

  it('a disbursement request equals Mastercard’s example, with all values as strings', () => {
    const body = written('Jane Tyler Smith');
    assert.deepEqual(body.ok && JSON.parse(body.value), {
      payment_disbursement: {
        disbursement_reference: 'Disb_302638978466399000',
        payment_type: 'BDB',
        amount: '1008',
        currency: 'USD',
        sender_account_uri: 'raw:12345678901234567890',
        funding_source: 'DEPOSIT_ACCOUNT',
        recipient_account_uri: 'pan:5013040000000018',
        recipient: { first_name: 'Jane Tyler', last_name: 'Smith' },
        payment_origination_country: 'USA',
      },
    });
  });

  it('a Mastercard disbursement request contains a recipient with two names, and no country if there is only one', () => {
    const body = written('Sokrates', null);
    const { recipient, ...rest } = body.ok ? JSON.parse(body.value).payment_disbursement : {};
    assert.deepEqual(recipient, { first_name: 'Sokrates', last_name: 'Sokrates' });
    assert.ok(!('payment_origination_country' in rest));
  });

  it('a Mastercard payout without a name, or with a name that Mastercard’s letters cannot spell, is declined', () => {
    for (const name of ['', 'Айгуль Сапарова']) {
      const body = written(name);
      assert.equal(
        !body.ok && said(body.error),
        'declined invalid_beneficiary Mastercard needs full_name in Latin letters',
      );
    }
  });

  it('a Mastercard disbursement is sent and queried under our reference', () => {
    assert.equal(submissionPath('ptnr_1'), '/v1/partners/ptnr_1/disbursements/payment?decline_details=true');
    assert.equal(queryPath('ptnr_1', '7-AbCd1234'), '/v1/partners/ptnr_1/disbursements?ref=7-AbCd1234');
  });
});

describe('Mastercard’s response to a disbursement', () => {
  const one = (own: object) => ({ disbursement: own });
  const answers: readonly (readonly [status: number, body: unknown, meaning: string])[] = [
    [201, one(disbursement()), 'executed'],
    [200, one(disbursement()), 'executed'],
    [201, one(declined({ network_status_code: '54', status_reason: 'CARD_EXPIRED' })), 'declined invalid_beneficiary'],
    [201, one(declined({ network_status_code: '05', status_reason: 'DECLINED' })), 'declined bank_declined'],
    [201, one(declined({ network_status_code: '13' })), 'declined unspecified'],
    [
      201,
      one(declined({ status_reason: 'LIMIT_EXCEEDED' })),
      'declined limit_or_risk Mastercard reports DECLINED LIMIT_EXCEEDED',
    ],
    [201, one({ ...declined({}), transaction_history: null }), 'declined bank_declined'],
    [201, one(disbursement({ status: 'UNKNOWN' })), 'pending'],
    [201, one(disbursement({ status: 'PENDING' })), 'pending'],
    [201, one(disbursement({ status: 'REVERSED' })), 'unknown'],
    [201, one(disbursement({ status: 'ERROR' })), 'unknown Mastercard reports ERROR'],
    [201, one(disbursement({ status: 'Approved' })), 'unknown'],
    [201, one(disbursement({ status: undefined })), 'unknown'],
    [201, one(disbursement({ disbursement_reference: 'another' })), 'unknown'],
    [201, one(disbursement({ disbursement_amount: { value: '1009', currency: 'USD' } })), 'unknown'],
    [201, one(disbursement({ disbursement_amount: { value: '1008', currency: 'EUR' } })), 'unknown'],
    [201, disbursement(), 'unknown'],
    [201, '', 'unknown'],
    [202, one(disbursement()), 'unknown'],
    [402, errorOf('Network', 'DECLINE'), 'declined bank_declined Mastercard reports DECLINE'],
    [402, errorOf('Network', 'SOMETHING'), 'unknown'],
    [402, '', 'unknown'],
    [
      400,
      errorOf('recipient_account_uri', 'INVALID_INPUT_VALUE'),
      'declined invalid_beneficiary Mastercard refuses recipient_account_uri',
    ],
    [400, errorOf('amount', 'INVALID_INPUT_VALUE'), 'not_accepted Mastercard refuses amount'],
    [400, errorOf('', 'INVALID_INPUT_VALUE'), 'unknown'],
    [400, errorOf('amount', 'MISSING_REQUIRED_INPUT'), 'unknown'],
    [400, errorOf('disbursement_reference', 'RESOURCE_ERROR'), 'unknown HTTP 400 RESOURCE_ERROR'],
    [409, errorOf('disbursement_reference', 'RESOURCE_ERROR'), 'unknown HTTP 409 RESOURCE_ERROR'],
    [401, errorOf('Gateway', 'INVALID_SIGNATURE', false), 'not_accepted Mastercard refuses our credential (HTTP 401)'],
    [403, errorOf('Gateway', 'PERMISSION', false), 'not_accepted Mastercard refuses our credential (HTTP 403)'],
    [401, '', 'unknown HTTP 401'],
    [403, '<html>', 'unknown HTTP 403'],
    [404, errorOf('disbursement', 'RESOURCE_UNKNOWN'), 'unknown'],
    [429, '', 'unknown'],
    [500, one(disbursement()), 'unknown'],
    [503, errorOf('Gateway', 'DOWN', true), 'unknown'],
  ];
  for (const [status, body, meaning] of answers) {
    it(`the HTTP ${status} response ${JSON.stringify(body).slice(0, 60)}… from Mastercard means ${meaning}`, () => {
      const answer = said(readSubmission(status, bytes(body), order));
      assert.ok(answer.startsWith(meaning), answer);
    });
  }

  it('the reason of a Mastercard response contains only codes of Mastercard', () => {
    const card = '4111111111111111';
    const secretive = [
      readSubmission(201, bytes(one(declined({ network_status_code: card, status_reason: card }))), order),
      readSubmission(201, bytes(one(disbursement({ status: card }))), order),
      readSubmission(400, bytes(errorOf(card, 'INVALID_INPUT_VALUE')), order),
      readSubmission(500, bytes(errorOf(card, card)), order),
    ];
    assert.doesNotMatch(JSON.stringify(secretive), /4111/);
  });
});

describe('Mastercard’s list by reference', () => {
  const answers: readonly (readonly [what: string, status: number, body: unknown, meaning: string])[] = [
    ['an approved disbursement', 200, listOf(disbursement()), 'executed'],
    ['a list outside its envelope', 200, listOf(disbursement()).disbursements, 'unknown'],
    [
      'a single disbursement in XML’s form',
      200,
      { disbursements: { resource_type: 'list', data: { disbursement: disbursement() } } },
      'executed',
    ],
    ['a declined disbursement', 200, listOf(declined({ network_status_code: '61' })), 'declined limit_or_risk'],
    ['an open disbursement', 200, listOf(disbursement({ status: 'UNKNOWN' })), 'pending'],
    [
      'a reversed disbursement',
      200,
      listOf(disbursement({ status: 'REVERSED' })),
      'reversed Mastercard reports REVERSED',
    ],
    ['a cancelled disbursement', 200, listOf(disbursement({ status: 'CANCELLED' })), 'reversed'],
    ['a disbursement in error', 200, listOf(disbursement({ status: 'ERROR' })), 'unknown'],
    ['two disbursements', 200, listOf(disbursement(), disbursement({ status: 'DECLINED' })), 'unknown'],
    ['another reference', 200, listOf(disbursement({ disbursement_reference: 'another' })), 'unknown'],
    ['no entries', 200, listOf(), 'not_found'],
    ['no data', 200, { disbursements: { resource_type: 'list', item_count: '0' } }, 'not_found'],
    ['Mastercard’s own 404', 404, errorOf('disbursement', 'RESOURCE_UNKNOWN'), 'not_found'],
    ['a proxy’s 404', 404, '', 'unknown'],
    ['no envelope', 200, {}, 'unknown'],
    ['an empty body', 200, '', 'unknown'],
    ['a refused credential', 401, errorOf('Gateway', 'X', false), 'unknown Mastercard refuses our credential'],
    ['an HTTP 500', 500, listOf(disbursement()), 'unknown'],
  ];
  for (const [what, status, body, meaning] of answers) {
    it(`a Mastercard list with ${what} means ${meaning}`, () => {
      const answer = said(readQuery(status, bytes(body), order));
      assert.ok(answer.startsWith(meaning), answer);
    });
  }
});
