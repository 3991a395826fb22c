/** Checks the protocol against the documented responses, in our own formatting. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { PayoutOrder } from '../../domain/payouts/payout-rail.ts';
import { Secret } from '../../foundation/secret.ts';
import { type FreedomPayAnswer, readAnswer } from './api.ts';
import { payoutRequest, readBalance, readStatus, readSubmission, statusRequest } from './protocol.ts';
import { readFields } from './read-xml.ts';
import { orderIdOf, referenceOf } from './reference.ts';

const CARD = '4671593866478252';
const ORDER: PayoutOrder = {
  reference: '1234-AbCd1234',
  remittance: 'M1/A17',
  purpose: 'payout',
  method: 12,
  money: { currency: 'KZT', minor: 100_000n },
  beneficiary: { account: new Secret(CARD), full_name: 'Айгуль Сапарова' },
  sendUntil: 0,
  delayed: false,
};

const xml = (...fields: string[]) =>
  Buffer.from(`<?xml version="1.0" encoding="utf-8"?>\n<response>${fields.join('\n')}</response>`);
const field = (name: string, value: string) => `<pg_${name}>${value}</pg_${name}>`;

/** Reads the response as signed, unless `isTheirs` is false. */
const called = (body: Buffer, isTheirs = true) => readAnswer({ status: 200, body }, () => isTheirs);

describe('Freedom Pay’s payout request', () => {
  it('a Freedom Pay payout request contains the required fields and the holder, under an id of letters and digits', () => {
    const request = payoutRequest(ORDER, 'https://pay.example/rail-notifications/freedom-pay');
    assert.deepEqual(request.ok && request.value, {
      path: '/g2g/p2p2nonreg',
      fields: {
        pg_order_id: '1234AbCd1234',
        pg_amount: '1000.00',
        pg_currency: 'KZT',
        pg_description: 'M1/A17',
        pg_payment_to: CARD,
        pg_card_name: 'Айгуль Сапарова',
        pg_post_link: 'https://pay.example/rail-notifications/freedom-pay',
      },
    });
  });

  it('a Freedom Pay payout request omits a holder without a name', () => {
    const request = payoutRequest({ ...ORDER, beneficiary: { account: new Secret(CARD) } }, 'https://pay.example/x');
    assert.ok(request.ok && !('pg_card_name' in request.value.fields));
  });

  it('a Freedom Pay payout to a card with too few digits is declined', () => {
    const short = { ...ORDER, beneficiary: { account: new Secret('411111111111') } };
    assert.deepEqual(payoutRequest(short, 'https://pay.example/x'), {
      ok: false,
      error: {
        kind: 'declined',
        blockedReason: 'invalid_beneficiary',
        reason: 'account: Freedom Pay accepts cards of 13 to 20 digits',
      },
    });
  });

  it('a Freedom Pay payout is queried by our id only', () => {
    assert.deepEqual(statusRequest(ORDER.reference), {
      path: '/api/payment_status2',
      fields: { pg_order_id: '1234AbCd1234' },
    });
  });

  it('an order id at Freedom Pay identifies our reference only if we sent it', () => {
    const references = fc.stringMatching(/^(?:P[0-9A-F]{28}|\d{1,16}-[A-Za-z0-9]{8})$/);
    fc.assert(fc.property(references, (reference) => referenceOf(orderIdOf(reference)) === reference));
    for (const foreign of ['', 'ORD12345', '12345678', '1-AbCd1234', '1AbCd123!']) {
      assert.equal(referenceOf(foreign), undefined, foreign);
    }
  });
});

describe('Freedom Pay’s responses to a payout', () => {
  const ok = xml(
    field('payment_id', '7777777777'),
    field('merchant_id', '9970'),
    field('order_id', '1234AbCd1234'),
    field('status', 'ok'),
    field('balance', '500000'),
    field('payment_amount', '1000'),
    field('payment_date', '2024-09-02T12:19:01+00:00'),
    field('reference', 'FSDUNJFA244324'),
    field('salt', 'YtfwCGiBHsFLpYGk'),
    field('sig', 'ccee466c01c2332d8a065d6108fd686b'),
    field('datetime', '2024-09-02T12:19:01+00:00'),
  );
  const said = (text: string) => readSubmission(ORDER, called(Buffer.from(ok.toString().replace('>ok<', `>${text}<`))));

  it('Freedom Pay’s documented response means that the payout is accepted, not paid', () => {
    assert.deepEqual(readSubmission(ORDER, called(ok)), { kind: 'pending' });
  });

  it('the Freedom Pay statuses “success”, “pending” and “process” have their documented meanings', () => {
    assert.deepEqual(said('success'), { kind: 'executed' });
    assert.deepEqual(said('pending'), { kind: 'pending' });
    assert.deepEqual(said('process'), { kind: 'pending' });
    assert.equal(said('revoked').kind, 'unknown');
  });

  it('an unsigned response of Freedom Pay leaves the outcome of the payout unknown', () => {
    assert.equal(readSubmission(ORDER, called(ok, false)).kind, 'unknown');
    assert.equal(readSubmission({ ...ORDER, reference: '1235-AbCd1234' }, called(ok)).kind, 'unknown');
    assert.equal(readSubmission({ ...ORDER, money: { currency: 'KZT', minor: 100_001n } }, called(ok)).kind, 'unknown');
  });

  it('a Freedom Pay success in another currency leaves the outcome unknown', () => {
    const paidIn = (currency: string) =>
      xml(
        field('order_id', '1234AbCd1234'),
        field('status', 'success'),
        field('payment_amount', '1000'),
        field('currency', currency),
      );
    assert.deepEqual(readSubmission(ORDER, called(paidIn('KZT'))), { kind: 'executed' });
    for (const currency of ['USD', 'RUB', 'kzt', ''])
      assert.equal(readSubmission(ORDER, called(paidIn(currency))).kind, 'unknown', currency);
  });

  const refused = (code: string, isTheirs = true) =>
    readSubmission(
      ORDER,
      called(
        xml(
          field('status', 'error'),
          field('error_code', code),
          field('error_description', `card ${CARD} ERROR_MESSAGE`),
          field('datetime', '2024-10-07T09:32:21+00:00'),
        ),
        isTheirs,
      ),
    );

  it('a signed Freedom Pay error declines the payout only if its code is a decline', () => {
    assert.deepEqual(refused('10001'), {
      kind: 'declined',
      blockedReason: 'bank_declined',
      reason: 'Freedom Pay reports 10001: refer to the card’s bank',
    });
    const codes = {
      8888: 'unspecified',
      9403: 'unspecified',
      10005: 'invalid_beneficiary',
      10006: 'limit_or_risk',
      10007: 'limit_or_risk',
    };
    for (const [code, blocked] of Object.entries(codes)) {
      const answer = refused(code);
      assert.deepEqual(answer.kind === 'declined' && answer.blockedReason, blocked, code);
      assert.equal(refused(code, false).kind, 'unknown', `${code} without a signature`);
    }
  });

  it('any other Freedom Pay error leaves the outcome of the payout unknown, and the reason omits Freedom Pay’s message', () => {
    for (const code of ['9999', '10000', '9992', '9994', '9996', '420', '11068', '', '1e3', '0']) {
      const answer = refused(code);
      assert.equal(answer.kind, 'unknown', code);
      assert.doesNotMatch(JSON.stringify(answer), /4671|MESSAGE/);
    }
  });

  it('a Freedom Pay error about our credentials proves that nothing was accepted, even without a signature', () => {
    for (const code of ['1100', '9998', '9997']) {
      for (const isTheirs of [true, false]) assert.equal(refused(code, isTheirs).kind, 'not_accepted', code);
    }
  });
});

describe('Freedom Pay’s responses to a query', () => {
  const status = (word: string, ...more: string[]) =>
    called(
      xml(
        field('merchant_id', '9970'),
        field('payment_id', '7777777777'),
        field('status', 'ok'),
        field('payment_status', word),
        field('order_id', '1234AbCd1234'),
        ...more,
      ),
    );
  const read = (answer: FreedomPayAnswer) => readStatus(ORDER, answer);

  it('a Freedom Pay response contains the payout’s outcome or its pending state', () => {
    assert.deepEqual(read(status('success', field('amount', '1000.0'), field('net_amount', '1000'))), {
      kind: 'executed',
    });
    assert.deepEqual(read(status('process')), { kind: 'pending' });
    assert.deepEqual(read(status('pending')), { kind: 'pending' });
    assert.deepEqual(read(status('error', field('error_code', '10005'))), {
      kind: 'declined',
      blockedReason: 'invalid_beneficiary',
      reason: 'Freedom Pay reports 10005: the card’s data are wrong',
    });
    assert.deepEqual(read(status('error')), {
      kind: 'declined',
      blockedReason: 'unspecified',
      reason: 'Freedom Pay declined without a reason',
    });
  });

  it('a Freedom Pay response about another payment leaves the outcome of the payout unknown', () => {
    for (const answer of [status(''), status('ok'), status('SUCCESS'), status('success', field('amount', '1000.01'))]) {
      assert.equal(read(answer).kind, 'unknown');
    }
    assert.equal(readStatus({ ...ORDER, reference: '9-AbCd1234' }, status('success')).kind, 'unknown');
    const paidIn = (currency: string) => status('success', field('amount', '1000'), field('currency', currency));
    assert.equal(read(paidIn('KZT')).kind, 'executed');
    for (const currency of ['USD', 'kzt', '']) assert.equal(read(paidIn(currency)).kind, 'unknown', currency);
  });

  it('a Freedom Pay payout is not found if a signed response has the id 0, or any response has the code for “not found”', () => {
    const notFound = xml(
      field('status', 'error'),
      field('error_code', '11068'),
      field('error_description', 'Payment not found.'),
    );
    assert.deepEqual(read(called(notFound, false)), { kind: 'not_found' });
    const zero = xml(field('payment_id', '0'), field('status', 'ok'), field('payment_status', 'error'));
    assert.deepEqual(read(called(zero)), { kind: 'not_found' });
    assert.equal(read(called(zero, false)).kind, 'unknown');
  });

  it('a failed Freedom Pay query leaves the outcome of the payout unknown, even with a code that declines payouts', () => {
    for (const code of ['9999', '1100', '340', '10001', '9403']) {
      const failed = called(xml(field('status', 'error'), field('error_code', code)));
      assert.equal(read(failed).kind, 'unknown', code);
    }
  });
});

describe('Freedom Pay’s balance', () => {
  const balance = (text: string, currency = 'KZT') =>
    readBalance(
      new Map([
        ['pg_balance', text],
        ['pg_currency', currency],
      ]),
    )?.minor;

  it('a Freedom Pay balance is read as written, including zero', () => {
    assert.deepEqual(
      ['150000.50', '5000.75', '0', '0.00', '7', '-1', '0.005'].map((text) => balance(text)),
      [15_000_050n, 500_075n, 0n, 0n, 700n, -100n, 0n],
    );
  });

  it('a Freedom Pay balance in another currency or an unreadable balance is undefined', () => {
    for (const text of ['', '1,5', '1e3']) assert.equal(balance(text), undefined, text);
    assert.equal(balance('1', 'USD'), undefined);
  });
});

describe('Freedom Pay’s XML', () => {
  const read = (text: string) => readFields(Buffer.from(text));

  it('a Freedom Pay document is read as flat fields with decoded entities', () => {
    const fields = read(
      '\uFEFF<?xml version="1.0"?>\n<response>\n <a>1 &lt; 2 &amp;amp; &#1090;&#x442;</a>\n<b></b><c/></response>\n',
    );
    assert.deepEqual(fields && [...fields], [
      ['a', '1 < 2 &amp; тт'],
      ['b', ''],
      ['c', ''],
    ]);
  });

  it('a Freedom Pay document with nested fields, or with none, is rejected', () => {
    for (const text of [
      '',
      'OK',
      '<response>',
      '<request><a>1</a></request>',
      '<response><a>1</b></response>',
      '<response><a>1</a><a>2</a></response>',
      '<response><a><b>1</b></a></response>',
      '<response><a x="1">1</a></response>',
      '<response><a><![CDATA[1]]></a></response>',
      '<response><a>&unknown;</a></response>',
      '<response><a>1 & 2</a></response>',
      '<!DOCTYPE response [<!ENTITY x "y">]><response><a>1</a></response>',
      '<response>text</response>',
      '<response><a>1</a></response><response><a>2</a></response>',
    ]) {
      assert.equal(read(text), undefined, text);
    }
  });

  it('every string in a Freedom Pay document is read back as it was written', () => {
    const texts = fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed());
    const property = fc.property(texts, (text) => {
      const escaped = text.replace(/[<>&]/g, (sign) => `&#${sign.codePointAt(0)};`);
      assert.equal(read(`<response><a>${escaped}</a></response>`)?.get('a'), text);
    });
    fc.assert(property);
  });
});
