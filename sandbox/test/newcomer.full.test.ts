/**
 * A merchant's first quarter of an hour: the commands and programs of sandbox.md and of each SDK's README as they stand, from an
 * empty folder to a payout, a CLABE, a paid form, and their verified callbacks. Only paths, keys and ports are replaced. Then
 * each event of sandbox.md happens in the same world.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { removeDataDirectory } from '../../demo/test/demo-run.ts';
import { codeBlocks, ROOT, readPage } from '../../gateway/generators/pages.ts';
import { HOUR_MS } from '../../gateway/src/foundation/clock.ts';
import { createFormPayer } from '../../gateway/test/support/form/form-payer.ts';
import { freePort } from '../../gateway/test/support/gateway/running-gateway.ts';
import { createTestMerchant, signedForm } from '../../gateway/test/support/merchants/test-merchant.ts';
import { xSignHeaders } from '../../gateway/test/support/payouts/payout-request.ts';
import { startCallbackReceiver } from '../../gateway/test/support/servers/callback-receiver.ts';
import { until } from '../../gateway/test/support/tools/until.ts';

interface Language {
  readonly name: string;
  readonly needs: string;
  /** The steps that the page has in its sentences, in the merchant's folder. */
  readonly pack: string;
  /** What the install command says instead of its paths. */
  readonly paths: readonly [shown: string, own: string];
  /** The first command of each terminal. */
  readonly enter?: string;
  readonly pay: string;
  readonly receive: string;
}

const SDK = join(ROOT, 'sdk');
const LANGUAGES: readonly Language[] = [
  {
    name: 'typescript',
    needs: 'npm --version',
    pay: 'pay.mjs',
    receive: 'receive.mjs',
    pack: `npm init -y && npm pack ${join(SDK, 'typescript')}`,
    paths: ['path/to/', './'],
  },
  {
    name: 'python',
    needs: 'python3 -m venv --help',
    pay: 'pay.py',
    receive: 'receive.py',
    pack: `pip wheel --quiet ${join(SDK, 'python')}`,
    paths: ['path/to/', './'],
    enter: '. .venv/bin/activate',
  },
  {
    name: 'php',
    needs: 'composer --version',
    pay: 'pay.php',
    receive: 'receive.php',
    pack: 'composer init --no-interaction --name shop/shop && composer config repositories.packagist.org false',
    paths: ['path/to/sdk/php', join(SDK, 'php')],
  },
];

let folder: string;
let sandbox: ChildProcess;
let printed = '';
let port: number;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'newcomer-'));
  port = await freePort();
  const env = { ...process.env, SANDBOX_DATA_DIR: join(folder, 'data'), SANDBOX_PORT: String(port) };
  sandbox = open(`exec ${blockOf('docs/merchant/sandbox.md', /npm run sandbox/)}`, ROOT, env, (text) => {
    printed += text;
  });
  await until('the sandbox serves', () => /The sandbox serves/.test(printed), 120_000);
});
after(async () => {
  await close(sandbox);
  await removeDataDirectory(join(folder, 'data'));
  await rm(folder, { recursive: true, force: true });
});

/** Another terminal, with a program that keeps running. */
function open(command: string, cwd: string, env: NodeJS.ProcessEnv, read: (text: string) => void): ChildProcess {
  const program = spawn('sh', ['-c', command], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [program.stdout, program.stderr]) stream.setEncoding('utf8').on('data', read);
  return program;
}

/** Ends a terminal and its programs. */
async function close(program: ChildProcess): Promise<void> {
  if (program.pid === undefined || program.exitCode !== null) return;
  const closed = once(program, 'close');
  process.kill(-program.pid, 'SIGTERM');
  await closed;
}

function blockOf(page: string, mark: RegExp): string {
  const found = codeBlocks(readPage(page)).find(({ text }) => mark.test(text));
  return found?.text ?? assert.fail(`${page} has no block with ${mark}`);
}

/** The command in a sentence of the page. */
function spanOf(page: string, mark: RegExp): string {
  const spans = [...readPage(page).text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return spans.find((span) => mark.test(span)) ?? assert.fail(`${page} has no command with ${mark}`);
}

const keyOf = (name: string) => new RegExp(`^export ${name}=(\\S+)`, 'm').exec(printed)?.[1] ?? '';

/** The page's variables, as the sandbox printed them. */
function variables(page: string): string {
  return blockOf(page, /^export /)
    .replace('8095', String(port))
    .replace('API_KEY=…', `API_KEY=${keyOf('API_KEY')}`)
    .replace('FORM_KEY=…', `FORM_KEY=${keyOf('FORM_KEY')}`);
}

async function shell(page: string, text: string, cwd: string): Promise<string> {
  return (await promisify(execFile)('sh', ['-c', `set -e\n${variables(page)}\n${text}`], { cwd })).stdout;
}

async function payByCard(link: string): Promise<void> {
  const { origin, pathname, search } = new URL(link);
  const payer = createFormPayer(origin, {});
  const form = await payer.open(pathname + search);
  assert.match(form.text, /No real money moves/);
  const page = await payer.press(form, 'choose', { payment_type: 'card' });
  const typed = { card_number: '4111 1111 1111 1111', card_expiry: '03/38', card_cvv: '737', card_holder: 'Ana Ruiz' };
  await payer.press(page, 'pay', { ...typed, email: 'ana@example.com' });
}

describe('a newcomer', () => {
  for (const { name, needs, pack, paths, enter = ':', pay, receive } of LANGUAGES) {
    const skip = spawnSync('sh', ['-c', needs]).status !== 0 && `${needs} fails`;
    it(`a newcomer gets from an empty folder to verified callbacks in ${name}`, { skip }, async () => {
      const page = `sdk/${name}/README.md`;
      const own = await mkdtemp(join(folder, 'shop-'));
      await shell(page, `${pack}\n${blockOf(page, /install |require /).replaceAll(...paths)}`, own);
      await writeFile(join(own, pay), `${blockOf(page, /send_?payout\(/i)}\n${blockOf(page, /create_?deposit\(/i)}`);
      const paid = await shell(page, `${enter}\n${spanOf(page, new RegExp(`^\\S+ ${pay}$`))}`, own);
      assert.match(paid, /Success/);
      const [clabe = ''] = /\b646180\d{12}\b/.exec(paid) ?? [];
      const [link = ''] = /http\S+payment\/form\S+/.exec(paid) ?? [];

      const shown = String(await freePort());
      const here = (text: string) =>
        text
          .replaceAll(':9000', `:${shown}`)
          .replace('listen(9000', `listen(${shown}`)
          .replace(', 9000)', `, ${shown})`);
      await writeFile(join(own, receive), here(blockOf(page, /9000|php:\/\/input/)));
      const serve = here(spanOf(page, new RegExp(`^\\S+ .*${receive}$|^\\S+ ${receive}$`)));
      let received = '';
      const receiver = open(`${variables(page)}\n${enter}\nexec ${serve}`, own, process.env, (text) => {
        received += text;
      });
      const key = join(own, 'sandbox.key');
      const at = (text: string) => text.replaceAll('--key-file', `--at http://127.0.0.1:${port} --key-file`);
      try {
        const commands = here(blockOf(page, /sandbox addresses/)).replace('646180499000000005', clabe);
        await shell(page, at(commands).replaceAll('sandbox.key', key), ROOT);
        await payByCard(link);
        await until('the deposit’s callback', () => /deposit[\s\S]*success[\s\S]*N17/.test(received), 60_000);
        await until('the form’s callback', () => /N18/.test(received), 60_000);
      } finally {
        await close(receiver);
        // The next language uses the same orders.
        await shell(page, at(`npx gateway sandbox reset M1 --key-file ${key}`), ROOT);
      }
    });
  }

  it('every documented event can be produced in a sandbox world by the documented actions', async () => {
    const key = keyOf('API_KEY');
    const url = `http://127.0.0.1:${port}/M1`;
    const merchant = createTestMerchant(() => url, 'M1', key, keyOf('FORM_KEY'));
    const receiver = await startCallbackReceiver();
    const order = async (name: string, fields: object = {}) => {
      const body = JSON.stringify({ sandbox_order: name, ...fields });
      const answer = await fetch(`${url}/sandbox`, { method: 'POST', body, headers: xSignHeaders('M1', key, body) });
      const said = (await answer.json()) as Readonly<Record<string, unknown>>;
      assert.equal(answer.status, 200, JSON.stringify(said));
      return said;
    };
    const advance = async (hours: number) =>
      assert.deepEqual((await order('advance', { ms: hours * HOUR_MS }))['broken'], []);
    const bank = (name: string, path: string, body?: object) =>
      order('bank', { bank: name, path, ...(body && { body }) });
    const deposit = (id: string) => merchant.deposit(id, { user_id: 'u1', first_name: 'Ana', last_name: 'Ruiz' });
    const transfer = async (clabe: string) => {
      await bank('stp', 'pay', { clabe, amount: '100.00' });
      await advance(1);
    };
    const known = new Set<string>();
    /** The reference of the new payment in the bank's book. */
    const payForm = async (id: string, change: (link: URL) => void = () => {}) => {
      const given = {
        merchant: 'M1',
        order: id,
        amount: '25.00',
        currency: 'EUR',
        item_name: 'Tea',
        country: 'DE',
        lang: 'en',
      };
      const link = new URL(url + signedForm(given, merchant.formKey));
      change(link);
      await payByCard(link.href);
      await advance(1);
      const { entries } = (await bank('adyen', 'book'))['answer'] as { entries: readonly { reference?: string }[] };
      const reference = entries.map((entry) => entry.reference ?? '').find((each) => each !== '' && !known.has(each));
      assert.ok(reference);
      known.add(reference);
      return { reference };
    };
    const act = async (path: string, body: object) => {
      await bank('adyen', path, body);
      await advance(1);
    };
    const acts: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
      'payout.reversed': (id) => merchant.pay(1, id, { amount: '10.60' }),
      'payout.late_execution': (id) => merchant.pay(1, id, { amount: '10.61' }),
      'deposit.late': async (id) => {
        const { clabe } = await deposit(id);
        await advance(100);
        await transfer(clabe);
      },
      'deposit.twice': async (id) => {
        const { clabe } = await deposit(id);
        await transfer(clabe);
        await transfer(clabe);
      },
      'deposit.refunded': async (id) => act('refund', await payForm(id)),
      'deposit.refund_undone': async (id) => {
        const paid = await payForm(id);
        await bank('adyen', 'faults', { refunds: 'fail_later' });
        await act('refund', paid);
      },
      'deposit.charged_back': async (id) => act('charge-back', await payForm(id)),
      'deposit.chargeback_undone': async (id) => {
        const paid = await payForm(id);
        await act('charge-back', paid);
        await act('reverse-chargeback', paid);
      },
      'deposit.debited': async (id) => act('fail-capture', await payForm(id)),
      'deposit.displaced': async (id) => {
        await payForm(id, (link) => link.searchParams.delete('sign'));
        await deposit(id);
      },
    };
    const rows = [...readPage('docs/merchant/sandbox.md').text.matchAll(/^\| (`(?:payout|deposit)\.\w+`.*?) \|/gm)];
    const shown = rows.flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
    assert.deepEqual(shown.toSorted(), Object.keys(acts).toSorted());
    try {
      const addresses = { processUrl: receiver.url('M1'), eventUrl: receiver.url('M1', 'event') };
      await order('addresses', { ...addresses, settings: { mismatch_policy: 'credit' } });
      for (const [name, happen] of Object.entries(acts)) await happen(name.replace('.', '-'));
      await advance(2);
      for (const name of shown) {
        const arrivals = () =>
          receiver.about('M1', name.replace('.', '-'), 'event').map(({ fields }) => fields['type']);
        await until(name, () => arrivals().includes(name), 20_000);
      }
    } finally {
      await receiver.close();
    }
  });
});
