/** Checks requests and responses of payouts against VoPay's documentation. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { PayoutOrder } from '../../domain/payouts/payout-rail.ts';
import { readObject } from '../kit/provider-json.ts';
import {
  clientReferenceOf,
  payoutLookUp,
  payoutRequest,
  readAvailable,
  readFoundPayout,
  referenceOf,
} from './payout-messages.ts';
import { isHeldAsDuplicate, isPayout, listedPayoutOf, readRows } from './queries.ts';
import { payoutEndingOf } from './vocabulary.ts';

const ORDER: PayoutOrder = {
  reference: '17-AbCd1234',
  remittance: 'M1/A17',
  purpose: 'payout',
  method: 92,
  money: { currency: 'CAD', minor: 200_000n },
  beneficiary: {
    account: 'max@example.com',
    full_name: 'Max <Doe>',
    customs_phone: '+14165550123',
    customs_email: 'other@example.com',
  },
  sendUntil: 0,
  delayed: false,
};

const json = (fields: object) => readObject(JSON.stringify(fields)) ?? assert.fail();

describe('VoPay’s bulk payout request', () => {
  const fieldsOf = (beneficiary: Readonly<Record<string, string>> = {}) => {
    const request = payoutRequest({ ...ORDER, beneficiary: { ...ORDER.beneficiary, ...beneficiary } });
    return request.ok ? request.value.fields : request.error;
  };

  it('a bulk payout contains VoPay’s required fields, and a reference marked as a payout', () => {
    assert.deepEqual(fieldsOf(), {
      Amount: '2000.00',
      Currency: 'CAD',
      RecipientName: 'Max Doe',
      EmailAddress: 'max@example.com',
      Question: 'Last 6 digits of your phone number?',
      Answer: '550123',
      CancellationPeriod: '30',
      Notes: 'M1/A17',
      ClientReferenceNumber: 'P17-AbCd1234',
      IdempotencyKey: '17-AbCd1234',
    });
    assert.deepEqual(payoutLookUp(ORDER.reference).fields, { ClientReferenceNumber: 'P17-AbCd1234' });
  });

  it('a bulk VoPay payout goes to the separate email address if its account is not an address', () => {
    const fields = fieldsOf({ account: '12345678' });
    assert.equal('EmailAddress' in fields && fields['EmailAddress'], 'other@example.com');
  });

  it('the question and answer of a bulk VoPay payout fit Interac’s limits', () => {
    const phones = fc.stringMatching(/^\+?\d{7,15}$/);
    fc.assert(
      fc.property(phones, (phone) => {
        const fields = fieldsOf({ customs_phone: phone }) as Readonly<Record<string, string>>;
        assert.match(fields['Answer'] ?? '', /^[A-Za-z0-9]{3,25}$/);
        assert.ok(phone.endsWith(fields['Answer'] ?? '?') && (fields['Question'] ?? '').length <= 40);
      }),
    );
  });

  it('a VoPay payout whose security question has no answer is declined', () => {
    assert.deepEqual(fieldsOf({ customs_phone: '12345' }), {
      kind: 'declined',
      blockedReason: 'invalid_beneficiary',
      reason: 'customs_phone: the security answer consists of its last digits',
    });
  });

  it('a bulk VoPay payout’s reference is read back, and a payment’s reference is not', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^(?:P[0-9A-F]{28}|\d{1,16}-[A-Za-z0-9]{8})$/), (reference) => {
        assert.equal(referenceOf(clientReferenceOf(reference)), reference);
        assert.equal(referenceOf(reference), undefined);
      }),
    );
  });
});

/** The example of VoPay's description, with our reference. */
const FOUND = {
  Success: true,
  ErrorMessage: '',
  TransactionID: 1122,
  TransactionStatus: 'in progress',
  FailureReason: '',
  Amount: '2000.00',
  Currency: 'CAD',
  RecipientName: 'Max Doe',
  EmailAddress: 'max@example.com',
  ClientReferenceNumber: 'P17-AbCd1234',
  CancellationPeriod: 2,
};

describe('a payout that VoPay found', () => {
  const found = (change: object = {}) => readFoundPayout(json({ ...FOUND, ...change }), ORDER);

  it('a found VoPay payout has its stage, whether its number is written as a number or as a string', () => {
    for (const TransactionID of [1122, '1122']) {
      const { transactionId, stage } = found({ TransactionID }) ?? {};
      assert.deepEqual([transactionId, stage], ['1122', 'waiting']);
    }
    const stages = ['requested', 'pending', 'successful', 'failed', 'cancelled', 'cancellation requested', 'Complete'];
    assert.deepEqual(
      stages.map((TransactionStatus) => found({ TransactionStatus })?.stage),
      ['waiting', 'unsent', 'succeeded', 'ended', 'ended', 'cancelling', 'succeeded'],
    );
  });

  it('the gateway ignores a found VoPay payout with another reference, amount, currency or an unknown status', () => {
    for (const change of [
      { ClientReferenceNumber: '17-AbCd1234' },
      { ClientReferenceNumber: '' },
      { Amount: '2000.01' },
      { Amount: '' },
      { Currency: 'USD' },
      { TransactionID: 'x' },
      { TransactionStatus: 'done' },
      { TransactionStatus: null },
    ]) {
      assert.equal(found(change), undefined, JSON.stringify(change));
    }
  });

  it('a found VoPay payout contains the reason of its final state', () => {
    const endings = [
      ['failed', '1 - Recipient declined', 'unspecified', true],
      ['failed', '2 - Failed to answer the security question', 'invalid_beneficiary', true],
      ['cancelled', '3 - Reached cut-off', 'expired', true],
      ['failed', '5', 'invalid_beneficiary', true],
      ['failed', '8 - No such account', 'invalid_beneficiary', true],
      ['cancelled', '', 'cancelled', true],
      ['declined', '', 'unspecified', true],
      ['expired', '', 'expired', true],
      ['failed', '', 'unspecified', false],
      ['failed', '901 - NSF', 'unspecified', false],
      ['failed', '10 - a future reason', 'unspecified', false],
    ] as const;
    for (const [status, reason, blocked, isUndeposited] of endings) {
      const ending = payoutEndingOf(status, reason);
      assert.deepEqual([ending.blockedReason, ending.isUndeposited], [blocked, isUndeposited], `${status} ${reason}`);
      assert.doesNotMatch(ending.reason, /Recipient|NSF|come/, 'in our words');
    }
  });
});

describe('VoPay’s balance', () => {
  it('a VoPay balance is the amount available for payouts, below zero if the account is overdrawn', () => {
    const read = (AvailableFunds: unknown, Currency = 'CAD') =>
      readAvailable(json({ AccountBalance: '20000.00', AvailableFunds, Currency }))?.minor;
    assert.deepEqual(
      ['18000.00', 18000.5, '0.00', '-12.00', 0].map((text) => read(text)),
      [1_800_000n, 1_800_050n, 0n, -1_200n, 0n],
    );
    for (const wrong of ['', null, 'N/A', '1e3']) assert.equal(read(wrong), undefined);
    assert.equal(read('1.00', 'USD'), undefined);
  });
});

describe('VoPay’s list of payouts', () => {
  const ROW = {
    TransactionID: '1122',
    TransactionType: 'Interac Bulk Payout',
    TransactionStatus: 'successful',
    Notes: 'M1/A17',
    DebitAmount: '2000.00',
    CreditAmount: '0.00',
    Currency: 'CAD',
    ClientReferenceNumber: 'P17-AbCd1234',
    TransactionFlag: '',
  };
  const rowsOf = (rows: object, NumberOfRecords: unknown) => readRows(json({ Transactions: rows, NumberOfRecords }));

  it('a list is complete only if it has as many rows as VoPay counts', () => {
    assert.equal(rowsOf({ 0: ROW, 1: ROW }, 2)?.length, 2);
    assert.deepEqual(rowsOf({}, 0), []);
    for (const [rows, count] of [
      [{ 0: ROW }, 2],
      [{ 0: ROW }, ''],
      [{ 0: 'x' }, 1],
    ] as const) {
      assert.equal(rowsOf(rows, count), undefined);
    }
    assert.equal(readRows(json({ NumberOfRecords: 0 })), undefined);
  });

  it('a row of VoPay’s list contains the payout’s reference, or the refund’s reference from its note', () => {
    const listed = (change: object) => listedPayoutOf(json({ ...ROW, ...change }));
    const money = { currency: 'CAD', minor: 200_000n };
    const paid = { reference: '17-AbCd1234', providerId: '1122', money, state: 'executed', remittance: 'M1/A17' };
    assert.deepEqual(listed({}), paid);
    const refund = { ClientReferenceNumber: '9-PaYm1234', Notes: '18-ReFu1234' };
    assert.equal(listed(refund)?.reference, '18-ReFu1234');
    assert.equal(listed({ ClientReferenceNumber: '', Notes: 'by hand' })?.reference, null);
    const states = ['pending', 'requested', 'cancelled', 'failed'];
    assert.deepEqual(
      states.map((TransactionStatus) => listed({ TransactionStatus })?.state),
      ['pending', 'pending', 'declined', 'declined'],
    );
    for (const wrong of [
      { DebitAmount: '0.00' },
      { Currency: 'USD' },
      { TransactionStatus: 'x' },
      { TransactionID: '' },
    ])
      assert.equal(listed(wrong), undefined, JSON.stringify(wrong));
  });

  it('the VoPay list distinguishes a payout from a fee, and a hold as a duplicate from any other hold', () => {
    assert.ok(isPayout(json(ROW)) && !isPayout(json({ ...ROW, TransactionType: 'Fee' })));
    const held = (TransactionFlag: unknown, id = '1122') => isHeldAsDuplicate(json({ ...ROW, TransactionFlag }), id);
    assert.ok(held({ 0: 'The transaction has been flagged as a potential duplicate.' }) && held('Duplicate'));
    assert.ok(!held('') && !held({ 0: 'Velocity' }) && !held('Duplicate', '1123'));
  });
});
