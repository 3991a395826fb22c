/** Runs payouts against the simulator of Visa Direct with each of its faults, and against faulty servers. */
import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { systemClock as simulatorClock } from '../../../../rail-simulators/src/clock.ts';
import { authorityOf, issue } from '../../../../rail-simulators/src/kernel/certificates.ts';
import { startVisaDirect, type VisaDirectServer } from '../../../../rail-simulators/src/visa-direct/server.ts';
import { NO_RAILS } from '../../../test/support/gateway/no-rails.ts';
import { type AskSimulator, simulatorAt } from '../../../test/support/rails/simulator-control.ts';
import { deadlineAfter, noDeadline } from '../../../test/support/tools/deadlines.ts';
import { until } from '../../../test/support/tools/until.ts';
import type { PayoutOrder, PayoutRail } from '../../domain/payouts/payout-rail.ts';
import { type Clock, systemClock } from '../../foundation/clock.ts';
import { systemRandom } from '../../foundation/random.ts';
import { Secret } from '../../foundation/secret.ts';
import { createRails, type Rails } from '../registry.ts';
import type { VisaDirectConfiguration } from './configuration.ts';
import { identityOf } from './reference.ts';

const SECRET = 'a secret of the test';
const CARD = '4111111111111111';

let orders = 1_000;
function order(): PayoutOrder {
  const reference = `${++orders}-AbCd1234`;
  return {
    reference,
    remittance: `M1/${reference}`,
    purpose: 'payout',
    method: 22,
    money: { currency: 'EUR', minor: 1_000n },
    beneficiary: { account: new Secret(CARD), full_name: 'Anne-Marie ONeil' },
    sendUntil: 0,
    delayed: false,
  };
}

describe('payouts over Visa Direct', () => {
  let visa: VisaDirectServer;
  let control: AskSimulator;
  let folder = '';
  let rail: PayoutRail;
  let rails: Rails;
  const refusedCredentials: string[] = [];
  /** Shortens the pauses between two queries. */
  const clock: Clock = { now: systemClock.now, sleep: (_ms, signal) => systemClock.sleep(450, signal) };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'visa-direct-rail-'));
    visa = await startVisaDirect({
      host: '127.0.0.1',
      port: 0,
      controlPort: 0,
      secret: SECRET,
      control: true,
      clock: simulatorClock,
      userId: 'gateway',
      password: 'a password',
      acquiringBin: '408999',
      certificateFolder: folder,
      encryption: true,
      delays: { endMs: 1_000 },
      log: () => {},
    });
    control = simulatorAt({ url: visa.controlUrl, secret: SECRET });
    ({ rail, rails } = connect());
  });
  beforeEach(async () => {
    refusedCredentials.length = 0;
    await control('reset', {});
  });
  after(async () => {
    await rails.close();
    await visa.close();
    rmSync(folder, { recursive: true });
  });

  const fileIn = (name: string) => join(folder, name);

  function connect(change: Partial<VisaDirectConfiguration> = {}): { rail: PayoutRail; rails: Rails } {
    const configuration: VisaDirectConfiguration = {
      url: visa.url,
      userId: 'gateway',
      password: new Secret('a password'),
      concurrency: 4,
      simulated: true,
      certificateFile: fileIn('client-certificate.pem'),
      privateKeyFile: fileIn('client-key.pem'),
      caFile: fileIn('ca.pem'),
      encryption: null,
      programme: {
        acquiringBin: '408999',
        acquirerCountry: '528',
        businessApplication: 'FD',
        merchantCategory: null,
        cardAcceptorId: 'GATEWAY',
        terminalId: 'GW1',
        cardAcceptorCountry: 'NLD',
        sender: { name: 'Gateway', address: 'Herengracht 1', city: 'Amsterdam', country: '528' },
      },
      ...change,
    };
    const hooks = { onCredentialRefused: (name: string) => void refusedCredentials.push(name) };
    const made = createRails({ ...NO_RAILS, visaDirect: configuration }, { hooks, clock, random: systemRandom });
    const [payoutRail] = made.payoutRails;
    assert.ok(payoutRail);
    return { rail: payoutRail, rails: made };
  }

  const taken = async () => (await control('summary'))['transactions'];
  const said = (answer: object) => Object.values(answer).join(' ');
  const askUntil = (asked: PayoutOrder, kind: string) =>
    until(kind, async () => (await rail.ask(asked, noDeadline())).kind === kind);

  it('the Visa rail shows the card number to Visa only', async () => {
    assert.deepEqual([...rail.methods], [8, 9, 22]);
    const own = order();
    assert.deepEqual(await rail.send(own, noDeadline()), { kind: 'executed' });
    assert.deepEqual(await rail.ask(own, noDeadline()), { kind: 'executed' });
    const { entries } = (await control('book')) as { entries: { amount: string; maskedNumber: string }[] };
    assert.deepEqual([entries[0]?.amount, entries[0]?.maskedNumber], ['10.00', '411111******1111']);
    assert.doesNotMatch(JSON.stringify(entries), new RegExp(CARD));
  });

  const declines: readonly (readonly [code: string, answer: string])[] = [
    ['05', 'declined bank_declined'],
    ['14', 'declined invalid_beneficiary'],
    ['61', 'declined limit_or_risk'],
  ];
  for (const [action_code, answer] of declines) {
    it(`a Visa payout with action code ${action_code} and HTTP 200 is ${answer}`, async () => {
      await control('faults', { action_code });
      const own = order();
      assert.ok(said(await rail.send(own, noDeadline())).startsWith(answer));
      assert.ok(said(await rail.ask(own, noDeadline())).startsWith(answer));
    });
  }

  it('a Visa payout has an unknown outcome while the issuer is unavailable, until a query finds its outcome', async () => {
    await control('faults', { action_code: '91' });
    const own = order();
    assert.equal((await rail.send(own, noDeadline())).kind, 'unknown');
    assert.equal(said(await rail.ask(own, noDeadline())), 'declined bank_declined Visa reports action code 91');
  });

  for (const timing of ['late_json', 'late_text']) {
    it(`the rail queries the outcome of a payout that Visa has not finished (${timing})`, async () => {
      await control('faults', { timing });
      assert.deepEqual(await rail.send(order(), noDeadline()), { kind: 'executed' });
      await control('faults', { action_code: '05' });
      assert.equal((await rail.send(order(), noDeadline())).kind, 'declined');
    });
  }

  it('an unfinished Visa payout is found later by its numbers', async () => {
    await control('faults', { timing: 'late_json' });
    const own = order();
    assert.equal((await rail.send(own, deadlineAfter(400))).kind, 'unknown');
    await askUntil(own, 'executed');
  });

  it('a Visa payout without a response has an unknown outcome, and a status query finds it by its numbers', async () => {
    for (const [answers, ms] of [['accept_unanswered', 600] as const, ['accept_500', 5_000] as const]) {
      await control('faults', { answers });
      const own = order();
      assert.equal((await rail.send(own, deadlineAfter(ms))).kind, 'unknown');
      assert.deepEqual(await rail.ask(own, noDeadline()), { kind: 'executed' });
    }
  });

  it('a lost Visa payout is not found and is paid once after a retry', async () => {
    await control('faults', { answers: 'lose' });
    const own = order();
    assert.equal((await rail.send(own, deadlineAfter(200))).kind, 'unknown');
    assert.deepEqual(await rail.ask(own, noDeadline()), { kind: 'not_found' });
    await control('faults', { answers: 'all' });
    assert.deepEqual(await rail.send(own, noDeadline()), { kind: 'executed' });
    assert.deepEqual(await rail.send(own, noDeadline()), { kind: 'executed' });
    const summary = await control('summary');
    assert.deepEqual([summary['approved'], summary['repeats'], summary['paid_over_once']], [1, 1, []]);
  });

  it('a repeated payout has an unknown outcome while Visa processes the first request', async () => {
    await control('faults', { timing: 'late_json' });
    const own = order();
    await rail.send(own, deadlineAfter(400));
    assert.equal((await rail.send(own, noDeadline())).kind, 'unknown');
    await askUntil(own, 'executed');
  });

  it('a Visa Direct transaction that is not on the list is not found, in both formats of Visa’s response', async () => {
    const own = order();
    await rail.send(own, noDeadline());
    for (const queries of ['not_yet', 'not_yet_404']) {
      await control('faults', { queries });
      assert.deepEqual(await rail.ask(own, noDeadline()), { kind: 'not_found' });
    }
  });

  it('a Visa payout whose transaction was reversed is reversed', async () => {
    const own = order();
    await rail.send(own, noDeadline());
    await control('reverse', { sender_reference: identityOf(own.reference).senderReference });
    assert.equal((await rail.ask(own, noDeadline())).kind, 'reversed');
  });

  it('a Visa error about the recipient declines the payout; an error about our settings means not accepted', async () => {
    await control('faults', { validation: 'restricted' });
    assert.match(said(await rail.send(order(), noDeadline())), /^declined invalid_beneficiary/);
    await control('faults', { validation: 'broken' });
    assert.match(said(await rail.send(order(), noDeadline())), /^not_accepted Visa rejects the request/);
    assert.equal(await taken(), 0);
  });

  it('a payout has an unknown outcome while Visa is unavailable', async () => {
    await control('faults', { down: true });
    assert.equal((await rail.send(order(), noDeadline())).kind, 'unknown');
    assert.equal((await rail.ask(order(), noDeadline())).kind, 'unknown');
  });

  it('Visa messages are encrypted with the configured keys, and fail with any other keys', async () => {
    const encryption = {
      keyId: 'simulated-key-id',
      visaKeyFile: fileIn('encryption-key.pem'),
      ownKeyFile: fileIn('decryption-key.pem'),
    };
    await control('faults', { encryption: 'required' });
    assert.equal((await rail.send(order(), noDeadline())).kind, 'unknown');
    const encrypted = connect({ encryption });
    for (const timing of ['at_once', 'late_text']) {
      await control('faults', { timing });
      const own = order();
      assert.deepEqual(await encrypted.rail.send(own, noDeadline()), { kind: 'executed' });
      assert.deepEqual(await encrypted.rail.ask(own, noDeadline()), { kind: 'executed' });
    }
    await encrypted.rails.close();
    assert.equal(await taken(), 2);
    const wrong = [
      [{ ...encryption, keyId: 'another' }, 'unknown'],
      [{ ...encryption, visaKeyFile: fileIn('decryption-key.pem') }, 'unknown'],
      [{ ...encryption, ownKeyFile: fileIn('visa-message-key.pem') }, 'unknown'],
      [{ ...encryption, ownKeyFile: fileIn('missing.pem') }, 'not_accepted'],
    ] as const;
    for (const [keys, answer] of wrong) {
      const each = connect({ encryption: keys });
      assert.equal((await each.rail.send(order(), deadlineAfter(3_000))).kind, answer);
      await each.rails.close();
    }
  });

  it('a Visa payout with a refused credential is not accepted', async () => {
    const root = authorityOf(
      'Visa Direct simulator root (no money moves)',
      createPrivateKey(readFileSync(fileIn('ca-key.pem'))),
      readFileSync(fileIn('ca.pem'), 'utf8'),
    );
    const other = issue(root, 'somebody', 'client');
    writeFileSync(fileIn('other.pem'), other.certificate);
    writeFileSync(fileIn('other-key.pem'), other.privateKey);
    const wrong = [
      connect({ password: new Secret('another') }),
      connect({ certificateFile: fileIn('other.pem'), privateKeyFile: fileIn('other-key.pem') }),
    ];
    for (const each of wrong) {
      assert.match(
        said(await each.rail.send(order(), noDeadline())),
        /^not_accepted Visa refuses our credential \(HTTP 401\)/,
      );
      assert.equal((await each.rail.ask(order(), noDeadline())).kind, 'unknown');
      await each.rails.close();
    }
    assert.deepEqual(refusedCredentials, Array(4).fill('visa-direct'));
    assert.equal(await taken(), 0);
  });

  it('a payout without a connection to Visa’s production API is not accepted', async () => {
    const stranger = mkdtempSync(join(tmpdir(), 'stranger-'));
    const impostor = await startVisaDirect({
      host: '127.0.0.1',
      port: 0,
      controlPort: 0,
      secret: SECRET,
      control: true,
      clock: simulatorClock,
      userId: 'gateway',
      password: 'a password',
      acquiringBin: '408999',
      certificateFolder: stranger,
      log: () => {},
    });
    const nowhere = [
      connect({ url: impostor.url }),
      connect({ certificateFile: fileIn('missing.pem') }),
      connect({ url: 'https://127.0.0.1:1' }),
    ];
    for (const each of nowhere) {
      assert.match(said(await each.rail.send(order(), noDeadline())), /^not_accepted no connection/);
      await each.rails.close();
    }
    await impostor.close();
    rmSync(stranger, { recursive: true });
  });
});
