import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import type { PayerBank } from '../../domain/payments/payment-rail.ts';
import { errorBodyFor } from '../error-envelopes.ts';
import { createHttpServer } from '../http/http-server.ts';
import { BANK_LIST_PATH, bankListRoutes } from './bank-list-routes.ts';

const LIST: readonly PayerBank[] = [
  { bankId: 'ob-anna', name: 'Anna, Berta & "Söhne"', country: 'DE', bic: 'COBADEFF' },
  { bankId: 'ob-formula', name: '=HYPERLINK("https://evil.example")', country: 'FR', bic: '' },
  { bankId: '-1', name: 'Zinsbank', country: 'DE', bic: '' },
];

let listed: readonly PayerBank[] = LIST;
let isOffered = true;
const directory = {
  banks: () => listed,
  get isOffered() {
    return isOffered;
  },
};
const app = createHttpServer({
  errorBody: errorBodyFor,
  trustedProxies: [],
  onInternalError: (error) => assert.fail(String(error)),
});
void app.register(bankListRoutes({ banks: directory }));

beforeEach(() => {
  listed = LIST;
  isOffered = true;
});
after(() => app.close());

const get = (query = '', headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url: `${BANK_LIST_PATH}${query}`, headers });
const idsOf = (json: { banks: { bank_id: string }[] }) => json.banks.map(({ bank_id }) => bank_id);

describe('the bank list endpoint', () => {
  it('the bank list is JSON with four fields for each bank', async () => {
    const answer = await get();
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    assert.deepEqual(answer.json().banks[0], {
      bank_id: 'ob-anna',
      name: 'Anna, Berta & "Söhne"',
      country: 'DE',
      bic: 'COBADEFF',
    });
    assert.deepEqual(idsOf(answer.json()), ['ob-anna', 'ob-formula', '-1']);
  });

  it('the bank list as CSV contains no name that begins with a formula character', async () => {
    const answer = await get('', { accept: 'text/csv' });
    assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8; header=present');
    assert.deepEqual(answer.body.split('\r\n'), [
      'bank_id,name,country,bic',
      'ob-anna,"Anna, Berta & ""Söhne""",DE,COBADEFF',
      'ob-formula,"HYPERLINK(""https://evil.example"")",FR,',
      '-1,Zinsbank,DE,',
      '',
    ]);
  });

  for (const [name, start] of Object.entries({
    equals: '=',
    plus: '+',
    minus: '-',
    at: '@',
    tab: '\t',
    'carriage return': '\r',
    'line feed': '\n',
    'full-width equals': '＝',
    'full-width plus': '＋',
    'full-width minus': '－',
    'full-width at': '＠',
    'blank, equals': ' =',
    'equals, equals': '==',
    'tab, minus': '\t-',
  })) {
    it(`the bank list as CSV drops a formula prefix from a name: ${name}`, async () => {
      listed = [{ bankId: 'ob', name: `${start}SUM(1)`, country: 'DE', bic: '' }];
      assert.equal((await get('', { accept: 'text/csv' })).body.split('\r\n')[1], 'ob,SUM(1),DE,');
      assert.equal((await get()).json().banks[0].name, `${start}SUM(1)`, 'JSON keeps the name unchanged');
    });
  }

  it('the bank list endpoint filters by country in either case', async () => {
    assert.deepEqual(idsOf((await get('?country=de')).json()), ['ob-anna', '-1']);
    assert.deepEqual((await get('?country=FR&other=1', { accept: 'text/csv' })).body.split('\r\n').length, 3);
    assert.deepEqual((await get('?country=IS')).json(), { banks: [] });
  });

  it('the bank list rejects an invalid country by its name, and forbids caching the error', async () => {
    for (const query of ['?country=Germany', '?country=', '?country=XX', '?country=DE&country=FR', '?country=%00']) {
      const answer = await get(query);
      assert.equal(answer.statusCode, 400, query);
      assert.equal(answer.headers['cache-control'], 'no-store');
      const { status, code, payout_id, description } = answer.json();
      const expected = query.includes('%00') ? 'Invalid query' : 'Invalid country';
      assert.deepEqual([status, code, payout_id, description], ['Error', '99', '', expected], query);
    }
    assert.equal((await get('?a=%zz')).json().description, 'Invalid query');
    assert.equal((await get('?a=1&a=2')).json().description, 'Invalid query');
  });

  it('the bank list response has a Vary header, a lifetime and an entity tag', async () => {
    const { headers } = await get();
    assert.equal(headers['vary'], 'Accept');
    assert.equal(headers['cache-control'], 'public, max-age=600');
    assert.match(String(headers['etag']), /^"[\w-]{43}"$/);
  });

  it('the bank list returns 304 for a matching If-None-Match', async () => {
    const tagOf = async (query: string, accept: string) => String((await get(query, { accept })).headers['etag']);
    const tag = await tagOf('', 'application/json');
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const answer = await get('', { 'if-none-match': known });
      assert.deepEqual([answer.statusCode, answer.body, answer.headers['etag']], [304, '', tag], known);
      assert.equal(answer.headers['vary'], 'Accept');
    }
    assert.equal((await get('', { 'if-none-match': '"other"' })).statusCode, 200);
    assert.equal((await get('', { 'if-none-match': tag, accept: 'text/csv' })).statusCode, 200);
    listed = [...LIST];
    assert.equal(await tagOf('', 'application/json'), tag, 'the same bytes');
    listed = LIST.slice(1);
    const others = [
      await tagOf('', 'application/json'),
      await tagOf('', 'text/csv'),
      await tagOf('?country=DE', 'application/json'),
    ];
    assert.equal(new Set([tag, ...others]).size, 4);
  });

  it('the bank list returns the headers of GET without a body for HEAD', async () => {
    const [head, whole] = [await get('', {}, 'HEAD'), await get()];
    assert.equal(head.body, '');
    for (const name of ['etag', 'content-type', 'content-length', 'cache-control', 'vary'])
      assert.equal(head.headers[name], whole.headers[name], name);
    assert.equal((await get('', { 'if-none-match': String(head.headers['etag']) }, 'HEAD')).statusCode, 304);
  });

  it('the bank list returns 503 until the gateway has read it once, and 404 if no rail has banks', async () => {
    listed = [];
    const early = await get();
    assert.deepEqual([early.statusCode, early.json().description], [503, 'Temporary error']);
    assert.equal(early.headers['retry-after'], '30');
    isOffered = false;
    const none = await get();
    assert.deepEqual([none.statusCode, none.json().description], [404, 'Method unavailable']);
  });

  it('the bank list returns 405 for other methods', async () => {
    const answer = await app.inject({ method: 'POST', url: BANK_LIST_PATH });
    assert.deepEqual([answer.statusCode, answer.headers['allow']], [405, 'GET, HEAD']);
  });
});
