/** Adyen's simulator for tests, with an inbox for its webhooks and a browser that fills in the banks' pages. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startAdyen } from '../../../../rail-simulators/src/adyen/server.ts';
import type { ProviderServer } from '../../../../rail-simulators/src/kernel/start-provider.ts';
import type { PayerReturn, PayerStep, PaymentNews } from '../../../src/domain/payments/payment-rail.ts';
import { Secret } from '../../../src/foundation/secret.ts';
import { createAdyenNotifications } from '../../../src/rails/adyen/notifications.ts';
import { ADYEN_CLIENT } from '../../../src/rails/adyen/rail-under-test.ts';
import { until } from '../tools/until.ts';
import { CONTROL_SECRET, readBook, START_OPTIONS, simulatorAt } from './simulator-control.ts';

/** Shorter delays than usual, so that a test does not wait for seconds. */
const DELAYS = { notifyMs: 20, decideMs: 30, lateMs: 200, holdMs: 30_000 };

export interface AdyenUnderControl {
  readonly url: string;
  /** The news of the webhooks in order of arrival, and the rejected webhooks. */
  readonly notified: PaymentNews[];
  readonly refusals: string[];
  /** Webhooks wait until this resolves. */
  hold: Promise<unknown>;
  faults(change: Readonly<Record<string, unknown>>): Promise<void>;
  act(what: string, body: Readonly<Record<string, unknown>>): Promise<void>;
  summary(): Promise<Readonly<Record<string, unknown>>>;
  /** Returns the kinds of the entries about this payment, except those about notifications. */
  story(reference: string): Promise<readonly string[]>;
  /** Returns the first news of this kind about the payment. */
  untilNotifiedOf<Kind extends PaymentNews['kind']>(
    reference: string,
    kind: Kind,
  ): Promise<PaymentNews & { kind: Kind }>;
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function startAdyenUnderControl(): Promise<AdyenUnderControl> {
  const notified: PaymentNews[] = [];
  const refusals: string[] = [];
  const notifications = createAdyenNotifications({
    hmacKeys: [new Secret(ADYEN_CLIENT.hmacKey)],
    merchantAccount: ADYEN_CLIENT.merchantAccount,
  });
  const inbox = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    await under.hold;
    const reading = notifications.read({ body: Buffer.concat(chunks), headers: {}, clientAddress: '127.0.0.1' });
    if (!reading.ok) {
      refusals.push(reading.error.kind);
      return response.writeHead(reading.error.kind === 'unauthentic' ? 401 : 400).end();
    }
    for (const item of reading.value.news) if (item.kind === 'payment') notified.push(item.news);
    const { status, contentType, body } = reading.value.acknowledgement;
    return response.writeHead(status, { 'content-type': contentType }).end(body);
  });
  inbox.listen(0, '127.0.0.1');
  await once(inbox, 'listening');
  const adyen: ProviderServer = await startAdyen({
    ...START_OPTIONS,
    ...ADYEN_CLIENT,
    webhookUrl: `http://127.0.0.1:${(inbox.address() as AddressInfo).port}/rail-notifications/adyen`,
    delays: DELAYS,
  });
  const ask = simulatorAt({ url: adyen.url, secret: CONTROL_SECRET });
  const under: AdyenUnderControl = {
    url: adyen.url,
    notified,
    refusals,
    hold: Promise.resolve(),
    faults: async (change) => void (await ask('faults', change)),
    act: async (what, body) => void (await ask(what, body)),
    summary: () => ask('summary'),
    async story(reference) {
      const entries = await readBook<{ reference: string; kind: string }>(ask);
      return entries
        .filter((entry) => entry.reference === reference && entry.kind !== 'acknowledged')
        .map(({ kind }) => kind);
    },
    untilNotifiedOf: (reference, kind) =>
      until(`${kind} of ${reference}`, () =>
        notified.find(
          (news): news is PaymentNews & { kind: typeof kind } => news.reference === reference && news.kind === kind,
        ),
      ),
    async reset() {
      await ask('reset', {});
      notified.length = 0;
      refusals.length = 0;
      under.hold = Promise.resolve();
    },
    async close() {
      await adyen.close();
      inbox.close();
      inbox.closeAllConnections();
    },
  };
  return under;
}

export const aWhile = () => new Promise((resolve) => setTimeout(resolve, 200));

interface Page {
  readonly html: string;
  /** The action of its form. */
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

const unescaped = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');

async function read(response: Response): Promise<Page> {
  const html = await response.text();
  assert.equal(response.status, 200, html);
  const [, action = ''] = /<form[^>]* action="([^"]*)"/.exec(html) ?? [];
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return {
    html,
    action: new URL(unescaped(action), response.url).href,
    fields: Object.fromEntries(fields.map(([, name = '', value = '']) => [name, unescaped(value)])),
  };
}

async function postForm(url: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
}

/** The browser at a fingerprint step. Returns the fields that it sends back. */
export async function beLookedAt(step: PayerStep): Promise<PayerReturn> {
  assert.ok(step.kind === 'post' && step.purpose === 'fingerprint');
  return { fields: (await read(await postForm(step.url, step.fields))).fields };
}

/** The payer at a challenge, native or on Adyen's page. Each answer is a code or `cancel`. */
export async function answerBank(step: PayerStep, ...answers: readonly string[]): Promise<PayerReturn> {
  assert.ok(step.kind === 'redirect' || (step.kind === 'post' && step.purpose === 'challenge'));
  let page = await read(step.kind === 'redirect' ? await fetch(step.url) : await postForm(step.url, step.fields));
  for (const answer of answers) {
    const given = answer === 'cancel' ? { action: 'cancel' } : { action: 'confirm', code: answer };
    const response = await postForm(page.action, { ...page.fields, ...given });
    const location = response.headers.get('location');
    if (location) return { fields: Object.fromEntries(new URL(location).searchParams) };
    page = await read(response);
  }
  return { fields: page.fields };
}
