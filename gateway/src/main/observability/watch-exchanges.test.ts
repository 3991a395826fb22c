import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres/postgres.ts';
import { createExchangeLog } from '../../domain/exchanges/exchange-log.ts';
import { redactExchange } from '../../domain/exchanges/redact-exchange.ts';
import type { PaymentOrder, PaymentRail } from '../../domain/payments/payment-rail.ts';
import type { PayoutOrder, PayoutRail } from '../../domain/payouts/payout-rail.ts';
import { createManualClock, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import { type Deadline, untilAborted } from '../../foundation/deadline.ts';
import { createSeededRandom } from '../../foundation/random.ts';
import { Secret } from '../../foundation/secret.ts';
import { createProviderHttp } from '../../rails/kit/provider-http.ts';
import type { Rails } from '../../rails/registry.ts';
import { type Database, openDatabase } from '../../storage/core/database.ts';
import { createExchangeStore } from '../../storage/exchanges/exchange-store.ts';
import { secretsIn, withExchangeLog } from './watch-exchanges.ts';

const CARD = '4111111111111111';
const KEY = 'provider-api-key-1';
const CONFIGURATION = { bank: { url: 'https://bank.example', credentials: [{ apiKey: new Secret(KEY) }] } };
const NO_RAILS: Rails = {
  payoutRails: [],
  payoutListers: [],
  floatReaders: [],
  probes: [],
  notifications: [],
  depositRails: [],
  transferListers: [],
  paymentRails: [],
  refundListers: [],
  preparations: [],
  close: async () => {},
};

let own: TestDatabase;
let database: Database;

before(async () => {
  own = await createTestDatabase();
  database = openDatabase({ connectionString: own.connectionString }, { poolSize: 2 });
});
after(async () => {
  await database.close();
  await own.close();
});

/** A bank on HTTP, and its rail under the log. `answer` reads the bank's response as the connector does. */
async function openBank(answer: string) {
  const server = createServer((request, response) =>
    request.resume().on('end', () => response.writeHead(422).end(`{"card":"${CARD}","echo":"${KEY}"}`)),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const http = createProviderHttp({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    connections: 1,
  });
  const clock = createManualClock(1_000);
  const store = createExchangeStore(database);
  const random = createSeededRandom(answer);
  const log = createExchangeLog({ store, clock, random, secrets: secretsIn(CONFIGURATION) });
  const headers = { authorization: KEY };
  const send = async ({ reference }: { readonly reference: string }, ...rest: readonly unknown[]) => {
    const deadline = rest.at(-1) as Deadline;
    const body = JSON.stringify({ reference, card: CARD });
    await http.exchange({ verb: 'POST', path: '/payouts', headers, body }, deadline);
    return { kind: answer } as Awaited<ReturnType<PayoutRail['send']>>;
  };
  const rail = { name: `bank-${answer}`, send, ask: send } as unknown as PayoutRail;
  const ofCards = { name: rail.name, paymentType: 'card', start: send, handleReturn: send, ask: send };
  const rails = { ...NO_RAILS, payoutRails: [rail], paymentRails: [ofCards as unknown as PaymentRail] };
  const { payoutRails, paymentRails } = withExchangeLog(rails, log, clock);
  const deadline = untilAborted(new AbortController().signal);
  return {
    clock,
    log,
    store,
    rail: rail.name,
    pay: (reference: string) => payoutRails[0]?.send({ reference } as PayoutOrder, deadline),
    startCard: (reference: string) => paymentRails[0]?.start({ reference } as PaymentOrder, null, deadline),
    async close() {
      await http.close();
      server.close();
    },
  };
}

describe('the exchanges with a provider', () => {
  it('the exchange log does not contain a card number, key or header', async () => {
    const bank = await openBank('unknown');
    assert.deepEqual(await bank.pay('P1'), { kind: 'unknown' });
    await bank.log.close();
    await bank.close();
    const [kept, ...others] = await bank.store.list(bank.rail, 'P1');
    assert.equal(others.length, 0);
    const { exchangeId, request, reply, ...rest } = kept ?? assert.fail();
    assert.ok(exchangeId.length > 30);
    assert.deepEqual(rest, {
      rail: bank.rail,
      reference: 'P1',
      call: 'send',
      answer: 'unknown',
      at: 1_000,
      durationMs: 0,
      method: 'POST',
      path: '/v1/payouts',
      status: 422,
      failure: '',
    });
    assert.equal(request.toString(), '{"reference":"P1","card":"411111******1111"}');
    assert.equal(reply.toString(), `{"card":"411111******1111","echo":"${'*'.repeat(KEY.length)}"}`);
  });

  it('the exchange log records at most ten successful and sixty other calls of a rail each minute', async () => {
    for (const [answer, most] of [
      ['executed', 10],
      ['declined', 60],
    ] as const) {
      const bank = await openBank(answer);
      for (let count = 0; count < 65; count++) await bank.pay('P2');
      await bank.log.close();
      assert.equal((await bank.store.list(bank.rail, 'P2')).length, most);
      bank.clock.advance(MINUTE_MS);
      await bank.pay('P3');
      bank.clock.advance(SECOND_MS);
      await bank.log.close();
      await bank.close();
      assert.equal((await bank.store.list(bank.rail, 'P3')).length, 1);
    }
  });

  it('the exchange log omits a request that contains card data and a security code', async () => {
    const bank = await openBank('refused');
    await bank.startCard('C1');
    await bank.log.close();
    await bank.close();
    const [kept] = await bank.store.list(bank.rail, 'C1');
    assert.equal(kept?.request.toString(), '[withheld: contains card data]');
  });

  it('the exchange log deletes the oldest exchanges first, in steps', async () => {
    const bank = await openBank('not_accepted');
    await bank.pay('P4');
    bank.clock.advance(5_000);
    await bank.pay('P4');
    await bank.log.close();
    await bank.close();
    assert.equal((await bank.store.forget(1_001, 1_000)) > 0, true);
    assert.deepEqual(
      (await bank.store.list(bank.rail, 'P4')).map(({ at }) => at),
      [6_000],
    );
  });

  it('redaction hides a card number inside base64 and leaves a ciphertext unchanged', () => {
    const hidden = Buffer.from(`{"card":"${CARD}","amount":"1.00"}`).toString('base64');
    const cipher = Buffer.from('c0ffee'.repeat(12), 'hex').toString('base64');
    const shown = redactExchange(Buffer.from(`data=${hidden}&blob=${cipher}`), []).toString();
    assert.equal(shown, `data=${'*'.repeat(hidden.length)}&blob=${cipher}`);
  });

  it('redaction hides the value of every field whose name belongs to a secret, in every format', () => {
    const secret = 'h7Kq-x2.Zp';
    const json = JSON.stringify({ access_token: secret, list: { clientSecret: [secret], note: { Password: secret } } });
    const xml = `<a:Password x="1">${secret}</a:Password><pwd><![CDATA[${secret}<${secret}]]></pwd><c securityCode='${secret}'/>`;
    const form = `grant=x&client_secret=${secret}&user=u`;
    const inside = [json, xml, form];
    const texts = [
      ...inside,
      ...inside.map((text) => JSON.stringify({ text })),
      ...inside.map((text) => `data=${encodeURIComponent(text)}`),
      ...inside.map((text) => `{"data":"${Buffer.from(`x${text}`).toString('base64').replaceAll('/', '\\/')}"}`),
      xml.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
      `Authorization: Basic ${Buffer.from(`u:${secret}`).toString('base64')}`,
      `https://user:${secret}@bank.example/pay?token=${secret}`,
      `-----BEGIN RSA PRIVATE KEY-----\n${secret}\n-----END RSA PRIVATE KEY-----`,
      `eyJhbGciOiJIUzI1NiJ9.eyJhbW91bnQiOjF9.${secret.slice(0, 5)}`,
      'invalid token: h7Kq-x2.Zp',
    ];
    for (const text of texts) {
      const shown = redactExchange(Buffer.from(text), []).toString();
      assert.equal(shown.length, text.length);
      assert.ok(!shown.includes('h7Kq'), `${text} became ${shown}`);
      for (const [encoded = ''] of shown.matchAll(/[\w+/\\]{16,}/g))
        for (const place of [0, 1, 2, 3])
          assert.ok(!Buffer.from(encoded.replaceAll('\\', '').slice(place), 'base64').includes('h7Kq'), shown);
    }
  });

  it('redaction takes linear time, even for a hostile response', () => {
    const timeOf = (part: string, length: number) => {
      const answer = Buffer.from(part.repeat(length).slice(0, length));
      const times = Array.from({ length: 3 }, () => {
        const start = process.cpuUsage();
        redactExchange(answer, []);
        const { user, system } = process.cpuUsage(start);
        return user + system;
      });
      return Math.min(...times);
    };
    // Quadratic time would grow 64 times.
    for (const part of ['eyJ', 'eyJ-', 'eyJ.', 'token a', '%7B', '<token ', '://a:'])
      assert.ok(timeOf(part, 64 * 1_024) < 30 * timeOf(part, 8 * 1_024) + 10_000, part);
  });

  it('redaction hides a configured credential in form and XML encoding', () => {
    const secret = 'a b&c<d"e';
    for (const written of ['a+b%26c%3Cd%22e', 'a b&amp;c&lt;d"e', 'a b&amp;c&lt;d&quot;e'])
      assert.equal(redactExchange(Buffer.from(written), [new Secret(secret)]).toString(), '*'.repeat(written.length));
  });

  it('redaction leaves the status, code, message and reference of an exchange readable', () => {
    const text = '{"status":"DECLINED","code":"51","message":"Insufficient funds","reference":"P1","amount":"10.00"}';
    assert.equal(redactExchange(Buffer.from(text), []).toString(), text);
  });

  it('the exchange log survives a database that rejects its rows', async () => {
    const clock = createManualClock(0);
    const calls: number[] = [];
    const append = (rows: readonly unknown[]) => Promise.reject(new Error(`no database: ${calls.push(rows.length)}`));
    const log = createExchangeLog({ store: { append }, clock, random: createSeededRandom('away'), secrets: [] });
    const exchange = { method: 'GET', path: '/', request: '', status: 200, reply: Buffer.alloc(0), failure: '' };
    const call = { rail: 'bank', reference: 'P5', call: 'ask', answer: 'unknown', at: 0, durationMs: 0 };
    for (const _ of [1, 2]) {
      log.record({ ...call, exchanges: [exchange] });
      await log.close();
    }
    assert.deepEqual(calls, [1, 1]);
  });
});
