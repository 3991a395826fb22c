/**
 * Sends the bad-input list to every endpoint of a complete gateway. Each input must be rejected, never with a 5xx. Afterwards
 * no table may have gained or lost a row, the log must contain no internal error, and the gateway must still serve requests.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type RunningGateway, startGateway } from '../../support/gateway/running-gateway.ts';
import { errorReply, provenReply, type TestMerchant } from '../../support/merchants/test-merchant.ts';
import { fullySigned, post, type RequestFields, signOver } from '../../support/payouts/payout-request.ts';
import { BAD_AMOUNTS } from '../../support/tools/bad-amounts.ts';
import { rawExchange } from '../../support/tools/raw-exchange.ts';

const SEND = '/merchant/api/payout_send';
const STATUS = '/merchant/api/payout_status';
const BALANCE = '/payment/balance';
const LIST = '/api/payment-list';
const NOTIFY = '/rail-notifications/wayforpay';
const FAMILY = [SEND, STATUS, BALANCE, LIST] as const;
const CARD_SIGNED = ['merchant', 'method', 'payout_id', 'account', 'amount', 'currency'];
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

let gateway: RunningGateway;
let merchant: TestMerchant;
/** One merchant for each path of the wrong signatures, so that no merchant reaches the limit that delays responses. */
const guessed = new Map<string, TestMerchant>();
let rowsBefore: unknown;
before(async () => {
  gateway = await startGateway();
  merchant = await gateway.merchant();
  for (const path of FAMILY) guessed.set(path, await gateway.merchant());
  await merchant.balance('EUR');
  await countRows();
  rowsBefore = await countRows();
});
after(() => gateway.verifyAndStop());

/** The tables that the gateway writes without a request, such as the health of its rails. */
const ITS_OWN = ['rail_health', 'rail_floats', 'reconciliations', 'logged_requests'];

/** Excluded, because the request log seals the exact bytes of a request with a wrong signature. */
const NOT_LOGGED: Readonly<Record<string, string>> = Object.fromEntries(
  ['vault_records', 'vault_expiries'].map((table) => [
    table,
    'where token not in (select vault_token from logged_requests where vault_token is not null)',
  ]),
);

async function countRows(): Promise<Record<string, number>> {
  const { rows } = await gateway.database.pool.query(
    `select tablename from pg_tables where schemaname = 'public' and tablename <> all ($1)`,
    [ITS_OWN],
  );
  const counts: Record<string, number> = {};
  for (const { tablename } of rows) {
    const { rows: counted } = await gateway.database.pool.query(
      `select count(*)::int as rows from ${tablename} ${NOT_LOGGED[tablename] ?? ''}`,
    );
    counts[tablename] = counted[0].rows;
  }
  return counts;
}

function valid(path: string): RequestFields {
  const { id, key } = merchant;
  const period = { start_date: '2026-01-01', finish_date: '2100-01-01' };
  switch (path) {
    case SEND:
      return merchant.request(9, 'bad-input');
    case STATUS:
      return fullySigned({ merchant: id, payout_id: 'bad-input' }, key);
    case BALANCE:
      return fullySigned({ merchant: id, currency: 'EUR' }, key);
    default:
      return fullySigned(
        { merchant: id, currency: 'EUR', order: '0', status: 'all', type: 'withdrawal', ...period },
        key,
      );
  }
}

interface BadBody {
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
}

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** Each entry changes a valid body in exactly one way. */
const BODIES: Readonly<Record<string, (text: string) => BadBody>> = {
  'an empty body': () => ({ body: '', status: 400 }),
  'half a document': (text) => ({ body: text.slice(0, -2), status: 400 }),
  'trailing bytes': (text) => ({ body: `${text}x`, status: 400 }),
  'two documents': (text) => ({ body: text + text, status: 400 }),
  'an array': (text) => ({ body: `[${text}]`, status: 400 }),
  'a text': () => ({ body: '"merchant"', status: 400 }),
  null: () => ({ body: 'null', status: 400 }),
  'a repeated key': (text) => ({ body: text.replace('{', '{"merchant":"Other",'), status: 400 }),
  'a key repeated by an escape': (text) => ({ body: text.replace('{', '{"\\u006derchant":"Other",'), status: 400 }),
  __proto__: (text) => ({ body: text.replace('{', '{"__proto__":{"merchant":"Other"},'), status: 400 }),
  'a lone surrogate': (text) => ({ body: text.replace('{', '{"note":"\\ud800",'), status: 400 }),
  'a NUL': (text) => ({ body: text.replace('{', '{"note":"\\u0000",'), status: 400 }),
  'a raw NUL': (text) => ({ body: text.replace('{', '{"note":"\0",'), status: 400 }),
  'a byte order mark': (text) => ({ body: `\ufeff${text}`, status: 400 }),
  'invalid UTF-8': (text) => ({
    body: Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from(',"n":"\xff"}', 'latin1')]),
    status: 400,
  }),
  'overlong UTF-8': (text) => ({
    body: Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from(',"n":"\xc0\xaf"}', 'latin1')]),
    status: 400,
  }),
  UTF16: (text) => ({ body: Buffer.from(text, 'utf16le'), status: 400 }),
  'depth 10,000': () => ({ body: nested(10_000), status: 400 }),
  comments: (text) => ({ body: text.replace('{', '{/* */'), status: 400 }),
  'single quotes': (text) => ({ body: text.replaceAll('"', "'"), status: 400 }),
  '10 MB': () => ({ body: Buffer.alloc(10 * 1024 * 1024, 'a'), status: 413 }),
  'gzip with a Content-Encoding header': (text) => ({
    body: gzipSync(text),
    headers: { 'content-encoding': 'gzip' },
    status: 415,
  }),
  'gzip without a Content-Encoding header': (text) => ({ body: gzipSync(text), status: 400 }),
  'another encoding': (text) => ({ body: text, headers: { 'content-encoding': 'br' }, status: 415 }),
  'an unsupported content type': (text) => ({
    body: text,
    headers: { 'content-type': 'text/plain' },
    status: 415,
  }),
  XML: (text) => ({ body: text, headers: { 'content-type': 'application/xml' }, status: 415 }),
  'a multipart form': (text) => ({
    body: text,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    status: 415,
  }),
  'a malformed content type': (text) => ({ body: text, headers: { 'content-type': ';;;' }, status: 415 }),
  'another charset': (text) => ({
    body: text,
    headers: { 'content-type': 'application/json; charset=utf-16' },
    status: 415,
  }),
  'a form with a repeated key': () => ({ body: 'merchant=A&merchant=B', headers: FORM, status: 400 }),
  'a form with a bad escape': () => ({ body: 'merchant=%zz', headers: FORM, status: 400 }),
  'a form with invalid UTF-8': () => ({ body: 'merchant=%ff', headers: FORM, status: 400 }),
  'a form with a NUL': () => ({ body: 'merchant=%00', headers: FORM, status: 400 }),
};

describe('malformed bodies', () => {
  for (const [what, make] of Object.entries(BODIES)) {
    it(`every endpoint rejects a body with a documented error: ${what}`, async () => {
      for (const path of FAMILY) {
        const { body, headers = {}, status } = make(JSON.stringify(valid(path)));
        const answer = await tolerant(gateway.url + path, body, headers);
        if (answer === 'cut off') continue;
        assert.equal(answer.status, status, `${path}: ${answer.text}`);
        assert.equal(provenReply(answer, '')['status'], 'Error');
      }
      for (const path of [NOTIFY, '/rail-notifications/nobody', '/rail-notifications/', '/nowhere', '/']) {
        const { body, headers = {} } = make('{"reference":"1","status":"executed"}');
        const answer = await tolerant(gateway.url + path, body, headers);
        if (answer !== 'cut off')
          assert([400, 401, 404, 413, 415].includes(answer.status), `${path}: ${answer.status}`);
      }
    });
  }
});

/** Tolerates an early close: the server may reject a large body before the client has sent all of it. */
async function tolerant(url: string, body: string | Buffer, headers: Readonly<Record<string, string>>) {
  return post(url, body, headers).catch((error: unknown) => {
    if (body.length > 64 * 1024) return 'cut off' as const;
    throw error;
  });
}

const WRONG_VALUES: readonly unknown[] = [
  1,
  1.5,
  true,
  false,
  [],
  ['x'],
  {},
  { a: 1 },
  '',
  ' ',
  'a:b',
  '\t',
  'x'.repeat(10_000),
  '<script>',
  '٣',
  "' or 1=1 --",
  '../..',
  '%00',
  '\u202e',
];

const WRONG_SIGNATURES: readonly unknown[] = [1, true, [], { a: 1 }, '', 'x', 'x'.repeat(10_000), '\u202e'];

describe('fields of a wrong type or shape', () => {
  for (const path of FAMILY) {
    for (const field of Object.keys(
      path === SEND
        ? { merchant: 1, method: 1, payout_id: 1, account: 1, amount: 1, currency: 1, sign: 1 }
        : { merchant: 1, sign: 1, extra: 1 },
    )) {
      it(`the gateway rejects wrong types and shapes of ${field} at ${path}`, async () => {
        for (const value of field === 'sign' ? WRONG_SIGNATURES : WRONG_VALUES) {
          const asker = field === 'sign' ? guessed.get(path) : undefined;
          const { sign: _old, ...request } = valid(path);
          const fields = { ...request, ...(asker ? { merchant: asker.id } : {}) };
          const changed = { ...fields, [field]: value };
          const names = path === SEND ? CARD_SIGNED : 'all';
          const body = field === 'sign' ? changed : { ...changed, sign: signOver(changed, names, merchant.key) };
          const answer = await post(gateway.url + path, body);
          const shown = JSON.stringify(value).slice(0, 40);
          assert([200, 400].includes(answer.status), `${shown}: ${answer.status}`);
          if (field === 'extra' && typeof value === 'string') continue;
          const { description = '' } = provenReply(answer, '');
          if (field === 'method' && value === 1) assert.equal(description, 'Currency not supported');
          else
            assert.match(
              description,
              /^(Invalid [a-z_]+|Sign error|Merchant not found|Invalid body|Too many requests)$/,
              shown,
            );
        }
      });
    }
  }
});

describe('malformed amounts', () => {
  it('a payout whose amount is a malformed string is rejected with Invalid amount', async () => {
    for (const amount of BAD_AMOUNTS) {
      assert.deepEqual(await merchant.pay(9, 'bad-input', { amount }), errorReply('Invalid amount'), amount);
    }
  });

  it('a payout whose amount is a JSON number is rejected, whatever its signature covers', async () => {
    for (const amount of [10, 10.5, 1e21]) {
      assert.deepEqual(await merchant.pay(9, 'bad-input', { amount }), errorReply('Invalid amount'));
    }
  });
});

describe('unknown HTTP methods and paths', () => {
  it('an unsupported HTTP method on a known path gets 405 with Allow, and an unknown path gets 404', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'TRACE']) {
      for (const path of [...FAMILY, NOTIFY]) {
        const { status, head } = await rawExchange(
          gateway.url,
          `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
        );
        assert.equal(status, method === 'TRACE' && status === 404 ? 404 : 405, `${method} ${path}: ${status}`);
        if (status === 405) assert.match(head, /^allow: .*POST/im);
      }
    }
    for (const path of [
      '/nowhere',
      '/merchant/api',
      `${SEND}/`,
      '/MERCHANT/api/payout_send',
      '/%2e%2e/etc/passwd',
      '/merchant/api/../api/payout_send',
    ]) {
      const { status } = await rawExchange(
        gateway.url,
        `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
      assert.equal(status, 404, path);
    }
  });

  it('the gateway ignores the query string, even one with repeated keys', async () => {
    const answer = await post(`${gateway.url}${BALANCE}?merchant=Other&merchant=Another&currency=USD`, valid(BALANCE));
    assert.equal(provenReply(answer, merchant.key)['currency'], 'EUR');
  });
});

describe('the server survives clients that violate HTTP', { concurrency: true }, () => {
  const line = `POST ${BALANCE} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
  const request = (headers: string, body: string) => `${line}${headers}\r\n${body}`;
  const whole = () => {
    const body = JSON.stringify(valid(BALANCE));
    return request(`Content-Length: ${body.length}\r\n`, body);
  };

  const ODD: Readonly<Record<string, () => string | Buffer>> = {
    'bytes that are not HTTP': () => 'hello\r\n\r\n',
    'a TLS ClientHello': () => Buffer.from('16030100a5010000a1030312345678', 'hex'),
    'the HTTP/2 preface': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'random bytes': () => Buffer.from(Array.from({ length: 500 }, (_, index) => (index * 131 + 7) % 256)),
    'a header of 100 KB': () => request(`X: ${'a'.repeat(100_000)}\r\n`, ''),
    '5,000 headers': () => request('X: a\r\n'.repeat(5_000), ''),
    'a path of 100 KB': () => `POST /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    'Content-Length and chunked encoding together': () =>
      request('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
    'two lengths': () => request('Content-Length: 5\r\nContent-Length: 6\r\n', '{}   '),
    'a negative length': () => request('Content-Length: -1\r\n', ''),
    'a Content-Length that is not a number': () => request('Content-Length: 0x10\r\n', '{}'),
    'an invalid chunk size': () => request('Transfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n'),
    'an unknown transfer encoding': () => request('Transfer-Encoding: gzip\r\n', '{}'),
    'a space before the colon': () => request('X-Merchant : a\r\nContent-Length: 0\r\n', ''),
    'a NUL in a header': () => request('X-Sign: a\0b\r\nContent-Length: 2\r\n', '{}'),
    'no host': () => 'POST / HTTP/1.1\r\n\r\n',
    'another version': () => 'POST / HTTP/3.7\r\nHost: x\r\n\r\n',
    'garbage after a valid request': () => `${whole()}garbage\r\n\r\n`,
    'a valid request after garbage': () => `garbage\r\n\r\n${whole()}`,
    'a tunnel': () => 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n',
    'an upgrade': () => request('Connection: upgrade\r\nUpgrade: websocket\r\nContent-Length: 2\r\n', '{}'),
    'an expectation': () => request('Expect: a-miracle\r\nConnection: close\r\nContent-Length: 2\r\n', '{}'),
    'no more bytes after the first headers': () => line,
    'no more bytes after the start of the body': () => request('Content-Length: 100\r\n', '{'),
  };
  for (const [what, bytes] of Object.entries(ODD)) {
    it(`the server never responds with a 5xx to a client that sends ${what}`, async () => {
      const { status, rest } = await rawExchange(gateway.url, bytes());
      assert(status === undefined || status < 500, `${status}`);
      const answers = rest.split(/(?=HTTP\/1\.1 )/).filter((part) => part.startsWith('HTTP/1.1 '));
      for (const answer of answers) assert.match(answer, /^HTTP\/1\.1 [24]/);
      if (what === 'garbage after a valid request') assert.equal(status, 200);
    });
  }

  it('a request that arrives one byte at a time gets 408 before it is complete', async () => {
    const { status } = await rawExchange(gateway.url, '', { drip: whole(), everyMs: 200 });
    assert.equal(status, 408);
  });

  it('two hundred idle connections do not block other clients', async () => {
    let isOver = false;
    // Reconnect whenever the server closes the connection.
    const keepSilent = async () => {
      while (!isOver) {
        const { status } = await rawExchange(gateway.url, 'POST');
        assert(status === 408 || status === undefined, `${status}`);
      }
    };
    const silent = Promise.all(Array.from({ length: 200 }, keepSilent));
    for (let index = 0; index < 20; index++) assert.equal((await merchant.balance('EUR'))['status'], 'Success');
    isOver = true;
    await silent;
  });
});

describe('the gateway after all bad inputs', () => {
  it('malformed requests neither add nor remove a row of any table', async () => {
    assert.deepEqual(await countRows(), rowsBefore);
  });

  it('malformed requests do not cause an internal error in the log', () => {
    const failures = gateway.log.filter((text) => /"event":"(?:request_failed|problem)"/.test(text));
    assert.deepEqual(failures, []);
  });

  it('a valid payout succeeds after malformed requests', async () => {
    assert.equal((await merchant.pay(70, 'good'))['status'], 'Success');
  });
});
