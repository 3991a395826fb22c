/** `npm start` for a reader: its output, the commands that it prints for pasting, and its shutdown. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isAlive } from '../../gateway/src/storage/embedded/living-process.ts';
import { systemClock } from '../../rail-simulators/src/clock.ts';
import { startStp } from '../../rail-simulators/src/stp/server.ts';
import { startWayForPay } from '../../rail-simulators/src/wayforpay/server.ts';
import { findFreePort } from '../src/free-port.ts';
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
import { describeShop } from './shop-tests.ts';

const METHODS = [1, 8, 9, 11, 12, 16, 17, 22, 23, 24, 26, 34, 70, 92, 93];
const UP = /^Running\..*$/m;
const SOON_MS = 60_000;
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
  assert.notEqual(text, '', `the screen shows no ${label}`);
  return text;
}

function placeOf(run: DemoRun, label: string): string {
  return /http:\/\/[\d.:]+/.exec(shown(run, label))?.[0] ?? '';
}

interface Pasted {
  readonly title: string;
  readonly answer: Record<string, string> | Record<string, string>[];
}

/** Sends a printed payout request as a shell and curl would, so that the test needs neither. */
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

/** Returns the lines that request a deposit and pay it, which share the shell variable CLABE. */
function depositLines(run: DemoRun): string {
  return [...run.printed().matchAll(/^# (?:deposit: |the payer ).*\n(.*)$/gm)].map(([, line]) => line).join('\n');
}

async function untilCalledBack(run: DemoRun, payoutId: string | undefined, status: string): Promise<void> {
  await run.until(new RegExp(`^[\\d:]{8} ← callback ${payoutId}: .* ${status} \\(.*signatures ✓$`, 'm'));
}

/** Sends a payout like the demo's example of this method, with the account or amount in `change`. */
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

describe('the first start of the demo', () => {
  let run: DemoRun;
  let curls: [string, string][] = [];

  before(async () => {
    run = start();
    await run.until(UP);
    curls = printedCurls(run).filter(([title]) => !/^(?:the payer|declined|later payouts)/.test(title));
  });

  it('the demo shows each step of two payouts and a deposit', () => {
    const steps = [...run.printed().matchAll(/^ {2}([✓✗]) (\w+)/gm)].map(([, sign, label]) => `${sign} ${label}`);
    const setUp = ['✓ Database', '✓ Inbox', '✓ Merchant', '✓ STP', '✓ Providers', '✓ Gateway', '✓ Portal', '✓ Portal'];
    const sandbox = ['✓ Request', '✓ Reply', '✓ Ledger', '✓ Callback'];
    const card = ['✓ Request', '✓ Reply', '✓ Adyen', '✓ Ledger', '✓ Callback'];
    const deposit = ['✓ Request', '✓ Reply', '✓ To', '✓ Payer', '✓ Callback', '✓ Ledger'];
    assert.deepEqual(steps, [...setUp, ...sandbox, ...card, ...deposit]);
    assert.match(
      run.printed(),
      /available −25\.00, clearing:adyen-transfers \+25\.00\n.* all \d+ invariants of the books hold/,
    );
    assert.match(run.printed(), /Success \(0 Completed\) after \d+ ms; sign, X-Sign and webhook-signature valid/);
    assert.match(run.printed(), /250\.00 MXN to CLABE 646\d{15}, beneficiary \S/);
    assert.match(run.printed(), /success \d+ ms after the payment; co_sign, X-Sign and webhook-signature valid/);
    assert.match(
      run.printed(),
      /clearing:stp −250\.00, available \+250\.00\n.*250\.00 MXN available; all \d+ invariants/,
    );
  });

  it('the demo draws the life of a payout and of a deposit with increasing times', () => {
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

  it('the demo prints at most 100 columns and no colour without a terminal', () => {
    const lines = run.printed().split('\n');
    assert.deepEqual(
      lines.filter((line) => line.length > 100 && !/^(?:curl |reply=)|\/\S{24,}/.test(line)),
      [],
    );
    assert.equal(run.printed().includes('\u001b'), false);
  });

  it('the demo keeps the merchant’s keys for the next start in a file that only its owner can read', async () => {
    const file = join(dataDir, 'demo-merchant.json');
    const { merchant_id: id, key, form_key: formKey } = JSON.parse(await readFile(file, 'utf8'));
    assert.deepEqual(
      [id, key, formKey],
      ['merchant', 'key', 'form key'].map((label) => shown(run, label)),
    );
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  it('the demo prints a request of every kind, and the gateway accepts each as printed', async () => {
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

  it('the demo prints a line per request and per callback with verified signatures', async () => {
    const payouts = curls.filter(([title]) => title.startsWith('payout'));
    for (const [title, command] of payouts) {
      const id = /"payout_id":"([^"]+)"/.exec(command)?.[1];
      assert.match(title, /: .*paid|: the same/);
      await untilCalledBack(run, id, 'Success');
    }
    assert.match(run.printed(), /^[\d:]{8} → POST \/payment\/balance 200 in \d+ ms$/m);
  });

  it('the demo lists the magic amounts and accounts that its simulated banks decline', async () => {
    const declined: [method: number, title: RegExp, change: Record<string, string>][] = [
      [11, /every other card is unregistered and declined/, { account: '5555555555554444' }],
      [12, /5325349472901311 is declined/, { account: '5325349472901311' }],
      [24, /77061234567 is declined/, { account: '77061234567' }],
      [92, /cents \.01 to \.19 declined/, { amount: '92.05' }],
    ];
    for (const [method, title, change] of declined) {
      assert.match(curls.find(([one]) => one.includes(`(${method})`))?.[0] ?? '', title);
      await sendLike(run, method, `declined-${method}`, change);
    }
    for (const [method] of declined) await untilCalledBack(run, `declined-${method}`, 'Blocked');
  });

  it('the demo prints a declined payout for each provider with magic cents', async () => {
    const declined = printedCurls(run).filter(([title]) => title.startsWith('declined payout'));
    assert.equal(declined.length, PROVIDERS.filter(({ payouts }) => payouts?.cents).length);
    for (const [title, command] of declined) await paste(title, command);
    for (const [, command] of declined)
      await untilCalledBack(run, /"payout_id":"([^"]+)"/.exec(command)?.[1], 'Blocked');
  });

  const shell = { skip: spawnSync('curl', ['--version']).status === 0 ? false : 'curl is not on this machine' };

  it('a shell runs the printed deposit and its payment unchanged', shell, async () => {
    const answered = execFileSync('sh', ['-c', depositLines(run)], { encoding: 'utf8' });
    const [, order = '', clabe = ''] = /"order":"(.*?)".*"clabe":"(.*?)"/.exec(answered) ?? [];
    assert.match(answered, new RegExp(`"transfers":\\[\\{.*"monto":"250\\.00","cuentaBeneficiario":"${clabe}"`));
    await run.until(new RegExp(`^[\\d:]{8} · transfer to ${clabe}: 250\\.00 MXN credited$`, 'm'));
    await run.until(new RegExp(`^[\\d:]{8} ← callback ${order}: 250\\.00 MXN success, signatures ✓$`, 'm'));
  });

  it('the demo reports a duplicate payment as held', shell, async () => {
    const clabe = /to CLABE (\d{18})/.exec(run.printed())?.[1];
    execFileSync('sh', ['-c', `CLABE=${clabe}; ${depositLines(run).split('\n')[1]}`]);
    await run.until(new RegExp(`· transfer to ${clabe}: 250\\.00 MXN held, twice$`, 'm'));
  });

  it('the demo reports a rejected request', async () => {
    const [, command = ''] = curls[0] ?? [];
    await paste('forged', command.replace('"amount":"10.00"', '"amount":"99.00"'));
    await run.until(/✗ rejected: sign error/i);
  });

  it('the demo’s inbox shows callbacks and rejects a callback whose signatures do not verify', async () => {
    const inbox = placeOf(run, 'inbox');
    assert.match(await (await fetch(inbox)).text(), /✓ verified\n {2}webhook-id: /);
    const forged = await fetch(`${inbox}/callbacks`, {
      method: 'POST',
      body: new URLSearchParams({ payout_id: 'x', sign: 'y' }),
    });
    assert.equal(forged.status, 403);
    assert.match(await forged.text(), /sign, X-Sign, webhook-signature/);
  });

  it('the demo writes its JSON log to a file and not to the screen', async () => {
    const log = await readFile(join(dataDir, 'gateway.log'), 'utf8');
    assert.match(log, /^\{"level":"info".*"event":"request_answered"/m);
    assert.doesNotMatch(run.printed(), /^\{"level"/m);
    for (const label of ['key', 'form key']) assert.equal(log.includes(shown(run, label)), false, label);
  });

  describeShop(() => run);

  it('the demo shuts down in order on SIGTERM and leaves no process behind', async () => {
    const stoppedAt = performance.now();
    run.process.kill('SIGTERM');
    assert.equal(await run.ended, 0);
    assert.ok(performance.now() - stoppedAt < SOON_MS);
    assert.match(run.printed(), /\nStopped: .*\n$/);
    await assertGone(run);
  });
});

/** Each of these tests starts the demo at least once. */
if (process.env['TEST_FULL'])
  describe('a start of the demo while other programs use its ports', () => {
    it('the demo uses simulators that are already running with its secret, and does not stop them', async (t) => {
      const edge = { host: '127.0.0.1', port: 0, secret: 's', control: true, clock: systemClock, log: () => {} };
      const account = { merchantAccount: 'gateway', secretKey: 'wayforpay-secret-key' };
      const wayforpay = await startWayForPay({ ...edge, ...account });
      t.after(() => wayforpay.close());
      const port = await findFreePort();
      const url = `http://127.0.0.1:${port}/rail-notifications/stp`;
      const stp = await startStp({
        ...edge,
        empresa: 'GATEWAY',
        clabePrefix: '6461804990',
        findPublicKey: () => undefined,
        notify: { abonoUrl: url, stateUrl: url },
      });
      t.after(() => stp.close());
      const places = { WAYFORPAY_PORT: new URL(wayforpay.url).port, STP_URL: stp.url, PORT: String(port) };
      const secrets = { WAYFORPAY_CONTROL_SECRET: 's', STP_CONTROL_SECRET: 's' };
      for (const [name, variable] of [
        ['WayForPay', 'WAYFORPAY_CONTROL_SECRET'],
        ['STP', 'STP_CONTROL_SECRET'],
      ] as const) {
        const stranger = start({ ...places, ...secrets, [variable]: 'another' });
        assert.equal(await stranger.ended, 1);
        assert.match(stranger.printed(), new RegExp(`✗ The ${name} simulator on \\S+ has another secret`));
      }
      const run = start({ ...places, ...secrets });
      await run.until(UP);
      assert.match(run.printed(), /also simulators\s+\(WayForPay: already running\)$/m);
      assert.match(shown(run, 'STP'), /its simulator, already running/);
      run.process.kill('SIGINT');
      assert.equal(await run.ended, 0);
      for (const simulator of [wayforpay, stp]) assert.equal(await isAnswered(simulator.url), true);
    });

    it('the demo ends when npm and its launcher are killed together', async () => {
      const run = start({}, [process.execPath, join(ROOT, 'bootstrap.mjs'), 'demo/src/start.ts']);
      await run.until(UP);
      run.process.kill('SIGKILL');
      await run.until(/^Stopped: /m);
      await run.ended;
      await assertGone(run);
    });

    it('the demo ends when npm receives SIGTERM or is killed', async () => {
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        const run = start({}, ['npm', 'start']);
        await run.until(UP);
        run.process.kill(signal);
        await run.until(/^Stopped: /m);
        await run.ended;
        await assertGone(run);
      }
    });
  });

describe('a later start of the demo', () => {
  let killed: DemoRun;
  let last: DemoRun;

  it('a later start continues with the same merchant and database and creates new payouts', async () => {
    const [first] = runs;
    assert.ok(first);
    killed = start();
    await killed.until(UP);
    assert.equal(shown(killed, 'merchant'), shown(first, 'merchant'));
    for (const label of ['key', 'form key']) assert.equal(shown(killed, label), shown(first, label));
    assert.notEqual(shown(killed, 'Request'), shown(first, 'Request'));
    assert.doesNotMatch(killed.printed(), /Creating a database/);
  });

  it('a later start uses the PostgreSQL of a killed demo, whose simulators have ended', async () => {
    const pid = await databasePid(dataDir);
    killed.process.kill('SIGKILL');
    await killed.ended;
    await eventually(
      async () => !(await isAnswered(placeOf(killed, 'STP'))),
      () => 'a simulator of the killed demo still answers',
    );
    last = start();
    await last.until(UP);
    assert.equal(await databasePid(dataDir), pid);
  });

  it('the demo prints its data directory and stops with one sentence when the directory is deleted', async () => {
    const shownPlace = /data in (\S+)/.exec(shown(last, 'Database'))?.[1] ?? '';
    const isRoot = process.getuid?.() === 0;
    assert.match(shownPlace, isRoot ? /^\/var\/lib\/payment-gateway\/[0-9a-f]{12}-\w{6}$/ : /^[^\s]*demo-/);
    const pid = await databasePid(dataDir);
    assert.ok(pid);
    await rm(dataDir, { recursive: true });
    await last.until(/The\s+data\s+directory\s+\S+\s+was\s+deleted/);
    assert.equal(await last.ended, 1);
    await eventually(
      async () => !(await isAlive(pid)),
      () => 'its PostgreSQL still runs',
    );
    await assertGone(last);
  });
});
