import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type FormStage, formLink, openFormStage } from '../../../../test/support/form/form-stage.ts';
import { until, within } from '../../../../test/support/tools/until.ts';
import { settleAttempt } from '../../../domain/payments/attempts/settle-attempt.ts';
import type { PaymentAnswer } from '../../../domain/payments/payment-rail.ts';
import { SECOND_MS } from '../../../foundation/clock.ts';

const CODE: PaymentAnswer = {
  kind: 'step',
  step: { kind: 'code', text: '00020126BRCODE' },
  keep: '',
  providerReference: 'P1',
};
const PAID: PaymentAnswer = {
  kind: 'paid',
  money: { currency: 'BRL', minor: 1_250n },
  payerAccount: '',
  providerReference: 'P1',
};

let stage: FormStage;
let orders = 0;

before(async () => {
  stage = await openFormStage();
  stage.addMerchant('M1');
});
after(async () => {
  assert.deepEqual(stage.internalErrors, []);
  await stage.close();
});

/** A payer whose page shows a code to scan. */
async function waiting() {
  const payer = stage.payer();
  orders += 1;
  const link = {
    order: `S${orders}`,
    currency: 'BRL',
    country: 'BR',
    cpf: '52998224725',
    first_name: 'A',
    last_name: 'B',
  };
  stage.script.push(CODE);
  const page = await payer.press(await payer.open(formLink(link)), 'pay');
  const data = (name: string) => new RegExp(`data-${name}="([^"]*)"`).exec(page.text)?.[1] ?? '';
  const { token } = page.address.match(/(?<token>[A-Za-z0-9]{43})/)?.groups ?? {};
  return {
    payer,
    page,
    token: token ?? '',
    events: data('events-url'),
    version: data('version'),
    asked: data('version-url'),
  };
}

async function pays(token: string, news = PAID): Promise<void> {
  const { attempts } = await stage.record(token);
  const [attempt] = attempts;
  const rail = stage.payments.rails.find(({ name }) => name === attempt?.rail);
  assert.ok(attempt && rail);
  await settleAttempt(stage.payments, rail, attempt, news);
}

/** Opens a stream and collects its text. */
async function listen(path: string) {
  const abort = new AbortController();
  const response = await fetch(stage.url + path, { signal: abort.signal });
  const stream = { response, text: '', isOver: false, leave: () => abort.abort() };
  const decoder = new TextDecoder();
  const read = async () => {
    for await (const chunk of response.body ?? []) stream.text += decoder.decode(chunk as Uint8Array);
  };
  void read()
    .catch(() => {})
    .finally(() => {
      stream.isOver = true;
    });
  return stream;
}

const sentVersions = (stream: { text: string }) =>
  [...stream.text.matchAll(/^data: (.*)$/gm)].map(([, version]) => version);

describe('the status of a waiting page', () => {
  it('a waiting page receives a change of this process immediately, and its stream ends with the payment', async () => {
    const { token, events, version } = await waiting();
    const stream = await listen(events);
    assert.equal(stream.response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    await until('the first version', () => sentVersions(stream).length === 1);
    assert.deepEqual(sentVersions(stream), [version], 'the page’s own version');
    await pays(token);
    await until('the end', () => stream.isOver);
    assert.equal(sentVersions(stream).length, 2);
    assert.notEqual(sentVersions(stream)[1], version);
    assert.equal((await fetch(stage.url + events)).status, 204, 'browsers must not reconnect');
  });

  it('a waiting page receives another process’s change within two seconds', async () => {
    const { events, token } = await waiting();
    const stream = await listen(events);
    await until('the first version', () => sentVersions(stream).length === 1);
    await stage.bench.owner.query('update payment_attempts set is_authorised = true where transaction_id = $1', [
      (await stage.record(token)).deposit?.transactionId,
    ]);
    await until('the news', () => {
      stage.bench.clock.advance(2 * SECOND_MS);
      return sentVersions(stream).length === 2;
    });
    stream.leave();
  });

  it('a waiting page’s stream sends heartbeats and closes after some minutes', async () => {
    const { events } = await waiting();
    const stream = await listen(events);
    await until('the first version', () => sentVersions(stream).length === 1);
    await until('a sign of life', () => {
      stage.bench.clock.advance(2 * SECOND_MS);
      return stream.text.includes(': still here');
    });
    await until('the end', () => {
      stage.bench.clock.advance(20 * SECOND_MS);
      return stream.isOver;
    });
    assert.equal(sentVersions(stream).length, 1);
  });

  it('a waiting page may poll its version instead of a stream', async () => {
    const { token, asked, version } = await waiting();
    const ask = async (path = asked) => {
      const response = await fetch(stage.url + path);
      assert.equal(response.headers.get('cache-control'), 'no-store');
      return [response.status, await response.text()];
    };
    assert.deepEqual(await ask(), [200, version]);
    await pays(token);
    assert.notDeepEqual(await ask(), [200, version]);
    assert.deepEqual(await ask(`/payment/form/${'x'.repeat(43)}/version`), [404, '']);
    assert.equal((await fetch(`${stage.url}/payment/form/nobody/events`)).status, 404);
  });

  it('a payment’s page does not get a stream above the limit of streams', async () => {
    const { events } = await waiting();
    const streams = await Promise.all(Array.from({ length: 5 }, () => listen(events)));
    assert.equal((await fetch(stage.url + events)).status, 429);
    streams[0]?.leave();
    await until('there is room again', async () => {
      const more = await listen(events);
      streams.push(more);
      return more.response.status === 200;
    });
    for (const stream of streams) stream.leave();
  });

  it('a client that disconnects during the lookup of its page does not count towards the limit of status streams', async ({
    mock,
  }) => {
    const { events } = await waiting();
    const { store } = stage.payments;
    const looked = Promise.withResolvers<void>();
    const find = store.findSession.bind(store);
    const looks = mock.method(store, 'findSession', (hash: Buffer) => looked.promise.then(() => find(hash))).mock;
    const sockets = Array.from({ length: 5 }, () => connect(Number(new URL(stage.url).port), '127.0.0.1'));
    for (const socket of sockets) socket.write(`GET ${events} HTTP/1.1\r\nHost: pay.example\r\n\r\n`);
    await until('all are being looked for', () => looks.callCount() === sockets.length);
    for (const socket of sockets) socket.destroy();
    // The server has received the closed connections once it responds to a later request.
    await stage.payer().open('/payment/form');
    looked.resolve();
    const stream = await listen(events);
    assert.equal(stream.response.status, 200);
    stream.leave();
  });

  it('the payer’s status stream rejects HEAD', async () => {
    const { events } = await waiting();
    assert.equal((await fetch(stage.url + events, { method: 'HEAD' })).status, 405);
  });

  it('an open status stream of a payer does not delay the gateway’s stop', async () => {
    const own = await openFormStage();
    own.addMerchant('M1');
    const payer = own.payer();
    own.script.push(CODE);
    const link = formLink({ currency: 'BRL', country: 'BR', cpf: '52998224725', first_name: 'A', last_name: 'B' });
    const page = await payer.press(await payer.open(link), 'pay');
    const events = /data-events-url="([^"]*)"/.exec(page.text)?.[1] ?? '';
    const response = await fetch(own.url + events);
    assert.equal(response.status, 200);
    await within(60_000, 'the gateway stops', own.close());
  });

  it('a page of a finished payment does not open a stream', async () => {
    const { payer, page, token } = await waiting();
    await pays(token);
    const ended = await payer.open(page.address);
    assert.equal(ended.heading, 'Payment received');
    assert.doesNotMatch(ended.text, /data-events-url/);
  });
});
