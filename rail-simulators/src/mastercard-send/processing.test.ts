/** Mastercard Send: disbursements, authentication, the book, and each magic amount. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type Answer, eachOf } from '../kernel/inbox-under-test.ts';
import { entriesOf, type Play, type Row, testCourses } from '../kernel/magic-amounts-under-test.ts';
import { assertUnanswered } from '../kernel/simulator-under-test.ts';
import { MAGIC_AMOUNTS } from './magic-amounts.ts';
import { DISBURSEMENT, startMastercardSendUnderTest } from './under-test.ts';

const reference = DISBURSEMENT.disbursement_reference;

const shown = ({ body }: Answer) => body['disbursement'] as Record<string, unknown>;

const error = ({ body }: Answer) =>
  ((body['Errors'] as { Error: Record<string, unknown>[] }).Error[0] ?? {}) as Record<string, unknown>;

const listed = ({ body }: Answer) =>
  (body['disbursements'] as { data: { disbursement: Record<string, unknown>[] } }).data.disbursement;

describe('a disbursement at Mastercard', () => {
  it('a Mastercard disbursement is found by its reference and its id', async (t) => {
    const mastercard = await startMastercardSendUnderTest(t);
    const answer = await mastercard.submit();
    assert.equal(answer.status, 201);
    assert.deepEqual(
      ['status', 'original_status', 'disbursement_amount', 'recipient_account_uri'].map((name) => shown(answer)[name]),
      ['APPROVED', 'APPROVED', { value: '1008', currency: 'EUR' }, `pan:${'*'.repeat(12)}0018`],
    );
    const found = await mastercard.find();
    assert.deepEqual([found.status, listed(found)], [200, [shown(answer)]]);
    const byId = await mastercard.call('GET', `/${shown(answer)['id']}`);
    assert.deepEqual(shown(byId), shown(answer));
  });

  it('Mastercard returns 201 for a decline if the client requests details, and otherwise 402', async (t) => {
    const mastercard = await startMastercardSendUnderTest(t);
    await mastercard.control('faults', { disbursements: 'decline', network_code: '54', status_reason: 'CARD_EXPIRED' });
    const detailed = await mastercard.submit();
    assert.deepEqual([detailed.status, shown(detailed)['status']], [201, 'DECLINED']);
    assert.match(JSON.stringify(detailed), /"status_reason":"CARD_EXPIRED","network_status_code":"54"/);
    const plain = await mastercard.submit({ disbursement_reference: '1002-AbCd1234' }, '');
    assert.deepEqual([plain.status, error(plain)['ReasonCode']], [402, 'DECLINE']);
  });

  it('Mastercard accepts one disbursement for each reference', async (t) => {
    const mastercard = await startMastercardSendUnderTest(t);
    await mastercard.submit();
    const again = await mastercard.submit({ amount: '1' });
    assert.deepEqual(
      [again.status, error(again)['ReasonCode'], error(again)['Source']],
      [409, 'RESOURCE_ERROR', 'disbursement_reference'],
    );
    const summary = await mastercard.summary();
    assert.deepEqual([summary['approved'], summary['duplicates'], summary['paid_over_once']], [1, 1, []]);
  });

  for (const [disbursements, first, end] of [
    ['unknown_then_approve', 'UNKNOWN', 'APPROVED'],
    ['unknown_then_decline', 'UNKNOWN', 'DECLINED'],
    ['pending_then_approve', 'PENDING', 'APPROVED'],
  ] as const) {
    it(`a Mastercard disbursement can start as ${first} and become ${end} later`, async (t) => {
      const mastercard = await startMastercardSendUnderTest(t);
      await mastercard.control('faults', { disbursements });
      assert.equal(shown(await mastercard.submit())['status'], first);
      mastercard.clock.advance(20_000);
      const [found] = listed(await mastercard.find());
      assert.deepEqual([found?.['status'], found?.['original_status']], [end, first]);
    });
  }

  it('an approved Mastercard disbursement can be reversed later', async (t) => {
    const mastercard = await startMastercardSendUnderTest(t);
    assert.equal((await mastercard.control('reverse', { reference })).status, 400);
    await mastercard.submit();
    assert.equal((await mastercard.control('reverse', { reference })).status, 200);
    assert.equal(listed(await mastercard.find())[0]?.['status'], 'REVERSED');
    assert.equal((await mastercard.summary())['approved'], 0);
  });

  const faulty: readonly (readonly [field: string, change: Record<string, unknown>])[] = [
    ['disbursement_reference', { disbursement_reference: 'short' }],
    ['disbursement_reference', { disbursement_reference: 'with a blank' }],
    ['amount', { amount: 1008 }],
    ['amount', { amount: '10.08' }],
    ['currency', { currency: 'eur' }],
    ['sender_account_uri', { sender_account_uri: '1' }],
    ['recipient_account_uri', { recipient_account_uri: 'pan:5013' }],
    ['recipient.first_name', { recipient: { last_name: 'Smith' } }],
    ['recipient.last_name', { recipient: { first_name: 'Jane', last_name: 'Núñez' } }],
  ];
  it('a Mastercard disbursement with an invalid field is rejected with the field’s name', async (t) => {
    const mastercard = await startMastercardSendUnderTest(t);
    await eachOf(faulty, async ([field, change]) => {
      const answer = await mastercard.submit(change);
      assert.deepEqual([answer.status, error(answer)['Source']], [400, field]);
      assert.equal((await mastercard.summary())['disbursements'], 0);
    });
  });

  const modes: readonly (readonly [answers: string, accepted: number])[] = [
    ['accept_unanswered', 1],
    ['accept_garbled', 1],
    ['lose', 0],
  ];
  it('a fault makes a Mastercard response unreadable', async (t) => {
    await eachOf(modes, async ([answers, accepted]) => {
      const mastercard = await startMastercardSendUnderTest(t);
      await mastercard.control('faults', { answers });
      if (answers === 'accept_garbled') await assert.rejects(mastercard.submit());
      else await assertUnanswered(mastercard, mastercard.submit());
      assert.equal((await mastercard.summary())['disbursements'], accepted);
    });
  });

  it('faults make Mastercard return 500 for an accepted disbursement and hide it from queries for a time', async (t) => {
    const mastercard = await startMastercardSendUnderTest(t);
    await mastercard.control('faults', { answers: 'accept_500', queries: 'not_yet' });
    assert.equal((await mastercard.submit()).status, 500);
    const unknown = await mastercard.find();
    assert.deepEqual([unknown.status, error(unknown)['ReasonCode']], [404, 'RESOURCE_UNKNOWN']);
    await mastercard.control('faults', { queries: 'empty' });
    assert.deepEqual(listed(await mastercard.find()), []);
  });
});

describe('the authentication of Mastercard’s client', () => {
  it('a Mastercard request needs a current signature over this request, used once', async (t) => {
    const mastercard = await startMastercardSendUnderTest(t);
    const body = JSON.stringify({ payment_disbursement: DISBURSEMENT });
    const past = String(mastercard.clock.now() / 1_000 - 301);
    const wrong = [{ consumerKey: 'another!key' }, { bodyHash: 'x' }, { timestamp: past }, { timestamp: 'now' }];
    for (const signing of wrong) {
      const answer = await mastercard.call('POST', '/payment', body, signing);
      const { Source, Recoverable } = error(answer);
      assert.deepEqual([answer.status, Source, Recoverable], [401, 'Gateway', false], JSON.stringify(signing));
    }
    assert.equal((await mastercard.call('GET', `?ref=${reference}`, '', { nonce: 'once' })).status, 404);
    assert.equal((await mastercard.call('GET', `?ref=${reference}`, '', { nonce: 'once' })).status, 401);
    const unsigned = await fetch(`${mastercard.url}/send/v1/partners/ptnr_test/disbursements?ref=${reference}`);
    assert.equal(unsigned.status, 401);
    assert.equal((await mastercard.summary())['disbursements'], 0);
  });

  it('a Mastercard request is rejected while the client has registered no key', async (t) => {
    const mastercard = await startMastercardSendUnderTest(t, { findPublicKey: () => undefined });
    assert.equal(error(await mastercard.submit())['ReasonCode'], 'INVALID_SIGNATURE');
  });
});

describe('Mastercard’s book on disk', () => {
  it('Mastercard completes pending disbursements after a restart', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'mastercard-send-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const bookPath = join(folder, 'book.jsonl');
    const before = await startMastercardSendUnderTest(t, { bookPath });
    await before.control('faults', { disbursements: 'unknown_then_approve' });
    await before.submit();
    await before.close();
    const { clock } = before;
    const after = await startMastercardSendUnderTest(t, { bookPath, clock });
    assert.equal((await after.submit()).status, 409);
    clock.advance(20_000);
    assert.equal((await after.summary())['approved'], 1);
    assert.equal((await after.control('reset', {})).status, 409);
    const text = readFileSync(bookPath, 'utf8');
    assert.match(text, /\*{12}0018/);
    assert.doesNotMatch(text, /5013040000000018/);
  });
});

async function start(t: TestContext, amount: string): Promise<Play> {
  const mastercard = await startMastercardSendUnderTest(t);
  return {
    clock: mastercard.clock,
    async send() {
      const { status, body } = await mastercard.submit({ amount: amount.replace('.', '') });
      return status === 201 ? (body['disbursement'] as { status: string }).status : status;
    },
    async book() {
      const entries = entriesOf(await mastercard.control('book'));
      return entries.map(({ status, networkCode }) => (status === 'DECLINED' ? `${status} ${networkCode}` : status));
    },
    notified: () => [],
  };
}

const rows: readonly Row[] = [
  ['40', 'PENDING', 'PENDING, APPROVED'],
  ['41', 'UNKNOWN', 'UNKNOWN, DECLINED 05'],
  ['42', 'PENDING', 'PENDING, APPROVED'],
  ['44', 'never', 'APPROVED'],
  ['45', 'never', ''],
  ['50', 500, 'APPROVED'],
  ['51', 'DECLINED', 'DECLINED 05'],
  ['52', 'DECLINED', 'DECLINED 14'],
  ['53', 'DECLINED', 'DECLINED 61'],
  ['60', 'APPROVED', 'APPROVED, REVERSED'],
];

describe('magic amounts at Mastercard', { concurrency: true }, () => {
  testCourses(rows, MAGIC_AMOUNTS, start);
});
