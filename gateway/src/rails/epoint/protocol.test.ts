/** Checks the bytes against the requests and responses of Epoint's description and of its clients' recordings. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import type { PayoutOrder } from '../../domain/payouts/payout-rail.ts';
import { Secret } from '../../foundation/secret.ts';
import { opened, readForm } from './envelope.ts';
import { answerAbout, answerTo, readAnswer, writePayout, writeStatusQuery } from './protocol.ts';

const account = {
  publicKey: 'i000000001',
  privateKey: new Secret('d3hjsl38sd8kdfhbcea0be04eafde9e8e2bad2fb092d'),
};
const CARD = '4111111111111111';
const order: PayoutOrder = {
  reference: '17-AbCd1234',
  remittance: 'M1/A17',
  purpose: 'payout',
  method: 17,
  money: { currency: 'AZN', minor: 3_075n },
  beneficiary: { account: new Secret(CARD), exp_date: new Secret('12/30') },
  sendUntil: 0,
  delayed: false,
};
const inside = (form: string) => opened(readForm(Buffer.from(form), ''));

describe('requests to Epoint', () => {
  it('a payout request to Epoint contains the card_id instead of the card and its expiry', () => {
    const form = writePayout(order, 'ce000000001', account);
    assert.deepEqual(inside(form), {
      public_key: 'i000000001',
      language: 'en',
      card_id: 'ce000000001',
      order_id: '17-AbCd1234',
      amount: '30.75',
      currency: 'AZN',
      description: 'M1/A17',
    });
  });

  it('a status request to Epoint contains our reference', () => {
    assert.deepEqual(inside(writeStatusQuery('P1', account)), { public_key: 'i000000001', order_id: 'P1' });
  });
});

/** The fields of the description, for a payout that succeeded. */
const PAID = {
  status: 'success',
  transaction: 'te000000001',
  bank_transaction: 'b1',
  bank_response: 'ok',
  rrn: '123456789012',
  card_mask: '411111******1111',
  card_name: 'TEST USER',
  amount: 30.75,
  message: 'Təsdiq edildi',
};

function said(change: object, about: typeof answerTo, fields: object = PAID) {
  const read = readAnswer(200, Buffer.from(JSON.stringify({ ...fields, ...change })));
  return read.kind === 'statement' ? about(order, CARD, read.statement) : read;
}
const declined = (blockedReason: string, reason: string) => ({ kind: 'declined', blockedReason, reason });

describe('Epoint’s response to a payout', () => {
  const answers: readonly (readonly [change: object, means: object | string])[] = [
    [{}, { kind: 'executed' }],
    [{ amount: '30.75' }, { kind: 'executed' }],
    [{ card_mask: undefined }, { kind: 'executed' }],
    [{ amount: undefined }, 'unknown'],
    [{ code: '000' }, { kind: 'executed' }],
    [{ status: 'new' }, { kind: 'pending' }],
    [{ status: 'failed' }, declined('unspecified', 'Epoint reports no reason')],
    [{ status: 'failed', code: '100' }, declined('bank_declined', 'Epoint reports 100: declined by the bank')],
    [{ status: 'failed', code: '101' }, declined('invalid_beneficiary', 'Epoint reports 101: the card has expired')],
    [{ status: 'failed', code: '111' }, declined('invalid_beneficiary', 'Epoint reports 111: no valid card')],
    [{ status: 'failed', code: '116' }, declined('bank_declined', 'Epoint reports 116: not enough funds')],
    [{ status: 'failed', code: '121' }, declined('limit_or_risk', 'Epoint reports 121: over a limit')],
    [{ status: 'failed', code: '200' }, declined('bank_declined', 'Epoint reports 200: declined by the bank')],
    ...['000', '400', '499', '500', '906', '909', '911', '912', '913', '923', 'XXX'].map(
      (code) => [{ status: 'failed', code }, 'unknown'] as const,
    ),
    [{ code: '911' }, 'unknown'],
    [{ status: 'failed', transaction: undefined }, 'unknown'],
    [{ transaction: '' }, 'unknown'],
    [{ order_id: '18-AbCd1234' }, 'unknown'],
    [{ amount: 30.76 }, 'unknown'],
    [{ card_mask: '555555******4444' }, 'unknown'],
    [{ card_mask: '411111******1112' }, 'unknown'],
    [{ status: 'error' }, 'unknown'],
    [{ status: 'server_error' }, 'unknown'],
    [{ status: 'SUCCESS' }, 'unknown'],
    [{ status: 'toString' }, 'unknown'],
    [{ status: undefined }, 'nothing'],
    [{ amount: 'much' }, 'nothing'],
    [{ code: 'card 4111111111111111' }, 'nothing'],
  ];
  for (const [change, means] of answers)
    it(`an Epoint response to a payout with ${inspect(change)} is ${typeof means === 'string' ? means : JSON.stringify(means)}`, () => {
      const answer = said(change, answerTo);
      if (typeof means === 'string') assert.equal(answer.kind, means);
      else assert.deepEqual(answer, means);
    });

  it('an Epoint response that refuses the signature is distinguished from other failures', () => {
    const refused = '{"status":"server_error","message":"Signature did not match"}';
    assert.deepEqual(readAnswer(200, Buffer.from(refused)), { kind: 'signature_refused' });
    assert.equal(readAnswer(500, Buffer.from(refused)).kind, 'nothing');
  });

  it('a decline reason never includes the message that Epoint sends', () => {
    const fields = { status: 'failed', code: '116', message: `card ${CARD}`, bank_response: CARD };
    assert.doesNotMatch(JSON.stringify(said(fields, answerTo)), /4111/);
  });
});

describe('Epoint’s response about a payout', () => {
  const FOUND = { ...PAID, code: '', order_id: '17-AbCd1234', operation_code: '100', other_attr: null };
  const answers: readonly (readonly [change: object, means: object | string])[] = [
    [{}, { kind: 'executed' }],
    [{ status: 'new' }, { kind: 'pending' }],
    [{ status: 'error', code: '116' }, declined('bank_declined', 'Epoint reports 116: not enough funds')],
    [{ status: 'error' }, declined('unspecified', 'Epoint reports no reason')],
    [{ status: 'failed', code: '111' }, declined('invalid_beneficiary', 'Epoint reports 111: no valid card')],
    [{ status: 'error', code: '923' }, 'unknown'],
    [{ status: 'returned' }, { kind: 'reversed', reason: 'returned to us by Epoint' }],
    [{ status: 'server_error' }, 'unknown'],
    [{ status: 'error', transaction: undefined }, 'unknown'],
    [{ order_id: undefined }, 'unknown'],
    [{ order_id: '18-AbCd1234' }, 'unknown'],
    [{ amount: 1 }, 'unknown'],
  ];
  for (const [change, means] of answers)
    it(`an Epoint response about a payout with ${inspect(change)} is ${typeof means === 'string' ? means : JSON.stringify(means)}`, () => {
      const answer = said(change, answerAbout, FOUND);
      if (typeof means === 'string') assert.equal(answer.kind, means);
      else assert.deepEqual(answer, means);
    });
});
