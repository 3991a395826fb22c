/** The collections for Postman and Bruno: their script signs requests that the gateway accepts. */
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { startHostToHostWire } from '../../test/support/deposits/host-to-host-wire.ts';
import { WIRE_FORM_KEY, WIRE_KEY } from '../../test/support/merchants/wire-merchants.ts';
import { post, signOver } from '../../test/support/payouts/payout-request.ts';
import { startPayoutWire } from '../../test/support/payouts/payout-wire.ts';
import { ROOT } from '../pages.ts';
import { brunoScript, collectionFiles, collectionRequests, postmanScript } from './collections.ts';

type Request = ReturnType<typeof collectionRequests>[number];

interface Signed {
  body: string;
  readonly headers: Record<string, string>;
  query: Record<string, string>;
}

const VARIABLES: Readonly<Record<string, string>> = {
  base_url: 'http://127.0.0.1:8080',
  merchant: 'M1',
  api_key: WIRE_KEY,
  form_key: WIRE_FORM_KEY,
};
const withValues = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => VARIABLES[name] ?? '');
const bodyOf = ({ body }: Request) => (body ? JSON.stringify(body, null, 2) : '');

/** Runs the script as Postman does, with its request and variable objects. */
function signInPostman(request: Request): Signed {
  const signed: Signed = { body: bodyOf(request), headers: {}, query: {} };
  const query = Object.entries(request.query ?? {}).map(([key, value]) => ({ key, value: String(value) }));
  const pm = {
    variables: { get: (name: string) => VARIABLES[name], replaceIn: withValues },
    request: {
      url: {
        path: request.path.slice(1).split('/'),
        query: { each: (visit: (parameter: object) => void) => query.forEach(visit) },
        removeQueryParams: () => {},
        addQueryParams: ([{ value }]: [{ value: string }]) => {
          signed.query = { sign: decodeURIComponent(value) };
        },
      },
      body: {
        raw: signed.body,
        update: ({ raw }: { raw: string }) => {
          signed.body = raw;
        },
      },
      headers: {
        upsert: ({ key, value }: { key: string; value: string }) => {
          signed.headers[key] = value;
        },
      },
    },
  };
  runInContext(postmanScript(), createContext({ pm }));
  return signed;
}

/** Runs the script as Bruno does. */
function signInBruno(request: Request): Signed {
  const search = Object.entries(request.query ?? {}).map(([name, value]) => `${name}=${value}`);
  const signed: Signed = { body: bodyOf(request), headers: {}, query: {} };
  const req = {
    getUrl: () => `{{base_url}}${request.path}${search.length > 0 ? `?${search.join('&')}` : ''}`,
    getBody: () => request.body,
    setBody: (text: string) => {
      signed.body = text;
    },
    setHeader: (name: string, value: string) => {
      signed.headers[name] = value;
    },
    setUrl: (url: string) => {
      signed.query = Object.fromEntries(new URL(url).searchParams);
    },
  };
  const bru = { getEnvVar: (name: string) => VARIABLES[name], interpolate: withValues };
  runInContext(brunoScript(), createContext({ req, bru }));
  return signed;
}

test('the collections for Postman and Bruno are current: npx node gateway/generators/openapi/write-openapi.ts writes them', () => {
  for (const [path, text] of Object.entries(collectionFiles()))
    assert.equal(readFileSync(join(ROOT, path), 'utf8'), text, path);
});

for (const [tool, sign] of Object.entries({ Postman: signInPostman, Bruno: signInBruno })) {
  test(`the script of the collection for ${tool} signs requests that the gateway accepts`, async (context) => {
    const payouts = await startPayoutWire();
    context.after(() => payouts.stop());
    const deposits = await startHostToHostWire();
    context.after(() => deposits.stop());
    let answered = 0;
    for (const request of collectionRequests().filter(({ method }) => method === 'POST')) {
      const { body, headers } = sign(request);
      const { url } = request.path.startsWith('/api/v2/') ? deposits : payouts;
      const { text } = await post(url + request.path, body, headers);
      assert.ok(!/"(?:Error|fail)"/.test(text), `${request.name}: ${text}`);
      answered += 1;
    }
    assert.equal(answered, 19);
    const link = collectionRequests().find(({ path }) => path === '/payment/form');
    assert.ok(link);
    const fields = { merchant: 'M1', order: 'N18', amount: '12.50', currency: 'EUR' };
    assert.equal(sign(link).query['sign'], signOver(fields, 'all', WIRE_FORM_KEY));
  });
}

test('the collections’ script hashes strings of any length as node:crypto does', () => {
  const sandbox = createContext({});
  runInContext(readFileSync(join(ROOT, 'openapi/collections/sign-request.js'), 'utf8'), sandbox);
  for (let length = 0; length < 140; length++) {
    const text = 'aЗ€😀'
      .repeat(40)
      .slice(0, length * 2)
      .toWellFormed();
    sandbox['text'] = text;
    assert.equal(runInContext('base64(md5(utf8(text)))', sandbox), createHash('md5').update(text).digest('base64'));
    const mac = createHmac('sha256', text).update(text).digest('hex');
    assert.equal(runInContext('toHex(hmac(utf8(text), utf8(text)))', sandbox), mac);
  }
});
