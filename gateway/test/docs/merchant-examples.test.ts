/**
 * Runs the examples of the merchant pages against a complete gateway. Only addresses, ids, keys and orders are replaced. Each
 * program in host-to-host.md creates a deposit, and the payer pays it with the page's own command. If a language is not
 * installed, its program is reported as skipped.
 */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { SCOPE_NAMES } from '../../contract/permissions.ts';
import { codeBlocks, commandOf, jsonOf, onlyBlock, readPage } from '../../generators/pages.ts';
import { type SpeiStage, startSpeiStage } from '../support/deposits/spei-stage.ts';
import { runCommand } from '../support/gateway/run-command.ts';
import type { TestMerchant } from '../support/merchants/test-merchant.ts';
import { fullySigned } from '../support/payouts/payout-request.ts';
import { CONTROL_SECRET } from '../support/rails/simulator-control.ts';
import { until } from '../support/tools/until.ts';

interface Example {
  readonly language: string;
  readonly file: string;
  readonly program: string;
  readonly args?: readonly string[];
  readonly probe: readonly string[];
}

const SHELL: Example = {
  language: 'sh',
  file: 'deposit.sh',
  program: 'sh',
  probe: ['-c', 'curl --version && openssl version'],
};

/** Filling an empty Go cache takes a minute of CPU time, so only test:full does it. */
const COMPILED: readonly Example[] = [
  { language: 'go', file: 'deposit.go', program: 'go', args: ['run'], probe: ['version'] },
  {
    language: 'java',
    file: 'Deposit.java',
    program: 'java',
    args: ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto'],
    probe: ['--version'],
  },
];

const EXAMPLES: readonly Example[] = [
  SHELL,
  { language: 'js', file: 'deposit.mjs', program: process.execPath, probe: ['--version'] },
  { language: 'python', file: 'deposit.py', program: 'python3', probe: ['--version'] },
  { language: 'php', file: 'deposit.php', program: 'php', probe: ['--version'] },
  ...(process.env['TEST_FULL'] ? COMPILED : []),
];

type Fields = Readonly<Record<string, unknown>>;

const page = readPage('docs/merchant/host-to-host.md');
const run = promisify(execFile);
let stage: SpeiStage;
let merchant: TestMerchant;
let folder: string;

/** Returns the first block in that language. `''` selects the payer's command by its URL. */
function blockOf(language: string, mark = ''): string {
  const block = codeBlocks(page).find((one) => one.language === language && one.text.includes(mark));
  assert.ok(block, `the page has a block in ${language || 'no language'} with ${mark}`);
  return block.text;
}

/** Replaces each placeholder with a reader's value. Every placeholder must occur. */
function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((filled, [shown, own]) => {
    assert.ok(filled.includes(shown), `${shown} is in the program`);
    return filled.replaceAll(shown, own);
  }, text);
}

async function runExample(
  { language, file, program, args = [] }: Example,
  order: string,
  url = stage.gateway.url,
): Promise<string> {
  const own = { 'http://127.0.0.1:8080': url, SecRetKey0123: merchant.key, N17: order };
  const quoted = /(["'=])M1\b/g;
  const text = blockOf(language);
  assert.match(text, quoted);
  writeFileSync(join(folder, file), fillIn(text, own).replace(quoted, `$1${merchant.id}`));
  const { stdout } = await run(program, [...args, file], { cwd: folder, timeout: 60_000 });
  return stdout;
}

/** Starts an intermediary between merchant and gateway that forwards everything and applies `alter` to the responses. */
async function startBetween(alter: (text: string) => string) {
  const server = createServer(async (request, response) => {
    const headers = Object.entries(request.headers).filter(([name]) => /^x-|^content-type$/.test(name));
    const answer = await fetch(`${stage.gateway.url}${request.url}`, {
      method: 'POST',
      headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
      body: await buffer(request),
    });
    response.setHeader('x-sign', answer.headers.get('x-sign') ?? '');
    response.end(alter(await answer.text()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}

function whyNot({ program, probe }: Example): string | false {
  return spawnSync(program, probe, { stdio: 'ignore' }).status === 0
    ? false
    : `${program} cannot run it on this machine`;
}

describe('the examples of the merchants’ pages', () => {
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'deposit-examples-'));
    stage = await startSpeiStage();
    merchant = await stage.gateway.merchant({ formKey: 'FormKey0123' });
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await stage.verifyAndStop();
  });

  for (const example of EXAMPLES) {
    test(`the host-to-host program in ${example.language} creates a deposit`, { skip: whyNot(example) }, async () => {
      const order = `N17-${example.language}`;
      const reply = JSON.parse(await runExample(example, order)) as Record<string, string>;
      assert.deepEqual([reply['status'], reply['description'], reply['order']], ['success', 'Created', order]);
      assert.match(reply['clabe'] ?? '', /^\d{18}$/);
    });
  }

  for (const example of EXAMPLES) {
    test(`the host-to-host program in ${example.language} rejects an account number that the gateway did not sign`, {
      skip: whyNot(example),
    }, async () => {
      const between = await startBetween((text) => text.replace(/"clabe":"\d{18}"/, '"clabe":"646180110400000007"'));
      try {
        const refused = runExample(example, `N17-between-${example.language}`, between.url);
        await assert.rejects(refused, /not signed by the gateway: .*646180110400000007/s);
      } finally {
        await between.stop();
      }
    });
  }

  test('the commands of the host-to-host page pay a deposit, and resolve and return its duplicates', {
    skip: whyNot(SHELL),
  }, async () => {
    const order = 'N17-paid';
    const { clabe = '' } = JSON.parse(await runExample(SHELL, order)) as Record<string, string>;
    const own = { 'http://127.0.0.1:4020': stage.stp.url, 'stp-control-secret': CONTROL_SECRET };
    const command = fillIn(blockOf('', '/control/pay'), { ...own, '646180499000000005': clabe });
    await run('sh', ['-c', command]);
    await until('the deposit has succeeded', async () => (await stage.state(merchant, order)) === 'success');
    for (let duplicate = 0; duplicate < 2; duplicate++) await run('sh', ['-c', command]);
    await stage.transfersTo(clabe, 3);
    const tokenFile = join(folder, 'token');
    const issued = await stage.gateway.operations.tokens.issue({
      name: 'the operator',
      merchantId: null,
      scopes: SCOPE_NAMES,
      days: 1,
    });
    assert.ok(issued.ok);
    writeFileSync(tokenFile, issued.value.secret.reveal(), { mode: 0o600 });
    const operate = async (words: string, shown: Readonly<Record<string, string>> = {}) => {
      const at = ['--url', stage.gateway.manageUrl, '--token-file', tokenFile];
      const { stdout, stderr } = await runCommand([...commandOf('docs/merchant/host-to-host.md', words, shown), ...at]);
      assert.equal(stderr, '');
      return stdout;
    };
    const [first = '', second = ''] = (await operate('deposit held')).match(/\bstp\/\S+/g) ?? [];
    assert.match(await operate('deposit show', { M1: merchant.id, N17: order }), /held/);
    await operate('deposit resolve', { TRANSFER: first });
    await operate('deposit return', { TRANSFER: second });
    assert.doesNotMatch(await operate('deposit held'), /\bstp\//);
  });

  test('the two examples of a response on the host-to-host page are equal', () => {
    const [, answer = ''] = blockOf('', 'HTTP/1.1 200 OK').split('\n\n');
    assert.deepEqual(JSON.parse(answer), jsonOf(page)[0]);
  });

  test('the requests on the pages about payouts and queries get the responses shown there', async () => {
    const { id, key } = merchant;
    const unsigned = ({ sign: _sign, ...fields }: Fields) => fields;
    const [payout = {}, reply = {}] = jsonOf(readPage('docs/merchant/payouts.md'));
    const paid = await merchant.ask(
      '/merchant/api/payout_send',
      fullySigned({ ...unsigned(payout), merchant: id }, key),
    );
    assert.deepEqual(Object.entries(unsigned(paid)), Object.entries(unsigned(reply)));

    const queries = readPage('docs/merchant/status-balance-list.md');
    const [status = {}, query = {}, listQuery = {}] = codeBlocks(queries)
      .filter(({ language }) => language === 'sh')
      .map(({ text }): Fields => JSON.parse(/-d '(.*)'/.exec(text)?.[1] ?? ''));
    const [shownStatus = {}, balance = {}, list] = jsonOf(queries);
    for (const shown of [status, query, listQuery, shownStatus])
      assert.deepEqual(fullySigned(unsigned(shown), 'SecRetKey0123'), shown);
    const ask = (path: string, fields: Fields) =>
      merchant.ask(path, fullySigned({ ...unsigned(fields), merchant: id }, key));
    assert.deepEqual(unsigned(await ask('/merchant/api/payout_status', status)), unsigned(shownStatus));
    const answer = await ask('/payment/balance', query);
    assert.deepEqual(Object.keys(answer), Object.keys(unsigned(balance)));
    const [entry, ...others] = (await merchant.list('TST')).map((each) => ({ ...each }));
    assert.ok(entry && others.length === 0);
    const { id: shownId, created_at, finished_at } = (list as unknown as readonly Record<string, string>[])[0] ?? {};
    assert.match(`${entry['created_at']}${entry['finished_at']}`, /^(?:\d{4}-\d\d-\d\d \d\d:\d\d:\d\d){2}$/);
    assert.equal(typeof entry['id'], 'number');
    assert.deepEqual([{ ...entry, id: shownId, created_at, finished_at }], list);
  });

  test('the form page’s own program signs a link that the form accepts', { skip: whyNot(SHELL) }, async () => {
    const program = onlyBlock(readPage('docs/merchant/hosted-form.md'), 'sh');
    const shown = await run('sh', ['-c', program]);
    assert.match(decodeURIComponent(shown.stdout), /&sign=ydb8OkH54TE63IX\/uWOsiw==$/m);
    const own = {
      'http://127.0.0.1:8080': stage.gateway.url,
      SecRetKey0123: merchant.formKey,
      '=M1': `=${merchant.id}`,
    };
    const { stdout } = await run('sh', ['-c', fillIn(program, own)]);
    const headers = { 'accept-language': 'en' };
    const problemOf = async (link: string) =>
      /Problem<\/dt><dd>(.*?)<\/dd>/.exec(await (await fetch(link, { headers })).text())?.[1];
    // This gateway has no payment type in EUR, and reports that only after it has verified the signature.
    assert.equal(await problemOf(stdout.trim()), 'its value is not supported for this payment');
    assert.notEqual(await problemOf(stdout.trim().replace('12.50', '0.01')), await problemOf(stdout.trim()));
  });
});
