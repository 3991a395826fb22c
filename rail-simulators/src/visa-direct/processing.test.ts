/** Visa Direct: pushes, messages, clients, the book, and each magic amount. */
import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request as requestTls } from 'node:https';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { HOUR_MS } from '../clock.ts';
import { authorityOf, issue } from '../kernel/certificates.ts';
import { eachOf } from '../kernel/inbox-under-test.ts';
import { entriesOf, type Play, playOut, type Row, testCourses } from '../kernel/magic-amounts-under-test.ts';
import { assertUnanswered } from '../kernel/simulator-under-test.ts';
import { MAGIC_AMOUNTS } from './magic-amounts.ts';
import { basic, PUSH_FIELDS, PUSH_PATH, QUERY_PATH, startVisaDirectUnderTest, temporaryFolder } from './under-test.ts';

describe('a push of funds at Visa', () => {
  it('a Visa push is approved, and found by its numbers', async (t) => {
    const visa = await startVisaDirectUnderTest(t);
    const { status, json } = await visa.push();
    assert.deepEqual([status, json['actionCode'], json['retrievalReferenceNumber']], [200, '00', '412770452025']);
    assert.equal(typeof json['transactionIdentifier'], 'number');
    const [record, ...others] = await visa.query();
    assert.deepEqual([record?.['statusCode'], record?.['actionCode'], others], ['COMPLETED', '00', []]);
    assert.equal(record?.['transactionIdentifier'], String(json['transactionIdentifier']));
    const { entries } = (await visa.control('book')).body as { entries: { amount: string; maskedNumber: string }[] };
    assert.deepEqual([entries[0]?.amount, entries[0]?.maskedNumber], ['10.25', '406032******0127']);
  });

  it('a declined Visa push returns HTTP 200', async (t) => {
    const visa = await startVisaDirectUnderTest(t);
    await visa.control('faults', { action_code: '51' });
    const { status, json } = await visa.push();
    assert.deepEqual([status, json['actionCode'], 'approvalCode' in json], [200, '51', false]);
    assert.equal((await visa.summary())['declined'], 1);
  });

  it('Visa treats a push with used numbers as a repeat for a day, and as a new push afterwards', async (t) => {
    const visa = await startVisaDirectUnderTest(t);
    const first = await visa.push();
    const again = await visa.push({ localTransactionDateTime: '2026-01-01T12:00:09' });
    assert.deepEqual([again.json['actionCode'], again.json['originalActionCode']], ['94', '00']);
    assert.equal(again.json['transactionIdentifier'], first.json['transactionIdentifier']);
    const kinds = (await visa.query()).map((record) => `${record['actionCode']} ${record['originalActionCode'] ?? ''}`);
    assert.deepEqual(kinds, ['00 ', '94 00']);
    const elsewhere = { ...PUSH_FIELDS.cardAcceptor, terminalId: 'GW2' };
    assert.equal((await visa.push({ cardAcceptor: elsewhere })).json['actionCode'], '00');
    visa.clock.advance(24 * HOUR_MS);
    assert.equal((await visa.push()).json['actionCode'], '00');
    const summary = await visa.summary();
    assert.deepEqual([summary['approved'], summary['paid_over_once']], [3, ['1001']]);
  });

  it('a slow Visa push returns 202 and completes later', async (t) => {
    await eachOf(['late_json', 'late_text'], async (timing) => {
      const visa = await startVisaDirectUnderTest(t);
      await visa.control('faults', { timing });
      const { status, text, json } = await visa.push();
      assert.equal(status, 202);
      const identifier = timing === 'late_text' ? text : String(json['statusIdentifier']);
      const again = await visa.push();
      assert.deepEqual([again.status, again.location], [303, `${PUSH_PATH}/${identifier}`]);
      assert.equal((await visa.api('GET', `${PUSH_PATH}/${identifier}`)).status, 202);
      assert.equal((await visa.query())[0]?.['statusCode'], 'IN_PROGRESS');
      visa.clock.advance(5_000);
      const outcome = await visa.api('GET', `${PUSH_PATH}/${identifier}`);
      assert.deepEqual([outcome.status, outcome.json['actionCode']], [200, '00']);
      assert.equal((await visa.api('GET', `${PUSH_PATH}/nobody`)).status, 404);
    });
  });

  it('an approved Visa push can be reversed', async (t) => {
    const visa = await startVisaDirectUnderTest(t);
    assert.equal((await visa.control('reverse', { sender_reference: '1001' })).status, 400);
    await visa.push();
    assert.equal((await visa.control('reverse', { sender_reference: '1001' })).status, 200);
    const types = (await visa.query()).map((record) => record['transactionType']);
    assert.deepEqual(types, ['CRED VOUCHER', 'CRED REVERSAL']);
  });

  const faulty: readonly (readonly [field: string, change: Record<string, unknown>])[] = [
    ['systemsTraceAuditNumber', { systemsTraceAuditNumber: '451018' }],
    ['retrievalReferenceNumber', { retrievalReferenceNumber: '41277045202' }],
    ['acquiringBin', { acquiringBin: 1 }],
    ['amount', { amount: 0 }],
    ['amount', { amount: '10.25' }],
    ['transactionCurrencyCode', { transactionCurrencyCode: 'euro' }],
    ['recipientPrimaryAccountNumber', { recipientPrimaryAccountNumber: '4060' }],
    ['recipientName', { recipientName: 'a'.repeat(31) }],
    ['senderReference', { senderReference: '' }],
    ['cardAcceptor.terminalId', { cardAcceptor: { ...PUSH_FIELDS.cardAcceptor, terminalId: '' } }],
  ];
  it('a Visa push with an invalid field is rejected with the field’s name', async (t) => {
    const visa = await startVisaDirectUnderTest(t);
    await eachOf(faulty, async ([field, change]) => {
      const { status, text } = await visa.push(change);
      assert.equal(status, 400);
      assert.ok(text.includes(`"${field} is missing or not valid"`), text);
      assert.equal((await visa.summary())['transactions'], 0);
    });
  });

  const modes: readonly (readonly [answers: string, status: number | 'none', accepted: number])[] = [
    ['accept_unanswered', 'none', 1],
    ['lose', 'none', 0],
    ['accept_500', 500, 1],
  ];
  it('the “answers” fault decides the status of Visa’s response, and whether the push exists', async (t) => {
    await eachOf(modes, async ([answers, status, accepted]) => {
      const visa = await startVisaDirectUnderTest(t);
      await visa.control('faults', { answers });
      if (status === 'none') await assertUnanswered(visa, visa.push());
      else assert.equal((await visa.push()).status, status);
      assert.equal((await visa.summary())['transactions'], accepted);
    });
  });
});

describe('an encrypted message to Visa', () => {
  const key = { keyid: 'simulated-key-id' };

  it('a Visa message with a key gets an encrypted response', async (t) => {
    const visa = await startVisaDirectUnderTest(t, { encryption: true });
    const encrypted = await visa.api('GET', QUERY_PATH, '', key);
    assert.equal(String(encrypted.json['encData']).split('.').length, 5);
    assert.deepEqual(await visa.query(), []);
    await visa.control('faults', { encryption: 'required' });
    assert.equal((await visa.push()).status, 400);
    assert.equal((await visa.api('GET', QUERY_PATH)).status, 400);
    assert.equal((await visa.api('GET', QUERY_PATH, '', key)).status, 200);
  });

  it('Visa rejects a message that is not encrypted for Visa’s key', async (t) => {
    const visa = await startVisaDirectUnderTest(t, { encryption: true });
    const bodies = [JSON.stringify(PUSH_FIELDS), '{"encData":"a.b.c.d.e"}', '{"encData":""}', '[]'];
    for (const body of bodies) assert.equal((await visa.api('POST', PUSH_PATH, body, key)).status, 400, body);
    assert.equal((await visa.api('GET', QUERY_PATH, '', { keyid: 'another' })).status, 400);
    assert.equal((await visa.summary())['transactions'], 0);
  });

  it('a Visa message is decrypted with the same keys after a restart', async (t) => {
    const before = await startVisaDirectUnderTest(t, { encryption: true });
    const names = ['encryption-key.pem', 'decryption-key.pem', 'visa-message-key.pem'];
    const contents = () => names.map((name) => readFileSync(join(before.folder, name), 'utf8'));
    const first = contents();
    await before.close();
    await startVisaDirectUnderTest(t, { encryption: true, certificateFolder: before.folder });
    assert.deepEqual(contents(), first);
  });
});

describe('the authentication of Visa’s client', () => {
  it('Visa accepts a client only with its user, its password and that user’s certificate', async (t) => {
    const visa = await startVisaDirectUnderTest(t);
    assert.equal((await visa.api('GET', '/vdp/helloworld')).status, 200);
    for (const authorization of ['', basic('client', 'another'), basic('another', 'a password')]) {
      const { status, text } = await visa.api('POST', PUSH_PATH, JSON.stringify(PUSH_FIELDS), { authorization });
      assert.deepEqual([status, JSON.parse(text).responseStatus.code], [401, '9124']);
    }
    const claimed = { 'x-simulated-client-subject': 'another' };
    assert.equal((await visa.api('GET', '/vdp/helloworld', '', claimed)).status, 200);
    assert.equal(await statusFor(visa.server.url, visa.folder, 'somebody'), 401);
    assert.equal(await statusFor(visa.server.url, visa.folder, undefined), 'no connection');
  });

  it('a Visa query gets a response only with the acquirer’s BIN', async (t) => {
    const visa = await startVisaDirectUnderTest(t);
    assert.equal((await visa.api('GET', QUERY_PATH.replace('408999', '1'))).status, 400);
    await visa.push();
    await visa.control('faults', { queries: 'not_yet' });
    assert.deepEqual(await visa.query(), []);
    await visa.control('faults', { queries: 'not_yet_404' });
    assert.equal((await visa.api('GET', QUERY_PATH)).status, 404);
  });
});

/** Connects with a certificate from Visa's root for `subject`, or without a certificate. */
function statusFor(url: string, folder: string, subject: string | undefined): Promise<number | string> {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const root = authorityOf(
    'Visa Direct simulator root (no money moves)',
    createPrivateKey(read('ca-key.pem')),
    read('ca.pem'),
  );
  const own = subject === undefined ? undefined : issue(root, subject, 'client');
  const identity = own === undefined ? {} : { cert: own.certificate, key: own.privateKey };
  const headers = { authorization: basic('client', 'a password') };
  return new Promise((resolve) => {
    requestTls(`${url}/vdp/helloworld`, { ...identity, ca: read('ca.pem'), agent: false, headers })
      .on('response', (response) => resolve(response.resume().statusCode ?? 0))
      .on('error', () => resolve('no connection'))
      .end();
  });
}

describe('Visa’s book on disk', () => {
  it('Visa completes pending pushes after a restart', async (t) => {
    const bookPath = join(temporaryFolder(t), 'book.jsonl');
    const before = await startVisaDirectUnderTest(t, { bookPath });
    await before.control('faults', { timing: 'late_json' });
    await before.push();
    await before.close();
    const { clock, folder } = before;
    const after = await startVisaDirectUnderTest(t, { bookPath, clock, certificateFolder: folder });
    assert.equal((await after.push()).status, 303);
    clock.advance(5_000);
    assert.equal((await after.push()).json['originalActionCode'], '00');
    assert.equal((await after.control('reset', {})).status, 409);
    const text = readFileSync(bookPath, 'utf8');
    assert.match(text, /406032\*{6}0127/);
    assert.doesNotMatch(text, /4060320000000127/);
  });
});

async function start(t: TestContext, amount: string): Promise<Play> {
  const visa = await startVisaDirectUnderTest(t);
  return {
    clock: visa.clock,
    async send() {
      const { status, json } = await visa.push({ amount: Number(amount) });
      return status === 200 ? json['actionCode'] : status;
    },
    async book() {
      const entries = entriesOf(await visa.control('book'));
      return entries.map(({ kind, actionCode }) => `${kind} ${actionCode}`.trim());
    },
    notified: () => [],
  };
}

const rows: readonly Row[] = [
  ['40', 202, 'accepted, completed 00'],
  ['41', 202, 'accepted, completed 05'],
  ['42', 202, 'accepted, completed 00'],
  ['44', 'never', 'accepted, completed 00'],
  ['45', 'never', ''],
  ['50', 500, 'accepted, completed 00'],
  ['51', '05', 'accepted, completed 05'],
  ['52', '14', 'accepted, completed 14'],
  ['53', '61', 'accepted, completed 61'],
  ['60', '00', 'accepted, completed 00, reversed 00'],
];

describe('magic amounts at Visa', { concurrency: true }, () => {
  testCourses(rows, MAGIC_AMOUNTS, start);

  it('Visa approves an amount without cents whose digits equal a magic amount’s cents', async (t) => {
    assert.equal((await playOut(await start(t, '51'))).answered, '00');
  });
});
