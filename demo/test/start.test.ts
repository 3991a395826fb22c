/** `npm start` as a newcomer meets it: what it shows, what it prints to be pasted, and how it ends. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isAlive } from '../../gateway/src/storage/embedded/living-process.ts';
import { systemClock } from '../../rail-simulators/src/clock.ts';
import { startStp } from '../../rail-simulators/src/stp/stp-server.ts';
import { startWayForPay } from '../../rail-simulators/src/wayforpay/wayforpay-server.ts';
import { findFreePort } from '../src/demo-settings.ts';
import { payoutRequest } from '../src/payout-examples.ts';
import { PROVIDERS } from '../src/providers/providers.ts';
import {
  type DemoRun,
  databasePid,
  eventually,
  isAnswered,
  makeDataDirectory,
  ROOT,
  removeDataDirectory,
  runDemo,
} from './demo-run.ts';

const METHODS = [1, 8, 9, 11, 12, 16, 17, 22, 23, 24, 26, 34, 70, 92, 93];
const UP = /^Running\..*$/m;
const SOON_MS = 20_000;
/** Each of them takes a whole start. */
const SIGNALS = process.env['TEST_FULL'] ? (['SIGTERM', 'SIGKILL'] as const) : (['SIGKILL'] as const);
let dataDir = '';
const runs: DemoRun[] = [];

function start(...args: Parameters<typeof runDemo> extends [string, ...infer Rest] ? Rest : never): DemoRun {
  const run = runDemo(dataDir, ...args);
  runs.push(run);
  return run;
}

before(async () => {
  dataDir = await makeDataDirectory();
});
after(async () => {
  for (const run of runs) run.process.kill('SIGTERM');
  await Promise.all(runs.map((run) => run.ended));
  await removeDataDirectory(dataDir);
});

function shown(run: DemoRun, label: string): string {
  const [, text = ''] = new RegExp(`^  (?:✓ )?${label} +(.*)$`, 'm').exec(run.printed()) ?? [];
  assert.notEqual(text, '', `${label} is not shown`);
  return text;
}

function placeOf(run: DemoRun, label: string): string {
  return /http:\/\/[\d.:]+/.exec(shown(run, label))?.[0] ?? '';
}

interface Pasted {
  readonly title: string;
  readonly answer: Record<string, string> | Record<string, string>[];
}

/** Does what a shell and curl would do with a printed payout request, so that neither is needed. */
async function paste(title: string, command: string): Promise<Pasted> {
  const words = [...command.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
  const option = (name: string) => words[words.indexOf(name) + 1] ?? '';
  assert.deepEqual([words[0], words[1]], ['curl', '-s']);
  const url = words.find((word) => word.startsWith('http')) ?? '';
  const [header = '', value = ''] = option('-H').split(': ');
  const response = await fetch(url, { method: 'POST', headers: { [header]: value }, body: option('-d') });
  assert.equal(response.status, 200, title);
  return { title, answer: JSON.parse(await response.text()) };
}

function printedCurls(run: DemoRun): [title: string, command: string][] {
  return [...run.printed().matchAll(/^# (.*)\n(curl .*)$/gm)].map(([, title = '', command = '']) => [title, command]);
}

/** The lines that ask for a deposit and that pay it, which share the shell's variable CLABE. */
function depositLines(run: DemoRun): string {
  return [...run.printed().matchAll(/^# (?:deposit: |the payer ).*\n(.*)$/gm)].map(([, line]) => line).join('\n');
}

async function untilCalledBack(run: DemoRun, payoutId: string | undefined, status: string): Promise<void> {
  await run.until(new RegExp(`^[\\d:]{8} ← callback ${payoutId}: .* ${status} \\(.*signatures ✓$`, 'm'));
}

/** A payout like the example that the demo shows of this method, but for what `change` says of its account or amount. */
async function sendLike(
  run: DemoRun,
  method: number,
  payoutId: string,
  change: Record<string, string> = {},
): Promise<void> {
  const example = PROVIDERS.flatMap(({ payouts }) => payouts?.examples ?? []).find((one) => one.method === method);
  assert.ok(example, `an example of method ${method}`);
  const { amount = example.amount, ...fields } = change;
  const sender = { url: placeOf(run, 'Gateway'), merchantId: shown(run, 'merchant'), key: shown(run, 'key') };
  const changed = { ...example, amount, fields: { ...example.fields, ...fields } };
  const { url, body } = payoutRequest(sender, changed, payoutId);
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  assert.match(await answer.text(), /"status":"(?:Pending|Blocked)"/, payoutId);
}

async function assertGone(run: DemoRun): Promise<void> {
  for (const label of ['Gateway', 'STP', 'Inbox', 'metrics']) {
    assert.equal(await isAnswered(placeOf(run, label)), false, `the ${label} still answers`);
  }
  assert.equal(await databasePid(dataDir), undefined, 'PostgreSQL still runs');
}

describe('the first start', () => {
  let run: DemoRun;
  let curls: [string, string][] = [];

  before(async () => {
    run = start();
    await run.until(UP);
    curls = printedCurls(run).filter(([title]) => !/^(?:the payer|declined|later payouts)/.test(title));
  });

  it('shows each step of two payouts and a deposit', () => {
    const steps = [...run.printed().matchAll(/^ {2}([✓✗]) (\w+)/gm)].map(([, sign, label]) => `${sign} ${label}`);
    const setUp = ['✓ Database', '✓ Inbox', '✓ Merchant', '✓ STP', '✓ Providers', '✓ Gateway'];
    const sandbox = ['✓ Request', '✓ Reply', '✓ Ledger', '✓ Callback'];
    const card = ['✓ Request', '✓ Reply', '✓ Adyen', '✓ Ledger', '✓ Callback'];
    const deposit = ['✓ Request', '✓ Reply', '✓ To', '✓ Payer', '✓ Callback', '✓ Ledger'];
    assert.deepEqual(steps, [...setUp, ...sandbox, ...card, ...deposit]);
    assert.match(
      run.printed(),
      /available −25\.00, clearing:adyen-transfers \+25\.00\n.* all \d+ invariants of the books hold/,
    );
    assert.match(run.printed(), /Success \(0 Completed\) after \d+ ms; sign, X-Sign and webhook-signature hold/);
    assert.match(run.printed(), /250\.00 MXN to CLABE 646\d{15}, beneficiary \S/);
    assert.match(run.printed(), /success \d+ ms after the payment; co_sign, X-Sign and webhook-signature hold/);
    assert.match(
      run.printed(),
      /clearing:stp −250\.00, available \+250\.00\n.*and has 250\.00 MXN; all \d+ invariants/,
    );
  });

  it('draws the life of a payout and of a deposit in times that only grow', () => {
    const rows = run.printed().match(/^ {2}│.* ms .*$/gm) ?? [];
    assert.equal(rows.length, 2);
    for (const row of rows) {
      const times = [...row.matchAll(/(\d+) ms/g)].map(([, time]) => Number(time));
      assert.equal(times.length, 5);
      assert.deepEqual(
        times,
        times.toSorted((one, other) => one - other),
      );
    }
  });

  it('needs no more than 100 columns, but for paths and what is to be pasted, and no colour where there is no terminal', () => {
    const lines = run.printed().split('\n');
    assert.deepEqual(
      lines.filter((line) => line.length > 100 && !/^(?:curl |reply=)|\/\S{24,}/.test(line)),
      [],
    );
    assert.equal(run.printed().includes('\u001b'), false);
  });

  it('keeps the merchant’s keys for the next start, for the owner’s eyes alone', async () => {
    const file = join(dataDir, 'demo-merchant.json');
    const { merchant_id: id, key, form_key: formKey } = JSON.parse(await readFile(file, 'utf8'));
    assert.deepEqual(
      [id, key, formKey],
      ['merchant', 'key', 'form key'].map((label) => shown(run, label)),
    );
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  it('prints a request of every kind, each of which is accepted as it is', async () => {
    const pasted = await Promise.all(curls.map(([title, command]) => paste(title, command)));
    const kinds = pasted.map(({ title }) => title.replace(/^payout: .*? \((\d+)\): .*/, '$1'));
    const payouts = METHODS.map(String);
    assert.deepEqual(
      kinds.toSorted(),
      [...payouts, 'balance', 'list of deposits', 'list of payouts', 'status of a payout'].toSorted(),
    );
    for (const { title, answer } of pasted) {
      if (title.startsWith('list')) assert.ok(Array.isArray(answer) && answer.length > 0, title);
      else if (title.startsWith('payout'))
        assert.match((answer as Record<string, string>)['status'] ?? '', /^(?:Success|Pending)$/, title);
      else assert.equal((answer as Record<string, string>)['status'], 'Success', title);
    }
  });

  it('then prints a line per request and per callback, whose signatures it has verified', async () => {
    const payouts = curls.filter(([title]) => title.startsWith('payout'));
    for (const [title, command] of payouts) {
      const id = /"payout_id":"([^"]+)"/.exec(command)?.[1];
      assert.match(title, /: .*paid|: the same/);
      await untilCalledBack(run, id, 'Success');
    }
    assert.match(run.printed(), /^[\d:]{8} → POST \/payment\/balance 200 in \d+ ms$/m);
  });

  it('says which amounts and accounts are declined', async () => {
    const declined: [method: number, title: RegExp, change: Record<string, string>][] = [
      [11, /any other card is declined/, { account: '5555555555554444' }],
      [12, /5325349472901311 is declined/, { account: '5325349472901311' }],
      [24, /77061234567 is declined/, { account: '77061234567' }],
      [92, /cents \.01 to \.19 are declined/, { amount: '92.05' }],
    ];
    for (const [method, title, change] of declined) {
      assert.match(curls.find(([one]) => one.includes(`(${method})`))?.[0] ?? '', title);
      await sendLike(run, method, `declined-${method}`, change);
    }
    for (const [method] of declined) await untilCalledBack(run, `declined-${method}`, 'Blocked');
  });

  it('prints a payout by each provider that is declined for its cents', async () => {
    const declined = printedCurls(run).filter(([title]) => title.startsWith('declined payout'));
    assert.equal(declined.length, PROVIDERS.filter(({ payouts }) => payouts?.cents).length);
    for (const [title, command] of declined) await paste(title, command);
    for (const [, command] of declined)
      await untilCalledBack(run, /"payout_id":"([^"]+)"/.exec(command)?.[1], 'Blocked');
  });

  const shell = { skip: spawnSync('curl', ['--version']).status === 0 ? false : 'there is no curl on this machine' };

  it('prints a deposit and its payment, which a shell takes as they are', shell, async () => {
    const answered = execFileSync('sh', ['-c', depositLines(run)], { encoding: 'utf8' });
    const [, order = '', clabe = ''] = /"order":"(.*?)".*"clabe":"(.*?)"/.exec(answered) ?? [];
    assert.match(answered, new RegExp(`"transfers":\\[\\{.*"monto":"250\\.00","cuentaBeneficiario":"${clabe}"`));
    await run.until(new RegExp(`^[\\d:]{8} · transfer to ${clabe}: 250\\.00 MXN credited$`, 'm'));
    await run.until(new RegExp(`^[\\d:]{8} ← callback ${order}: 250\\.00 MXN success, signatures ✓$`, 'm'));
  });

  it('says what becomes of money that does not fit', shell, async () => {
    const clabe = /to CLABE (\d{18})/.exec(run.printed())?.[1];
    execFileSync('sh', ['-c', `CLABE=${clabe}; ${depositLines(run).split('\n')[1]}`]);
    await run.until(new RegExp(`· transfer to ${clabe}: 250\\.00 MXN held, twice$`, 'm'));
  });

  it('says so when a request is refused', async () => {
    const [, command = ''] = curls[0] ?? [];
    await paste('forged', command.replace('"amount":"10.00"', '"amount":"99.00"'));
    await run.until(/✗ refused: sign error/i);
  });

  it('has an inbox that shows what came, and refuses what does not verify', async () => {
    const inbox = placeOf(run, 'inbox');
    assert.match(await (await fetch(inbox)).text(), /✓ verified\n {2}webhook-id: /);
    const forged = await fetch(`${inbox}/callbacks`, {
      method: 'POST',
      body: new URLSearchParams({ payout_id: 'x', sign: 'y' }),
    });
    assert.equal(forged.status, 403);
    assert.match(await forged.text(), /sign, X-Sign, webhook-signature/);
  });

  it('keeps the JSON log away from the screen', async () => {
    const log = await readFile(join(dataDir, 'gateway.log'), 'utf8');
    assert.match(log, /^\{"level":"info".*"event":"request_answered"/m);
    assert.doesNotMatch(run.printed(), /^\{"level"/m);
    for (const label of ['key', 'form key']) assert.equal(log.includes(shown(run, label)), false, label);
  });

  it('says in one sentence that its ports are in use, and touches nothing', async () => {
    const port = new URL(placeOf(run, 'Gateway')).port;
    const second = start({ PORT: port });
    assert.equal(await second.ended, 1);
    assert.match(
      second.printed(),
      new RegExp(`✗ Port ${port} \\(PORT\\) in use: .*PORT=${Number(port) + 1} npm start`, 's'),
    );
    assert.doesNotMatch(second.printed(), /✓/);
  });

  it('ends at once on SIGTERM, in order, and leaves no process behind', async () => {
    const told = performance.now();
    run.process.kill('SIGTERM');
    assert.equal(await run.ended, 0);
    assert.ok(performance.now() - told < SOON_MS);
    assert.match(run.printed(), /\nStopped: .*\n$/);
    await assertGone(run);
  });
});

describe('a later start', () => {
  let killed: DemoRun;

  it('goes on with the same merchant and database, by new payouts', async () => {
    const [first] = runs;
    assert.ok(first);
    killed = start();
    await killed.until(UP);
    assert.equal(shown(killed, 'merchant'), shown(first, 'merchant'));
    for (const label of ['key', 'form key']) assert.equal(shown(killed, label), shown(first, label));
    assert.notEqual(shown(killed, 'Request'), shown(first, 'Request'));
    assert.doesNotMatch(killed.printed(), /Making a database/);
  });

  it('finds the PostgreSQL of a demo that was killed, whose simulators ended by themselves', async () => {
    const pid = await databasePid(dataDir);
    killed.process.kill('SIGKILL');
    await killed.ended;
    await eventually(
      async () => !(await isAnswered(placeOf(killed, 'STP'))),
      () => 'a simulator of the killed demo still answers',
    );
    const run = start();
    await run.until(UP);
    assert.equal(await databasePid(dataDir), pid);
    run.process.kill('SIGINT');
    assert.equal(await run.ended, 0);
    await assertGone(run);
  });

  it('uses a provider’s simulator that listens already, and leaves it there', async (t) => {
    const wayforpay = await startWayForPay({
      ...{ host: '127.0.0.1', port: 0, secret: 's', merchantAccount: 'gateway', secretKey: 'wayforpay-secret-key' },
      control: true,
      clock: systemClock,
      log: () => {},
    });
    t.after(() => wayforpay.close());
    const variables = { WAYFORPAY_PORT: new URL(wayforpay.url).port };
    const stranger = start({ ...variables, WAYFORPAY_CONTROL_SECRET: 'another' });
    assert.equal(await stranger.ended, 1);
    assert.match(stranger.printed(), /✗ The WayForPay simulator on \S+ has another secret/);
    const run = start({ ...variables, WAYFORPAY_CONTROL_SECRET: 's' });
    await run.until(UP);
    assert.match(run.printed(), /simulators too\s+\(WayForPay: running already\)$/m);
    run.process.kill('SIGTERM');
    assert.equal(await run.ended, 0);
    assert.equal(await isAnswered(wayforpay.url), true);
  });

  it('uses an STP simulator that listens already, and leaves it there', async (t) => {
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}/rail-notifications/stp`;
    const stp = await startStp({
      ...{ host: '127.0.0.1', port: 0, secret: 's', empresa: 'GATEWAY', clabePrefix: '6461804990' },
      findPublicKey: () => undefined,
      notify: { abonoUrl: url, stateUrl: url },
      control: true,
      clock: systemClock,
      log: () => {},
    });
    t.after(() => stp.close());
    const variables = { STP_URL: stp.url, PORT: String(port) };
    const stranger = start({ ...variables, STP_CONTROL_SECRET: 'another' });
    assert.equal(await stranger.ended, 1);
    assert.match(stranger.printed(), /✗ The STP simulator on \S+ has another secret/);
    const run = start({ ...variables, STP_CONTROL_SECRET: 's' });
    await run.until(UP);
    assert.match(shown(run, 'STP'), /which was running already/);
    run.process.kill('SIGTERM');
    assert.equal(await run.ended, 0);
    assert.equal(await isAnswered(stp.url), true);
  });

  it('ends when npm is told to, or is killed', async () => {
    for (const signal of SIGNALS) {
      const run = start({}, ['npm', 'start']);
      await run.until(UP);
      run.process.kill(signal);
      await run.until(/^Stopped: /m);
      await run.ended;
      await assertGone(run);
    }
  });

  it('ends when what started it is killed together with npm', async () => {
    const run = start({}, [process.execPath, join(ROOT, 'bootstrap.mjs'), 'demo/src/start.ts']);
    await run.until(UP);
    run.process.kill('SIGKILL');
    await run.until(/^Stopped: /m);
    await run.ended;
    await assertGone(run);
  });

  it('prints the folder of its data, and stops with one sentence when the folder is deleted', async () => {
    const run = start();
    await run.until(UP);
    const shownPlace = /data in (\S+)/.exec(shown(run, 'Database'))?.[1] ?? '';
    const isRoot = process.getuid?.() === 0;
    assert.match(shownPlace, isRoot ? /^\/var\/lib\/payment-gateway\/[0-9a-f]{12}-\w{6}$/ : /^[^\s]*demo-/);
    const pid = await databasePid(dataDir);
    assert.ok(pid);
    await rm(dataDir, { recursive: true });
    await run.until(/The\s+data\s+directory\s+\S+\s+was\s+deleted/);
    assert.equal(await run.ended, 1);
    await eventually(
      async () => !(await isAlive(pid)),
      () => 'its PostgreSQL still runs',
    );
    await assertGone(run);
  });
});
