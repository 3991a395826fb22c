/** Checks requests and responses of payments against VoPay's description and its guide. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PaymentOrder } from '../../domain/payments/payment-rail.ts';
import { amountOf, type JsonObject, readObject } from '../kit/provider-json.ts';
import { readAnswer } from './api.ts';
import { flagOf, meaningOf } from './payment-answer.ts';
import {
  type FoundRequest,
  isDuplicateFlag,
  lookUp,
  moneyRequest,
  printable,
  readFound,
  readOpened,
} from './protocol.ts';
import { listOf, textOf } from './read-fields.ts';
import { meaningOf as meaningOfError } from './refusals.ts';
import { requestEndingOf, stageOf } from './vocabulary.ts';

const ORDER = {
  reference: '17-AbCd1234',
  providerReference: '',
  kept: '',
  money: { currency: 'CAD', minor: 200_000n },
  merchantName: 'Maple <Shop>',
  signedOrder: 'N17',
  payer: { firstName: 'John', lastName: 'Doe', email: 'johndoe@email.com' },
} as unknown as PaymentOrder;

const json = (text: string) => readObject(Buffer.from(text));
const answered = (body: object, status = 200) => readAnswer(status, Buffer.from(JSON.stringify(body)));

/** The example of VoPay's description, with our reference. */
const SHOWN = {
  Success: true,
  ErrorMessage: '',
  TransactionID: '1122',
  TransactionStatus: 'successful',
  FailureReason: '',
  TransactionDateTime: '2019-11-02 12:00:00',
  Amount: '2000.00',
  Currency: 'CAD',
  Email: 'johndoe@email.com',
  ClientReferenceNumber: '17-AbCd1234',
};
const found = (change: object = {}, order = ORDER) =>
  readFound(json(JSON.stringify({ ...SHOWN, ...change })) as JsonObject, order);

describe('VoPay’s money request', () => {
  it('a VoPay money request contains VoPay’s required fields, and our reference twice', () => {
    const { fields } = moneyRequest(ORDER);
    assert.deepEqual(fields, {
      Amount: '2000.00',
      Currency: 'CAD',
      EmailAddress: 'johndoe@email.com',
      RecipientName: 'John Doe',
      MessageForRecipient: 'Maple Shop : N17',
      ClientReferenceNumber: '17-AbCd1234',
      IdempotencyKey: '17-AbCd1234',
    });
  });

  it('a VoPay money request of an unsigned form contains only the merchant’s registered name and the address', () => {
    const { fields } = moneyRequest({ ...ORDER, signedOrder: '' });
    assert.deepEqual([fields?.['RecipientName'], fields?.['MessageForRecipient']], ['johndoe@email.com', 'Maple Shop']);
  });

  it('equal orders give equal VoPay money requests', () => {
    assert.deepEqual(moneyRequest(ORDER), moneyRequest({ ...ORDER }));
  });

  it('the gateway queries a VoPay money request by VoPay’s number once it has the number', () => {
    assert.deepEqual(lookUp(ORDER).fields, { ClientReferenceNumber: '17-AbCd1234' });
    assert.deepEqual(lookUp({ ...ORDER, providerReference: '1122' }).fields, { TransactionID: '1122' });
  });

  it('a string for VoPay keeps letters of any script, and loses every character that begins markup', () => {
    assert.equal(printable(' Чай\u0000<b>é</b> %20 {x} ', 80), 'Чай b é /b 20 x');
    assert.equal(printable('x'.repeat(200), 140).length, 140);
  });
});

describe('VoPay’s response to a money request', () => {
  it('a VoPay response contains the transaction as a number or as a string', () => {
    for (const id of ['"437073"', '437073'])
      assert.deepEqual(
        readOpened(json(`{"TransactionID": ${id}, "TransactionStatus": "requested", "Flagged": null}`) as JsonObject),
        { transactionId: '437073', stage: 'waiting', flag: '' },
      );
  });

  it('a VoPay response keeps the flag of a money request that VoPay holds', () => {
    const flag = 'The transaction has been flagged as a potential duplicate.';
    const opened = readOpened({ TransactionID: '1', TransactionStatus: 'pending', Flagged: flag });
    assert.equal(opened?.flag, flag);
    assert.ok(isDuplicateFlag(flag));
    assert.equal(isDuplicateFlag('The amount is unusual.'), false);
  });

  it('a VoPay response without a transaction number is ignored', () => {
    for (const id of ['', 'x', '-1', '1.5']) assert.equal(readOpened({ TransactionID: id }), undefined);
    assert.equal(readOpened({}), undefined);
  });
});

describe('a money request that VoPay found', () => {
  it('a found money request is read as VoPay’s example shows it', () => {
    assert.deepEqual(found(), {
      transactionId: '1122',
      stage: 'succeeded',
      status: 'successful',
      failureReason: '',
      money: { currency: 'CAD', minor: 200_000n },
      payerEmail: 'johndoe@email.com',
    } satisfies FoundRequest);
  });

  const others: readonly (readonly [what: string, change: object])[] = [
    ['another reference', { ClientReferenceNumber: '18-AbCd1234' }],
    ['no reference', { ClientReferenceNumber: null }],
    ['no number', { TransactionID: '' }],
    ['an unknown status', { TransactionStatus: 'on its way' }],
    ['another currency', { Currency: 'USD' }],
    ['no amount', { Amount: '' }],
    ['an amount of zero', { Amount: '0.00' }],
    ['an amount with a fraction of a cent', { Amount: '1.001' }],
  ];
  for (const [what, change] of others)
    it(`the gateway ignores a found VoPay money request with ${what}`, () => assert.equal(found(change), undefined));

  it('a found money request with a number other than VoPay’s first is ignored', () => {
    assert.equal(found({}, { ...ORDER, providerReference: '1123' }), undefined);
    assert.ok(found({}, { ...ORDER, providerReference: '1122' }));
  });
});

describe('the stage of a money request', () => {
  const stages: readonly (readonly [status: string, kind: string])[] = [
    ['pending', 'step'],
    ['requested', 'step'],
    ['sent', 'step'],
    ['in progress', 'step'],
    ['request fulfilled', 'pending'],
    ['received', 'pending'],
    ['cancellation requested', 'pending'],
    ['successful', 'paid'],
    ['settled', 'paid'],
    ['complete', 'paid'],
    ['failed', 'refused'],
    ['declined', 'refused'],
    ['cancelled', 'refused'],
    ['expired', 'refused'],
  ];
  for (const [status, kind] of stages)
    it(`the VoPay status “${status}” means ${kind}, in upper and lower case`, () => {
      for (const written of [status, status.toUpperCase(), status.replaceAll(' ', '_')]) {
        const read = found({ TransactionStatus: written });
        assert.ok(read);
        assert.equal(meaningOf(read, '', false).kind, kind);
      }
    });

  it('a pending VoPay money request is authorised only after the payer accepted it', () => {
    const authorised = ['request fulfilled', 'cancellation requested'].map((TransactionStatus) => {
      const meaning = meaningOf(found({ TransactionStatus }) as FoundRequest, '', false);
      return meaning.kind === 'pending' && meaning.isAuthorised;
    });
    assert.deepEqual(authorised, [true, false]);
  });

  it('a paid VoPay money request contains the amount that arrived', () => {
    const paid = meaningOf(found({ Amount: '1999.99' }) as FoundRequest, '', false);
    assert.deepEqual(paid, {
      kind: 'paid',
      money: { currency: 'CAD', minor: 199_999n },
      payerAccount: 'johndoe@email.com',
      providerReference: '1122',
    });
  });

  it('an unknown VoPay status has no stage', () => assert.equal(stageOf('successfully failed'), undefined));

  it('the stored flag of a VoPay money request is read back, and an unknown flag is empty', () => {
    assert.equal(flagOf({ ...ORDER, kept: 'held' }), 'held');
    assert.equal(flagOf({ ...ORDER, kept: 'anything' }), '');
  });
});

describe('the end of a money request', () => {
  const endings: readonly (readonly [status: string, reason: string, isLate: boolean, refusal: string])[] = [
    ['failed', '1 - Recipient declined the transfer', false, 'cancelled_by_payer'],
    ['failed', '2 - Recipient failed to answer the security question', false, 'authentication_failed'],
    ['cancelled', '3 - Reached cancellation cut-off', false, 'expired'],
    ['failed', '5 - Unable to deliver email notice', false, 'payer_details'],
    ['failed', '901 - NSF', false, 'insufficient_funds'],
    ['failed', '988', false, 'cancelled_by_payer'],
    ['failed', '', false, 'declined'],
    ['failed', 'the bank said no', true, 'declined'],
    ['failed', '999 - a future code', false, 'declined'],
    ['cancelled', '0 - Sender-initiated cancellation', true, 'expired'],
    ['cancelled', '0 - Sender-initiated cancellation', false, 'cancelled_by_payer'],
    ['declined', '', false, 'cancelled_by_payer'],
    ['expired', '', false, 'expired'],
  ];
  for (const [status, reason, isLate, refusal] of endings)
    it(`the final VoPay status ${status} “${reason}”${isLate ? ' after the payer’s time' : ''} is ${refusal}`, () =>
      assert.equal(requestEndingOf(status, reason, isLate).refusal, refusal));
});

describe('VoPay’s responses', () => {
  it('a VoPay response is a success only if its field Success is true, as a boolean or as a string', () => {
    for (const Success of [true, 'true', 'True']) assert.equal(answered({ Success }).kind, 'done');
    for (const body of [{}, { Success: null }, { Success: 1 }, { Success: 'yes' }, []])
      assert.equal(answered(body).kind, 'no_answer');
    assert.equal(readAnswer(200, Buffer.from('<html>')).kind, 'no_answer');
  });

  it('an HTTP status other than 200 from VoPay is treated as no response', () => {
    for (const status of [201, 302, 400, 401, 403, 404, 429, 500, 502, 503])
      for (const Success of [true, false])
        assert.deepEqual(answered({ Success, ErrorCode: '1000' }, status), {
          kind: 'no_answer',
          reason: `HTTP ${status}`,
        });
  });

  it('a failed VoPay response keeps VoPay’s error number and at most 200 characters of the message', () => {
    const failed = answered({ Success: 'false', ErrorCode: 2001, ErrorMessage: `Amount ${'x'.repeat(500)}` });
    assert.ok(failed.kind === 'failed');
    assert.match(failed.reason, /^VoPay reports 2001 Amount x+$/);
    assert.equal(failed.reason.length, 200);
  });

  const meanings: readonly (readonly [code: string, message: string, kind: string])[] = [
    ['1000', '', 'credentials'],
    ['1001', '', 'credentials'],
    ['2000', '', 'refused'],
    ['2001', '', 'refused'],
    ['2002', '', 'not_found'],
    ['2003', '', 'unknown'],
    ['2004', '', 'unknown'],
    ['2005', '', 'wrong_state'],
    ['2006', '', 'wrong_state'],
    ['3000', '', 'account'],
    ['3001', '', 'refused'],
    ['3002', '', 'account'],
    ['9996', '', 'account'],
    ['9997', '', 'unknown'],
    ['9998', '', 'unknown'],
    ['9999', '', 'unknown'],
    ['4711', 'Invalid Login', 'unknown'],
    ['', 'Invalid Login. Please provide the required parameters', 'credentials'],
    ['', 'This Account is invalid or inactive. Please try again', 'account'],
    ['', 'Unauthorized IP(s). Please contact VoPay business team', 'account'],
    ['', 'Available fund is insufficient', 'unknown'],
    ['', '', 'unknown'],
  ];
  for (const [code, message, kind] of meanings)
    it(`the VoPay error ${code || 'without a number'} ${message} means ${kind}`, () =>
      assert.equal(meaningOfError(code, message).kind, kind));
});

describe('VoPay’s JSON', () => {
  it('an amount in VoPay’s JSON keeps its written digits', () => {
    const read = json('{"Amount": 100.10, "Text": "100.10", "Large": 900719925474099312345}') as JsonObject;
    assert.deepEqual(
      ['Amount', 'Text', 'Large'].map((name) => textOf(read, name)),
      ['100.10', '100.10', '900719925474099312345'],
    );
  });

  it('the gateway ignores a body from VoPay that is not a JSON object', () => {
    for (const text of ['', '[]', 'null', '"x"', '{', '7']) assert.equal(json(text), undefined);
  });

  it('a VoPay list is read from an object with numbered keys or from an array', () => {
    assert.deepEqual(listOf({ List: { 0: { a: 'x' }, 1: { a: 'y' } } }, 'List'), [{ a: 'x' }, { a: 'y' }]);
    assert.deepEqual(listOf({ List: [{ a: 'x' }] }, 'List'), [{ a: 'x' }]);
    assert.deepEqual(listOf({ List: [] }, 'List'), []);
    for (const fields of [{}, { List: 'x' }, { List: { 0: 'x' } }]) assert.equal(listOf(fields, 'List'), undefined);
  });

  it('the gateway ignores an amount from VoPay in another format', () => {
    for (const text of ['', '-1', '1e3', '1,00', '1.001', ' 1', '0', '1234567890123'])
      assert.equal(amountOf(text, 'CAD'), undefined, text);
    assert.deepEqual(amountOf('1.5000', 'CAD'), { currency: 'CAD', minor: 150n });
  });
});
