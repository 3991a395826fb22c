/** Runs payouts against the simulator of Mastercard Send with each of its faults. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { systemClock as simulatorClock } from '../../../../rail-simulators/src/clock.ts';
import { publicKeyFile } from '../../../../rail-simulators/src/kernel/credentials.ts';
import type { ProviderServer } from '../../../../rail-simulators/src/kernel/start-provider.ts';
import { gatewayVariables } from '../../../../rail-simulators/src/mastercard-send/gateway-variables.ts';
import { startMastercardSend } from '../../../../rail-simulators/src/mastercard-send/server.ts';
import { NO_RAILS } from '../../../test/support/gateway/no-rails.ts';
import { type AskSimulator, simulatorAt } from '../../../test/support/rails/simulator-control.ts';
import { deadlineAfter, noDeadline } from '../../../test/support/tools/deadlines.ts';
import { until } from '../../../test/support/tools/until.ts';
import type { PayoutOrder, PayoutRail } from '../../domain/payouts/payout-rail.ts';
import { type Clock, HOUR_MS, systemClock } from '../../foundation/clock.ts';
import { systemRandom } from '../../foundation/random.ts';
import { Secret } from '../../foundation/secret.ts';
import { createRails, type Rails } from '../registry.ts';
import type { MastercardSendConfiguration } from './configuration.ts';

const SECRET = 'a secret of the test';
const CARD = '5555555555554444';

let orders = 1_000;
function order(): PayoutOrder {
  const reference = `${++orders}-AbCd1234`;
  return {
    reference,
    remittance: `M1/${reference}`,
    purpose: 'payout',
    method: 23,
    money: { currency: 'EUR', minor: 1_000n },
    beneficiary: { account: new Secret(CARD), full_name: 'José Núñez' },
    sendUntil: 0,
    delayed: false,
  };
}

describe('payouts over Mastercard Send', () => {
  let mastercard: ProviderServer;
  let control: AskSimulator;
  let folder = '';
  let rail: PayoutRail;
  let rails: Rails;
  const refusedCredentials: string[] = [];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mastercard-send-rail-'));
    mastercard = await startMastercardSend({
      host: '127.0.0.1',
      port: 0,
      secret: SECRET,
      control: true,
      clock: simulatorClock,
      log: () => {},
      partnerId: 'ptnr_test',
      consumerKey: 'a-key!its-number',
      findPublicKey: publicKeyFile(join(folder, 'public-key.pem')),
      delays: { endMs: 100 },
    });
    control = simulatorAt({ url: mastercard.url, secret: SECRET });
    ({ rail, rails } = connect());
  });
  beforeEach(async () => {
    refusedCredentials.length = 0;
    await control('reset', {});
  });
  after(async () => {
    await rails.close();
    await mastercard.close();
    rmSync(folder, { recursive: true });
  });

  function connect(change: Partial<MastercardSendConfiguration> = {}, clock: Clock = systemClock) {
    const configuration: MastercardSendConfiguration = {
      url: gatewayVariables(mastercard.url).MASTERCARD_SEND_URL,
      partnerId: 'ptnr_test',
      consumerKey: new Secret('a-key!its-number'),
      privateKeyFile: join(folder, 'private-key.pem'),
      programme: { paymentType: 'BDB', senderAccount: 'raw:12345678901234567890', originCountry: 'NLD' },
      concurrency: 4,
      simulated: true,
      ...change,
    };
    const hooks = { onCredentialRefused: (name: string) => void refusedCredentials.push(name) };
    const made = createRails({ ...NO_RAILS, mastercardSend: configuration }, { hooks, clock, random: systemRandom });
    const [payoutRail] = made.payoutRails;
    assert.ok(payoutRail);
    return { rail: payoutRail, rails: made };
  }

  const said = (answer: object) => Object.values(answer).join(' ');
  const askUntil = (asked: PayoutOrder, wanted: string) =>
    until(wanted, async () => said(await rail.ask(asked, noDeadline())).startsWith(wanted));

  it('the Mastercard rail shows the card number to Mastercard only', async () => {
    assert.deepEqual([...rail.methods], [23]);
    const own = order();
    assert.deepEqual(await rail.send(own, noDeadline()), { kind: 'executed' });
    assert.deepEqual(await rail.ask(own, noDeadline()), { kind: 'executed' });
    const { entries } = (await control('book')) as { entries: { amount: string; recipientName: string }[] };
    assert.deepEqual([entries[0]?.amount, entries[0]?.recipientName], ['1000', 'Jose Nunez']);
    assert.doesNotMatch(JSON.stringify(entries), new RegExp(CARD));
  });

  const declines: readonly (readonly [faults: object, answer: string])[] = [
    [{ network_code: '05' }, 'declined bank_declined'],
    [{ network_code: '54', status_reason: 'CARD_EXPIRED' }, 'declined invalid_beneficiary'],
    [{ network_code: '', status_reason: 'LIMIT_EXCEEDED' }, 'declined limit_or_risk'],
    [{ decline_details: false }, 'declined bank_declined Mastercard reports DECLINE'],
  ];
  for (const [faults, answer] of declines) {
    it(`a Mastercard payout declined under the faults ${JSON.stringify(faults)} is ${answer}`, async () => {
      await control('faults', { disbursements: 'decline', ...faults });
      const own = order();
      assert.ok(said(await rail.send(own, noDeadline())).startsWith(answer));
      assert.equal((await rail.ask(own, noDeadline())).kind, 'declined');
    });
  }

  for (const [disbursements, end] of [
    ['unknown_then_approve', 'executed'],
    ['unknown_then_decline', 'declined'],
    ['pending_then_approve', 'executed'],
  ] as const) {
    it(`a Mastercard payout under the fault ${disbursements} is pending and then ${end}`, async () => {
      await control('faults', { disbursements });
      const own = order();
      assert.deepEqual(await rail.send(own, noDeadline()), { kind: 'pending' });
      await askUntil(own, end);
    });
  }

  it('a Mastercard payout without a readable response has an unknown outcome, and a status query finds the disbursement', async () => {
    for (const answers of ['accept_unanswered', 'accept_500', 'accept_garbled']) {
      await control('faults', { answers });
      const own = order();
      assert.equal((await rail.send(own, deadlineAfter(600))).kind, 'unknown');
      assert.deepEqual(await rail.ask(own, noDeadline()), { kind: 'executed' });
    }
  });

  it('a lost Mastercard payout is not found and is paid once after a retry', async () => {
    await control('faults', { answers: 'lose' });
    const own = order();
    assert.equal((await rail.send(own, deadlineAfter(200))).kind, 'unknown');
    assert.deepEqual(await rail.ask(own, noDeadline()), { kind: 'not_found' });
    await control('faults', { answers: 'all', queries: 'empty' });
    assert.deepEqual(await rail.ask(own, noDeadline()), { kind: 'not_found' });
    assert.deepEqual(await rail.send(own, noDeadline()), { kind: 'executed' });
    assert.match(said(await rail.send(own, noDeadline())), /^unknown HTTP 409 RESOURCE_ERROR/);
    const summary = await control('summary');
    assert.deepEqual([summary['approved'], summary['duplicates'], summary['paid_over_once']], [1, 1, []]);
  });

  it('a Mastercard payout whose money was returned is reversed', async () => {
    const own = order();
    await rail.send(own, noDeadline());
    await control('reverse', { reference: own.reference });
    assert.equal(said(await rail.ask(own, noDeadline())), 'reversed Mastercard reports REVERSED');
  });

  it('a Mastercard error about the recipient declines the payout; an error about our settings means not accepted', async () => {
    await control('faults', { invalid_source: 'recipient_account_uri' });
    assert.match(said(await rail.send(order(), noDeadline())), /^declined invalid_beneficiary/);
    await control('faults', { invalid_source: 'payment_type' });
    assert.match(said(await rail.send(order(), noDeadline())), /^not_accepted Mastercard refuses payment_type/);
    assert.equal((await control('summary'))['disbursements'], 0);
  });

  it('a dropped connection leaves the outcome of a Mastercard payout unknown; a refused connection means that Mastercard did not accept it', async () => {
    const nobody = connect({ url: 'http://127.0.0.1:1/send' });
    assert.match(said(await nobody.rail.send(order(), noDeadline())), /^not_accepted no connection/);
    await nobody.rails.close();
    await control('faults', { down: true });
    assert.equal((await rail.send(order(), noDeadline())).kind, 'unknown');
    assert.equal((await rail.ask(order(), noDeadline())).kind, 'unknown');
  });

  it('a Mastercard payout with an invalid signature or clock is not accepted, and the rail reports the credential', async () => {
    const late = { ...systemClock, now: () => systemClock.now() - HOUR_MS };
    const wrong = [
      connect({ consumerKey: new Secret('another!key') }),
      connect({ privateKeyFile: join(folder, 'another-key.pem') }),
      connect({}, late),
    ];
    for (const each of wrong) {
      const answer = said(await each.rail.send(order(), noDeadline()));
      assert.match(answer, /^not_accepted Mastercard refuses our credential \(HTTP 401\)/);
      assert.equal((await each.rail.ask(order(), noDeadline())).kind, 'unknown');
      await each.rails.close();
    }
    assert.deepEqual(refusedCredentials, Array(6).fill('mastercard-send'));
    assert.equal((await control('summary'))['disbursements'], 0);
  });

  it('a Mastercard payout without a readable key is not sent, and the reason names the variable', async () => {
    const keyless = connect({ privateKeyFile: '/dev/null/private-key.pem' });
    const answer = await keyless.rail.send(order(), noDeadline());
    assert.equal(said(answer), 'not_accepted our private key cannot be read: check MASTERCARD_SEND_PRIVATE_KEY_FILE');
    assert.equal((await keyless.rail.ask(order(), noDeadline())).kind, 'unknown');
    await keyless.rails.close();
  });
});
