/**
 * Payouts to Visa cards through Visa Direct, end to end: a signed request, worker, connector, simulator, the verified callback.
 * Visa tells nothing by itself, so that everything is answered or asked for; whole messages are encrypted. In the end Visa's book has each payout that succeeded
 * once, and the gateway's books are right.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { systemClock } from '../../../rail-simulators/src/clock.ts';
import { readSettingsOf } from '../../../rail-simulators/src/environment.ts';
import type { BookEntry } from '../../../rail-simulators/src/visa-direct/book.ts';
import { noFaults } from '../../../rail-simulators/src/visa-direct/faults.ts';
import { startVisaDirect, type VisaDirectServer } from '../../../rail-simulators/src/visa-direct/visa-direct-server.ts';
import { VISA_CARD } from '../support/payout-request.ts';
import {
  assertReconciled,
  assertStands,
  beginPayout,
  endOf,
  type PayoutTrial,
  SHORT_PATIENCE,
} from '../support/payout-trial.ts';
import { type RunningGateway, startGateway } from '../support/running-gateway.ts';
import { askSimulator } from '../support/simulator-control.ts';
import { until } from '../support/until.ts';

let folder = '';
let gateway: RunningGateway;
let visa: VisaDirectServer;
const succeeded: string[] = [];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payouts-visa-direct-'));
  const { secret, userId, password, acquiringBin } = readSettingsOf('visaDirect', {}, folder);
  visa = await startVisaDirect({
    ...{ secret, userId, password, acquiringBin, certificateFolder: folder, encryption: true },
    ...{ host: '127.0.0.1', port: 0, controlPort: 0, control: true, clock: systemClock, log: () => {} },
    delays: { endMs: 400, holdMs: 5_000 },
  });
  gateway = await startGateway({
    withoutBank: true,
    variables: {
      VISA_DIRECT_URL: visa.url,
      VISA_DIRECT_CERTIFICATE_FILE: join(folder, 'client-certificate.pem'),
      VISA_DIRECT_PRIVATE_KEY_FILE: join(folder, 'client-key.pem'),
      VISA_DIRECT_CA_FILE: join(folder, 'ca.pem'),
      VISA_DIRECT_KEY_ID: 'simulated-key-id',
      VISA_DIRECT_ENCRYPTION_FILE: join(folder, 'encryption-key.pem'),
      VISA_DIRECT_DECRYPTION_KEY_FILE: join(folder, 'decryption-key.pem'),
    },
    pace: SHORT_PATIENCE,
  });
});

after(async () => {
  await faults({});
  await assertReconciled(gateway, 'visa-direct');
  const summary = await control('summary');
  const { entries } = (await control('book')) as unknown as { entries: BookEntry[] };
  await visa.close();
  const cards = gateway.log.filter((line) => line.includes(VISA_CARD));
  const madeByBank = await gateway.bank.wholeBook();
  await gateway.verifyAndStop();
  await rm(folder, { recursive: true });
  assert.deepEqual(summary['paid_over_once'], []);
  const paid = entries.filter(({ kind, actionCode }) => kind === 'completed' && actionCode === '00');
  const references = paid.map(({ senderReference }) => senderReference);
  assert.deepEqual(references.toSorted(), succeeded.toSorted(), 'each that succeeded was paid once, and no other');
  assert.deepEqual(madeByBank, [], 'no other rail carried any of them');
  assert.deepEqual(cards, [], 'no card number in the log');
});
beforeEach(() => faults({}));

const control = (what: string, body?: object) =>
  askSimulator({ url: visa.controlUrl, secret: 'visa-direct-control-secret' }, what, body);
const faults = (change: object) => control('faults', { ...noFaults, encryption: 'required', ...change });

async function recordOf({ merchant, payoutId }: PayoutTrial) {
  return (await gateway.operations.payouts.find({ merchantId: merchant.id, payoutId })) ?? assert.fail();
}

async function succeeds(trial: PayoutTrial): Promise<void> {
  assert.equal(await endOf(gateway, trial), 'Success 0');
  succeeded.push(String((await recordOf(trial)).payout.transactionId));
  await assertStands(gateway, trial, { end: 'Success 0', balance: '90.00' });
}

async function isBlocked(trial: PayoutTrial, code: string): Promise<void> {
  assert.equal(await endOf(gateway, trial), `Blocked ${code}`);
  await assertStands(gateway, trial, { end: `Blocked ${code}`, balance: '100.00' });
}

describe('a payout to a Visa card through Visa Direct', () => {
  const successes: readonly (readonly [what: string, change: object])[] = [
    ['that is approved', {}],
    ['that is done and never answered', { answers: 'take_unanswered' }],
    ['that is done and answered 500', { answers: 'take_500' }],
    ['that Visa has not finished, with the identifier in JSON', { timing: 'late_json' }],
    ['that Visa has not finished, with the identifier bare', { timing: 'late_text' }],
  ];
  for (const [what, change] of successes) {
    it(`${what} succeeds, once`, async () => {
      await faults(change);
      await succeeds(await beginPayout(gateway, 22));
    });
  }

  const declines: readonly (readonly [what: string, change: object, code: string])[] = [
    ['that is declined with HTTP 200', { action_code: '05' }, '51'],
    ['to a card that is none', { action_code: '14' }, '52'],
    ['that is over a limit', { action_code: '61' }, '53'],
    ['whose issuer could not be reached, looked up', { action_code: '91' }, '51'],
    ['that is declined later', { timing: 'late_json', action_code: '05' }, '51'],
    ['to a country that is restricted', { validation: 'restricted' }, '52'],
  ];
  for (const [what, change, code] of declines) {
    it(`${what} is blocked`, async () => {
      await faults(change);
      await isBlocked(await beginPayout(gateway, 22), code);
    });
  }

  it('that was lost on its way is sent again once that is proved, and succeeds, once', async () => {
    await faults({ answers: 'lose' });
    const trial = await beginPayout(gateway, 22);
    await until('it is asked about', async () => (await recordOf(trial)).attempts[0]?.outcome === 'unknown');
    await faults({});
    await succeeds(trial);
    const { attempts } = await recordOf(trial);
    assert.equal(attempts[0]?.outcome, 'not_taken');
    assert.equal(new Set(attempts.map(({ reference }) => reference)).size, 1, 'always under one reference');
  });

  it('that is not listed yet is sent again, known by Visa, and paid once', async () => {
    await faults({ answers: 'take_500', queries: 'not_yet' });
    const trial = await beginPayout(gateway, 22);
    await until('it is asked about', async () => (await recordOf(trial)).attempts[0]?.outcome === 'unknown');
    await faults({ queries: 'not_yet' });
    await succeeds(trial);
  });

  it('that was undone before anybody knew it done is blocked', async () => {
    await faults({ answers: 'take_500', queries: 'not_yet' });
    const trial = await beginPayout(gateway, 22);
    await until('it is asked about', async () => (await recordOf(trial)).attempts[0]?.outcome === 'unknown');
    const transactionId = String((await recordOf(trial)).payout.transactionId);
    await control('reverse', { sender_reference: transactionId });
    await faults({});
    assert.equal(await endOf(gateway, trial), 'Blocked 50');
    succeeded.push(transactionId);
    await assertStands(gateway, trial, { end: 'Blocked 50', balance: '100.00' });
  });
});
