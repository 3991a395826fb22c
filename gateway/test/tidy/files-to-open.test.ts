/**
 * Compares the files that a reader opens to follow one payment (docs/architecture/files-of-one-payment.md) with the files that
 * a real payment runs. Each payment goes through a complete gateway with its simulator and a merchant. No sleep of the gateway
 * ends by itself, so only the payment causes work. A file counts as run if each of several payments runs one of its functions,
 * because cache refreshes and late log writes occur in only some payments. The foundation does not count: a reader understands
 * a function for money, time or secrets by its name.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, matchesGlob } from 'node:path';
import { after, before, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, systemClock } from '../../src/foundation/clock.ts';
import { adyen } from '../../src/rails/adyen/form-provider-under-test.ts';
import { createFormPayer } from '../support/form/form-payer.ts';
import type { Provider } from '../support/form-providers/provider.ts';
import { freePort, type RunningGateway, startGateway } from '../support/gateway/running-gateway.ts';
import { signedForm } from '../support/merchants/test-merchant.ts';
import { until } from '../support/tools/until.ts';
import { type CalledFiles, calledFiles } from './called-files.ts';
import { filesUnder, MOST_FILES } from './file-lists.ts';
import { ROOT, withoutComments } from './source-files.ts';

const NOT_OPENED = filesUnder('Files that you need not open');
const PAYMENTS = ['W2', 'W3', 'W4'];
/** The number of checks without work in flight after which the gateway counts as quiet. */
const QUIET_LOOKS = 10;
const LOOK_EVERY_MS = 50;
const CARD_LINK = { currency: 'EUR', country: 'DE', email: 'payer@example.com', item_name: 'A book' };

const HELD_LANES = 'select count(*)::int as found from callback_lanes where lease_until is not null';
const QUERIES_IN_FLIGHT = `select count(*)::int as found from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`;

let gateway: RunningGateway;
let provider: Provider;
const clock = createStillClock();

before(async () => {
  const port = await freePort();
  const gatewayUrl = `http://127.0.0.1:${port}`;
  provider = await adyen.start({ gatewayUrl, folder: tmpdir() });
  const variables = { ...provider.variables, PORT: String(port), PUBLIC_URL: gatewayUrl };
  gateway = await startGateway({ variables, clock });
});
after(async () => {
  clock.release();
  await provider.close();
  await gateway.verifyAndStop();
});

it('the page lists at most 45 files to open for a payout over WayForPay', async () => {
  const merchant = await gateway.merchant({ funds: { UAH: '100.00' } });
  const ran = await filesRunBy('wayforpay', async (payoutId) => {
    // The bank accepts this amount, and notifies the gateway of its execution later.
    await merchant.pay(1, payoutId, { amount: '10.40' });
    await until('the callback', () => gateway.receiver.about(merchant.id, payoutId, 'callback')[0]);
  });
  assertExplained(ran, 'A payout over WayForPay');
});

it('the page lists at most 40 files to open for a card payment with 3-D Secure', async () => {
  const merchant = await gateway.merchant({ funds: {} });
  const ran = await filesRunBy('adyen', async (order) => {
    const payer = createFormPayer(gateway.url, {});
    const fields = { merchant: merchant.id, order, amount: '10.50', ...CARD_LINK };
    const form = await payer.open(signedForm(fields, merchant.formKey));
    const page = await payer.press(form, 'pay', provider.typed(order, undefined));
    await provider.act({ reference: '', providerReference: '' }, undefined, { payer, page });
    await until('the callback', () => gateway.receiver.about(merchant.id, order, 'callback')[0]);
  });
  assertExplained(ran, 'A card payment over Adyen, with 3-D Secure');
});

/** Returns the files that all PAYMENTS run. The first payment does not count, because it fills the caches. */
async function filesRunBy(rail: string, pay: (id: string) => Promise<void>): Promise<CalledFiles> {
  const payAndHear = async (id: string) => {
    const before = notificationsOf(rail);
    await pay(id);
    await until(`${rail} notifies of ${id}`, () => notificationsOf(rail) > before);
  };
  await payAndHear('W1');
  const payments: CalledFiles[] = [];
  try {
    for (const id of PAYMENTS) {
      // The worker must release the lane first, which needs its sleeps to end.
      await until('no process holds a lane', async () => (await count(HELD_LANES)) === 0);
      clock.stop();
      payments.push(await calledFiles(() => payAndHear(id).then(untilQuiet)));
      clock.release();
    }
  } finally {
    clock.release();
  }
  return new Map([...(payments[0] ?? [])].filter(([file]) => payments.every((ran) => ran.has(file))));
}

function notificationsOf(rail: string): number {
  return gateway.log.filter((line) => line.includes('"rail_notified"') && line.includes(`"${rail}"`)).length;
}

/** Waits until the work in flight has ended: the gateway no longer reads its clock or the database. */
async function untilQuiet(): Promise<void> {
  const deadline = Date.now() + 180_000;
  let uses = clock.uses();
  for (let quiet = 0; quiet < QUIET_LOOKS; ) {
    assert.ok(Date.now() < deadline, 'the gateway works on, with every sleep held');
    await sleep(LOOK_EVERY_MS);
    const isQuiet = (await count(QUERIES_IN_FLIGHT)) === 0 && clock.uses() === uses;
    quiet = isQuiet ? quiet + 1 : 0;
    uses = clock.uses();
  }
}

async function count(query: string): Promise<number> {
  const { rows } = await gateway.database.pool.query<{ found: number }>(query);
  return rows[0]?.found ?? 0;
}

function assertExplained(ran: CalledFiles, payment: keyof typeof MOST_FILES): void {
  const opened = filesUnder(payment);
  const files = [...ran.keys()].filter((file) => !file.startsWith('foundation/'));
  const isTaken = (file: string) => NOT_OPENED.some((pattern) => matchesGlob(file, pattern));
  const unexplained = files.filter((file) => !opened.includes(file) && !isTaken(file));
  const idle = opened.filter((file) => !ran.has(file) && !isTableOf(file, opened));
  assert.deepEqual({ unexplained, idle }, { unexplained: [], idle: [] });
  assert.ok(opened.length <= MOST_FILES[payment], `${opened.length} files to open, of at most ${MOST_FILES[payment]}`);
}

/** True for a file that only contains tables: it runs no function, but another of the files imports it. */
function isTableOf(file: string, opened: readonly string[]): boolean {
  const texts = opened.map((each) => readFileSync(join(ROOT, 'gateway/src', each), 'utf8'));
  const hasFunctions = /\bfunction\b|=>/.test(withoutComments(readFileSync(join(ROOT, 'gateway/src', file), 'utf8')));
  return !hasFunctions && texts.some((text) => text.includes(`/${basename(file)}'`));
}

interface StillClock extends Clock {
  /**
   * Prevents every sleep from ending by itself. The clock continues, because a gateway whose clock stands still sends nothing.
   */
  stop(): void;
  release(): void;
  /** Returns how often the time was read or a sleep began. */
  uses(): number;
}

function createStillClock(): StillClock {
  let isStill = false;
  let wakers: (() => void)[] = [];
  let uses = 0;
  return {
    uses: () => uses,
    now() {
      uses += 1;
      return systemClock.now();
    },
    async sleep(ms, signal) {
      uses += 1;
      await systemClock.sleep(ms, signal);
      if (!isStill || signal?.aborted) return;
      await new Promise<void>((resolve) => {
        wakers.push(resolve);
        signal?.addEventListener('abort', () => resolve(), { once: true });
      });
    },
    stop() {
      isStill = true;
    },
    release() {
      isStill = false;
      for (const wake of wakers) wake();
      wakers = [];
    },
  };
}
