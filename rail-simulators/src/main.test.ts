/** `npm run simulators` as a user runs it: the process, its output, its shutdown, and its messages if it cannot start. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { eventually } from './kernel/inbox-under-test.ts';
import { ACCOUNT, card } from './wayforpay/under-test.ts';

/** The account with which wayforpay/under-test.ts signs its payouts. */
const VARIABLES = { WAYFORPAY_MERCHANT_ACCOUNT: ACCOUNT.merchantAccount, WAYFORPAY_SECRET_KEY: ACCOUNT.secretKey };

interface Simulators {
  readonly printed: () => string;
  readonly stop: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<{ code: number | null; output: string; complaint: string }>;
}

function startSimulators(t: TestContext, settings: Record<string, string>): Simulators {
  const folder = mkdtempSync(join(tmpdir(), 'simulators-'));
  const env = {
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    STP_PORT: '0',
    STP_BOOK: join(folder, 'stp.jsonl'),
    TRUSTLY_PORT: '0',
    TRUSTLY_BOOK: join(folder, 'trustly.jsonl'),
    TRUSTLY_OWN_KEY: join(folder, 'trustly-own.pem'),
    TRUSTLY_PUBLIC_KEY: join(folder, 'trustly-public.pem'),
    PIX_PORT: '0',
    PIX_PAGES_PORT: '0',
    PIX_BOOK: join(folder, 'pix.jsonl'),
    PIX_CERTIFICATES: join(folder, 'pix'),
    ADYEN_PORT: '0',
    ADYEN_BOOK: join(folder, 'adyen.jsonl'),
    ADYEN_TRANSFERS_PORT: '0',
    ADYEN_TRANSFERS_BOOK: join(folder, 'adyen-transfers.jsonl'),
    TOKEN_IO_PORT: '0',
    TOKEN_IO_BOOK: join(folder, 'token-io.jsonl'),
    VOPAY_PORT: '0',
    VOPAY_BOOK: join(folder, 'vopay.jsonl'),
    WAYFORPAY_PORT: '0',
    WAYFORPAY_BOOK: join(folder, 'wayforpay.jsonl'),
    EPOINT_PORT: '0',
    EPOINT_BOOK: join(folder, 'epoint.jsonl'),
    RAZORPAYX_PORT: '0',
    RAZORPAYX_BOOK: join(folder, 'razorpayx.jsonl'),
    DT_ONE_PORT: '0',
    DT_ONE_BOOK: join(folder, 'dt-one.jsonl'),
    FREEDOM_PAY_PORT: '0',
    FREEDOM_PAY_BOOK: join(folder, 'freedom-pay.jsonl'),
    MASTERCARD_SEND_PORT: '0',
    MASTERCARD_SEND_BOOK: join(folder, 'mastercard-send.jsonl'),
    VISA_DIRECT_PORT: '0',
    VISA_DIRECT_CONTROL_PORT: '0',
    VISA_DIRECT_BOOK: join(folder, 'visa-direct.jsonl'),
    VISA_DIRECT_CERTIFICATES: join(folder, 'visa-direct'),
    ...settings,
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], { env });
  t.after(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const ended = Promise.all([once(child, 'close'), text(child.stderr)]).then(([[code], complaint]) => {
    return { code, output: printed, complaint };
  });
  return { printed: () => printed, stop: (signal) => child.kill(signal), ended };
}

/** Returns the URLs of STP, Trustly and WayForPay. */
async function urlsOf(simulators: Simulators): Promise<readonly [stp: string, trustly: string, wayforpay: string]> {
  await eventually('all its lines', () => simulators.printed().includes('export MASTERCARD_SEND_URL='));
  const urlOf = (name: string) =>
    new RegExp(`^${name} simulator .*listens on (http://127\\.0\\.0\\.1:\\d+)`, 'm').exec(simulators.printed())?.[1] ??
    '';
  return [urlOf('STP'), urlOf('Trustly'), urlOf('WayForPay')];
}

/** Returns WayForPay's response to a payout. */
async function pay(url: string, orderReference: string): Promise<unknown> {
  const answer = await fetch(`${url}/api`, { method: 'POST', body: JSON.stringify(card({ orderReference })) });
  return ((await answer.json()) as { transactionStatus: unknown }).transactionStatus;
}

describe('the simulators’ process', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`the simulators’ process exits cleanly on ${signal}`, async (t) => {
      const secrets = { ...VARIABLES, STP_CONTROL_SECRET: 's', TRUSTLY_CONTROL_SECRET: 's' };
      const simulators = startSimulators(t, secrets);
      const [stpUrl, trustlyUrl, wayforpayUrl] = await urlsOf(simulators);
      assert.equal(await pay(wayforpayUrl, 'P1'), 'Approved');
      for (const other of [stpUrl, trustlyUrl]) {
        const summary = await fetch(`${other}/control/summary`, { headers: { authorization: 'Bearer s' } });
        assert.equal(((await summary.json()) as { balance: string }).balance, '0.00');
      }
      simulators.stop(signal);
      const { code, output, complaint } = await simulators.ended;
      assert.deepEqual([code, complaint], [0, '']);
      const address = 'http://127.0.0.1:8080/rail-notifications';
      assert.match(output, new RegExp(`^STP simulator .*no money moves.*GATEWAY.*${address}/stp;.*\n`));
      assert.match(output, /\nTrustly simulator .*no money moves.*trustly-public\.pem;.*\n/);
      assert.match(output, new RegExp(`\nPix simulator .*no money moves.*https:.*${address}/pix;.*\n`));
      assert.match(output, new RegExp(`\nAdyen simulator .*no money moves.*GatewayECOM.*${address}/adyen;.*\n`));
      assert.match(output, new RegExp(`\nToken\\.io simulator .*no money moves.*${address}/token-io;.*\n`));
      assert.match(output, new RegExp(`\nVoPay simulator .*no money moves.*/inbox;.*${address}/vopay;.*\n`));
      assert.match(output, /\nWayForPay simulator .*no money moves.*notifies test_merch_n1 of each.*\n/);
      assert.match(output, new RegExp(`\nEpoint simulator .*no money moves.*i000000001.*${address}/epoint;.*\n`));
      assert.match(output, new RegExp(`\nRazorpayX simulator .*no money moves.*${address}/razorpayx;.*\n`));
      assert.match(output, /\nDT One simulator .*no money moves.*dt-one\.jsonl\n/);
      assert.match(output, /\nFreedom Pay simulator .*no money moves.*freedom-pay\.jsonl\n/);
      assert.match(output, new RegExp(`\nAdyen Transfers simulator .*no money moves.*${address}/adyen-transfers;.*\n`));
      assert.match(output, /\nVisa Direct simulator .*no money moves.*https:.*\/visa-direct;.*\n/);
      assert.match(output, /\nMastercard Send simulator .*no money moves.*\/mastercard-send\/public-key\.pem;.*\n/);
    });
  }

  it('the simulators’ process prints the gateway’s variables in shell syntax', async (t) => {
    const simulators = startSimulators(t, {});
    const [stpUrl, , wayforpayUrl] = await urlsOf(simulators);
    const printed = simulators.printed().trim().split('\n');
    const exported = printed.slice(printed.indexOf('# For a gateway on this machine:') + 1);
    for (const line of exported) assert.match(line, /^export [A-Z_]+=[!-~]+$/);
    for (const [name, value] of [
      ['STP_URL', stpUrl],
      ['WAYFORPAY_URL', wayforpayUrl],
      ['VISA_DIRECT_KEY_ID', 'simulated-key-id'],
    ])
      assert.ok(exported.includes(`export ${name}=${value}`), name);
  });

  it('a killed simulator process keeps every payout that it acknowledged', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'simulators-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const book = join(folder, 'book.jsonl');
    const simulators = startSimulators(t, { ...VARIABLES, WAYFORPAY_BOOK: book });
    const [, , url] = await urlsOf(simulators);
    const send = (reference: string) =>
      pay(url, reference).then(
        () => reference,
        () => undefined,
      );
    const sent = Array.from({ length: 500 }, (_, number) => send(`p-${number}`));
    await Promise.all(sent.slice(0, 50));
    simulators.stop('SIGKILL');
    const answered = (await Promise.all(sent)).filter((reference) => reference !== undefined);
    const kept = readFileSync(book, 'utf8');
    assert.ok(answered.length >= 50);
    for (const reference of answered) assert.ok(kept.includes(`"reference":"${reference}"`), reference);
  });

  it('the simulators’ process reports a port in use in one sentence', async (t) => {
    const first = startSimulators(t, {});
    const port = new URL((await urlsOf(first))[0]).port;
    const { code, output, complaint } = await startSimulators(t, { STP_PORT: port }).ended;
    assert.deepEqual([code, output], [1, '']);
    assert.match(
      complaint,
      new RegExp(`^STP's simulator cannot listen on 127.0.0.1:${port}: the port is in use; .* set STP_PORT\\.\n$`),
    );
  });

  it('the simulators’ process reports a second port in use in one sentence and stops the first simulator', async (t) => {
    const port = new URL((await urlsOf(startSimulators(t, {})))[1]).port;
    const { code, output, complaint } = await startSimulators(t, { TRUSTLY_PORT: port }).ended;
    assert.deepEqual([code, output], [1, '']);
    assert.match(complaint, /^Trustly's simulator cannot listen on .*: the port is in use; .* set TRUSTLY_PORT\.\n$/);
  });

  it('the simulators’ process reports an unusable book in one sentence and exits', async (t) => {
    const { code, output, complaint } = await startSimulators(t, { STP_BOOK: '/dev/null/book' }).ended;
    assert.deepEqual([code, output], [1, '']);
    assert.match(complaint, /^STP's book \/dev\/null\/book cannot be opened: .*\n$/);
  });
});
