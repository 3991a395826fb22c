/** The command line over HTTP: its token, its identity in the audit log, and the commands that it rejects. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import openapi from '../../../openapi/gateway.json' with { type: 'json' };
import { SCOPE_NAMES } from '../../contract/permissions.ts';
import { codeBlocks, commandOf, readPage } from '../../generators/pages.ts';
import { TRIGGERS, type Trigger } from '../../src/domain/callbacks/example-payload.ts';
import { closeHours } from '../../src/domain/ledger/close-hours.ts';
import { systemClock } from '../../src/foundation/clock.ts';
import { openDatabase } from '../../src/storage/core/database.ts';
import { createClosingStore } from '../../src/storage/ledger/closing-store.ts';
import { runCommand as run } from '../support/gateway/run-command.ts';
import { MASTER_KEY, type RunningGateway, startGateway } from '../support/gateway/running-gateway.ts';
import { assertGenuine } from '../support/servers/callback-receiver.ts';
import { until } from '../support/tools/until.ts';

let gateway: RunningGateway;
let folder: string;
let tokenFile: string;
before(async () => {
  gateway = await startGateway();
  folder = await mkdtemp(join(tmpdir(), 'token-'));
  tokenFile = join(folder, 'token');
  const issued = await gateway.operations.tokens.issue({
    name: 'a script',
    merchantId: null,
    scopes: SCOPE_NAMES,
    days: 1,
  });
  assert.ok(issued.ok);
  await writeFile(tokenFile, `${issued.value.secret.reveal()}\n`, { mode: 0o600 });
});
after(async () => {
  await gateway.verifyAndStop();
  await rm(folder, { recursive: true });
});

/** Closes the ledger hours, as the gateway does every five minutes. */
async function closeEveryHour(): Promise<void> {
  const database = openDatabase(gateway.database.config, { poolSize: 1 });
  const store = createClosingStore(database);
  const clock = { ...systemClock, sleep: async () => {} };
  await closeHours({ store, clock, clockDifference: async () => 0, statementLimitMs: 0 }, new AbortController().signal);
  await database.close();
}

const { webhooks, components } = openapi;

function schemaOf(trigger: Trigger): { readonly properties: object; readonly required: readonly string[] } {
  const isEvent = Object.hasOwn(webhooks, trigger);
  const [subject] = trigger.split('.');
  const name = `${subject === 'payout' ? 'Payout' : 'Deposit'}${isEvent ? 'Event' : 'Callback'}` as const;
  return components.schemas[name];
}

const newestActors = async (act: string) =>
  (
    await gateway.operations.audit.list({
      merchantId: null,
      act,
      object: null,
      actor: null,
      from: null,
      to: null,
      before: null,
      limit: 2,
    })
  ).map(({ phase, actor, address }) => [phase, actor.kind, actor.name, address === null]);

describe('the command line', () => {
  it('the audit log records the token of the command line over HTTP', async () => {
    const { id } = await gateway.merchant({ funds: {} });
    const words = ['credit', id, 'EUR', '5', '--reference', 'r1', '--reason', 'opening', '--json'];
    const credited = await run([...words, '--url', gateway.manageUrl], { GATEWAY_TOKEN_FILE: tokenFile });
    assert.deepEqual([credited.stderr, credited.exitCode], ['', 0]);
    assert.equal(JSON.parse(credited.stdout).balance.available, '5.00');
    assert.deepEqual(await newestActors('funds.credit'), [
      ['done', 'token', 'a script', false],
      ['begun', 'token', 'a script', false],
    ]);
  });

  it('the audit log records the system’s user of the command line on the server', async () => {
    const { id } = await gateway.merchant({ funds: {} });
    const words = ['credit', id, 'EUR', '5', '--reference', 'r2', '--reason', 'opening', '--as', 'Ben'];
    const { connectionString: DATABASE_URL } = gateway.database;
    const own = { DATABASE_URL, GATEWAY_MASTER_KEY: MASTER_KEY, PORT: '0', METRICS_PORT: '0', MANAGE_PORT: '0' };
    const credited = await run(words, own);
    assert.equal(credited.exitCode, 0);
    assert.match(
      credited.stderr,
      /^Alert emergency_act: A user performed .* About: funds\.credit .* by Ben \(ann@server\)$/m,
    );
    assert.deepEqual(await newestActors('funds.credit'), [
      ['done', 'emergency', 'Ben (ann@server)', true],
      ['begun', 'emergency', 'Ben (ann@server)', true],
    ]);
  });

  it('the command line lists the rails of the running processes, although the shell lacks their variables', async () => {
    const { connectionString: DATABASE_URL } = gateway.database;
    const own = { DATABASE_URL, GATEWAY_MASTER_KEY: MASTER_KEY, PORT: '0', METRICS_PORT: '0', MANAGE_PORT: '0' };
    const [running, ...others] = JSON.parse((await run(['process', 'list', '--json'], own)).stdout);
    assert.deepEqual([running.role, running.rails.includes('wayforpay'), others.length], ['all', true, 0]);
    const rails: readonly { name: string }[] = JSON.parse((await run(['rail', 'list', '--json'], own)).stdout);
    assert(rails.some(({ name }) => name === 'wayforpay'));
    const hours = await run(['rail', 'hours', 'wayforpay', 'always'], own);
    assert.equal(hours.exitCode, 0, hours.stderr);
    assert.match(hours.stderr, /^Alert emergency_act: .*\n$/);
    assert.match((await run(['rail', 'hours', 'stp', 'always'], own)).stderr, /^No rail is called "stp"/m);
  });

  it('the command line rejects a token file that is missing or that other users may read', async () => {
    const list = ['merchant', 'list', '--url', gateway.manageUrl];
    assert.match((await run(list)).stderr, /^--url needs a token/);
    const named = [...list, '--token-file', tokenFile];
    assert.equal((await run(named)).exitCode, 0);
    await chmod(tokenFile, 0o640);
    const wide = await run(named);
    await chmod(tokenFile, 0o600);
    assert.deepEqual([/Run: chmod 600/.test(wide.stderr), wide.exitCode], [true, 2]);
    const nobody = await run(['merchant', 'list', '--url', 'http://127.0.0.1:9', '--token-file', tokenFile]);
    assert.match(nobody.stderr, /did not respond \(/);
    for (const host of ['manage.example', '10.0.0.1:8081', 'localhost.example', '127.0.0.1.example']) {
      const clear = await run(['merchant', 'list', '--url', `http://${host}`, '--token-file', tokenFile]);
      assert.deepEqual([/^--url must begin with https:/.test(clear.stderr), clear.exitCode], [true, 2], host);
    }
  });

  it('the command line lists payments over HTTP page by page', async () => {
    const { id, pay } = await gateway.merchant();
    const account = '4111111111111111';
    for (let count = 0; count < 105; count++) await pay(70, `L${count}`, { account, amount: '1.00', currency: 'TST' });
    const over = (...words: string[]) => run([...words, '--url', gateway.manageUrl, '--token-file', tokenFile]);
    const list = JSON.parse((await over('payout', 'list', '--merchant', id, '--limit', '103', '--json')).stdout);
    assert.deepEqual(new Set(list.map(({ payoutId }: { payoutId: string }) => payoutId)).size, 103);
    const csv = (await over('payout', 'list', '--merchant', id, '--csv')).stdout.trim().split('\r\n');
    assert.deepEqual([csv.length, csv[0]?.split(',')[0]], [51, 'merchantId']);
    assert.match((await over('find', 'L7', '--merchant', id)).stdout, /^payouts +id +\S+ +L7 /m);
    assert.match((await over('payout', 'show', id, 'L7')).stdout, /^Payout L7 of /);
    assert.match((await over('payout', 'show', id, 'none')).stderr, /^The merchant has no payout with this id/m);
    assert.deepEqual(await newestActors('payouts.list'), []);
    await over('payout', 'list', '--merchant', id, '--limit', '100');
    const bulk = (phase: string) => [phase, 'token', 'a script', false];
    assert.deepEqual(await newestActors('payouts.list'), [bulk('done'), bulk('begun')]);
  });

  it('the command line writes a statement to a file over HTTP', async () => {
    const { id } = await gateway.merchant({ funds: { EUR: '5.00' } });
    const file = join(folder, 'statement.csv');
    const period = ['--since', '2020-01-01', '--until', '2020-02-01', '--format', 'csv', '--output', file];
    const words = ['statement', 'export', id, 'EUR', ...period, '--url', gateway.manageUrl, '--token-file', tokenFile];
    const written = await run(words);
    assert.deepEqual([written.stderr, written.exitCode], ['', 0]);
    assert.match(await readFile(file, 'utf8'), /^opening,2020-01-01T00:00:00.000Z,,,,0.00,EUR/m);
    assert.deepEqual(
      (await newestActors('statements.show')).map(([phase]) => phase),
      ['done', 'begun'],
    );
    const refused = await run(words.map((word) => word.replace('2020-02', '2019-02')));
    assert.match(refused.stderr, /^until must be after from/);
  });

  it('a statement fetched with the page’s command verifies with its key, and an altered statement does not', async () => {
    const { id } = await gateway.merchant({ funds: {} });
    await closeEveryHour();
    const text = await readFile(tokenFile, 'utf8');
    const [command = ''] = codeBlocks(readPage('docs/merchant/statements.md')).map((block) => block.text);
    const own = command.replace('https://manage.example.com', gateway.manageUrl).replace('/M1/', `/${id}/`);
    await promisify(execFile)('sh', ['-c', own], { cwd: folder, env: { ...process.env, TOKEN: text.trim() } });
    const keys = await run(['statement', 'keys', id, '--json', '--url', gateway.manageUrl, '--token-file', tokenFile]);
    const [{ publicKey: key }] = JSON.parse(keys.stdout);
    const file = join(folder, 'statement.pdf');
    const verify = () =>
      run(commandOf('docs/merchant/statements.md', 'statement verify', { 'statement.pdf': file, PUBLIC_KEY: key }));
    const { stdout, stderr } = await verify();
    assert.match(stdout, /^✓/, stderr);
    await writeFile(file, (await readFile(file)).fill('0', 2_000, 2_001));
    assert.equal((await verify()).exitCode, 1);
  });

  it('gateway listen forwards the callbacks of a merchant to a receiver, signed again', async () => {
    const { id, key, pay } = await gateway.merchant();
    await pay(70, 'A1', { account: '4111111111111111', amount: '1.00', currency: 'TST' });
    const keyFile = join(folder, 'key');
    await writeFile(keyFile, `${key}\n`);
    const laptop = gateway.receiver.url('laptop');
    const words = commandOf('docs/merchant/conform.md', 'listen', {
      M1: id,
      'http://127.0.0.1:9000/callbacks': laptop,
      'api.key': keyFile,
      'https://manage.example': gateway.manageUrl,
      '~/.gateway-token': tokenFile,
    });
    const listen = (...more: string[]) => run([...words, '--replay', '5', '--count', '1', ...more]);
    assert.match((await listen()).stderr, /is active: its callbacks may be about real money/);
    assert.equal(gateway.receiver.about('laptop', 'A1').length, 0);
    const listened = await listen('--active');
    assert.equal(listened.exitCode, 0, listened.stderr);
    assert.match(listened.stderr, /✓ payout Success A1: 200 after/);
    const [arrival, ...more] = gateway.receiver.about('laptop', 'A1');
    assert.ok(arrival && more.length === 0);
    assertGenuine(arrival, key);
    const own = await until('the merchant’s own receiver gets the callback', () => gateway.receiver.about(id, 'A1')[0]);
    assert.deepEqual(arrival.fields, own.fields);

    const edited = ['--active', '--edit', 'amount=9.00', '--answers', join(folder, 'answers.json')];
    assert.doesNotMatch((await listen(...edited)).stderr, /before:/);
    gateway.receiver.answer('laptop', (response) => response.writeHead(500).end('cannot read 9.00'));
    assert.match((await listen(...edited)).stderr, /before: 200 "OK"\n {4}now: {4}500 "cannot read 9.00"/);
    gateway.receiver.answer('laptop', (response) => response.end('OK'));
    const [, altered] = gateway.receiver.about('laptop', 'A1');
    assert.ok(altered);
    assertGenuine(altered, key);
    assert.equal(altered.fields['amount'], '9.00');
    assert.notEqual(altered.headers['webhook-id'], arrival.headers['webhook-id']);

    const dead = await run([
      ...words.map((word) => (word === laptop ? 'http://127.0.0.1:9/' : word)),
      '--replay',
      '2',
      '--count',
      '1',
      '--active',
      '--json',
    ]);
    assert.match(dead.stderr, /^Forwarding callbacks of .*\n✗ .* no response .*ECONNREFUSED.*\n.*--replay 1/);
    assert.deepEqual([JSON.parse(dead.stdout), dead.exitCode], [{ delivered: 1, failed: 1 }, 1]);
  });

  it('gateway listen survives a restart of the management API, and forwards what it missed', async () => {
    const { id, pay } = await gateway.merchant();
    await writeFile(join(folder, 'key'), 'a-key-of-the-tests');
    let lists = 0;
    const api = createServer(async (request, response) => {
      if (request.url?.includes('/callbacks?') && ++lists === 2) {
        await pay(70, 'A1', { account: '4111111111111111', amount: '1.00', currency: 'TST' });
        return void request.socket.destroy();
      }
      const headers = { authorization: String(request.headers.authorization) };
      const answer = await fetch(gateway.manageUrl + request.url, { headers });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    });
    await once(api.listen(0, '127.0.0.1'), 'listening');
    const words = commandOf('docs/merchant/conform.md', 'listen', {
      M1: id,
      'http://127.0.0.1:9000/callbacks': gateway.receiver.url('laptop'),
      'api.key': join(folder, 'key'),
      'https://manage.example': `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
      '~/.gateway-token': tokenFile,
    });
    const listened = await run([...words, '--active', '--count', '1']).finally(() => api.close());
    assert.match(listened.stderr, /did not respond \(.*\n.*retries every second[\s\S]*✓ payout Success A1: 200/);
    assert.equal(listened.exitCode, 0);
  });

  it('gateway trigger sends each callback and event of the OpenAPI document, signed', async () => {
    const keyFile = join(folder, 'key');
    await writeFile(keyFile, 'a-key-of-the-tests');
    const names = Object.keys(webhooks).filter((name) => name.includes('.'));
    assert.deepEqual(TRIGGERS.slice(4).toSorted(), names.toSorted());
    await Promise.all(
      TRIGGERS.map(async (trigger, at) => {
        const kind = names.includes(trigger) ? 'event' : 'callback';
        const url = gateway.receiver.url('laptop', kind);
        const words = commandOf('docs/merchant/conform.md', 'trigger', {
          'deposit.charged_back': trigger,
          'http://127.0.0.1:9000/events': url,
          N17: `T${at}`,
          'api.key': keyFile,
        });
        const { stderr, exitCode } = await run(words);
        assert.deepEqual([stderr, exitCode], ['', 0]);
        const [arrival] = gateway.receiver.about('laptop', `T${at}`, kind);
        assert.ok(arrival, trigger);
        assertGenuine(arrival, 'a-key-of-the-tests');
        const { properties, required } = schemaOf(trigger);
        assert.deepEqual(
          required.filter((name) => !Object.hasOwn(arrival.fields, name)),
          [],
          trigger,
        );
        assert.deepEqual(
          Object.keys(arrival.fields).filter((name) => !Object.hasOwn(properties, name)),
          [],
          trigger,
        );
      }),
    );
  });

  it('gateway conform --record records a run, and merchant show shows it', async () => {
    const { id } = await gateway.merchant();
    const keyFile = join(folder, 'key');
    await writeFile(keyFile, 'a-key-of-the-tests');
    const at = (...words: string[]) => run([...words, '--url', gateway.manageUrl], { GATEWAY_TOKEN_FILE: tokenFile });
    assert.match((await at('merchant', 'show', id)).stdout, /no run was recorded/);
    const book = join(folder, 'orders.txt');
    await writeFile(book, '');
    const words = commandOf('docs/merchant/conform.md', 'conform --record', {
      'http://127.0.0.1:9000/callbacks': 'http://127.0.0.1:9/callback',
      'api.key': keyFile,
      'orders.txt': book,
      M1: id,
      'https://manage.example': gateway.manageUrl,
      '~/.gateway-token': tokenFile,
    });
    const { stdout, exitCode } = await run(words);
    assert.match(stdout, /Recorded a failed run for /);
    assert.equal(exitCode, 1);
    const shown = await at('merchant', 'show', id);
    assert.match(shown.stdout, /not passed: 0 of 1 checks, .*http:\/\/127\.0\.0\.1:9\/callback/);
    assert.match(shown.stdout, /✗ payout: It returned no usable response/);
    assert.deepEqual((await newestActors('merchants.recordConformance'))[0], ['done', 'token', 'a script', false]);
  });

  describe('the command line with a hostile receiver', () => {
    const orders = '\u001b]0;owned\u0007\u009b2J\u202e\r';
    let receiver: Server;
    let url: string;
    before(async () => {
      receiver = createServer((request, response) => {
        if (request.url === '/silent') return;
        response.writeHead(request.url === '/callback' ? 400 : 200);
        response.write(`${orders}✓ all is well`);
        // Sends an endless body.
        const flood = () => {
          while (!response.destroyed && response.write('x'.repeat(1 << 20)));
        };
        if (request.url !== '/endless') response.end();
        else response.on('drain', flood) && flood();
      });
      await once(receiver.listen(0, '127.0.0.1'), 'listening');
      url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
      await writeFile(join(folder, 'key'), 'a-key-of-the-tests');
    });
    after(() => {
      receiver.closeAllConnections();
      receiver.close();
    });

    it('the response of a receiver reaches the terminal without control characters, as JSON too', async () => {
      const words = ['trigger', 'payout.success', `${url}/callback`, 'T1', '--key-file', join(folder, 'key')];
      const { stdout, exitCode } = await run(words);
      assert.equal(exitCode, 1);
      assert.match(stdout, /^ {2} +\]0;owned +2J +✓ all is well$/m);
      const asJson = await run([...words, '--json']);
      assert.equal(JSON.parse(asJson.stdout).reply, `${orders}✓ all is well`);
      for (const text of [stdout, asJson.stdout]) assert.doesNotMatch(text, /(?!\n)[\p{Cc}\p{Cf}]/u);
    });

    for (const [path, patienceMs, reason] of [
      ['/endless', '15000', /^Cannot read the book .*: it is larger than 16777216 bytes\.$/m],
      ['/silent', '500', /^Cannot read the book .*: The operation was aborted due to timeout\.$/m],
    ] as const) {
      it(`conform ends with a reason if the book of the receiver is ${path.slice(1)}`, async () => {
        const words = commandOf('docs/merchant/conform.md', 'conform', {
          'http://127.0.0.1:9000/callbacks': `${url}/callback`,
          'orders.txt': url + path,
          'api.key': join(folder, 'key'),
        });
        const { stderr, exitCode } = await run([...words, '--patience-ms', patienceMs]);
        assert.match(stderr, reason);
        assert.equal(exitCode, 1);
      });
    }
  });
});
