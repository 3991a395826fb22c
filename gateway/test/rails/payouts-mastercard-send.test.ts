/**
 * Payouts to Mastercard's cards through Mastercard Send, end to end: a signed request, worker, connector, simulator, the verified
 * callback. Mastercard tells nothing by itself, so that everything is answered or asked for. In the end its book has each payout
 * that succeeded once, and the gateway's books are right.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { systemClock } from '../../../rail-simulators/src/clock.ts';
import { readSettingsOf } from '../../../rail-simulators/src/environment.ts';
import type { BookEntry } from '../../../rail-simulators/src/mastercard-send/book.ts';
import { noFaults } from '../../../rail-simulators/src/mastercard-send/faults.ts';
import { startMastercardSend } from '../../../rail-simulators/src/mastercard-send/mastercard-send-server.ts';
import { publicKeyFile } from '../../../rail-simulators/src/mastercard-send/public-key-file.ts';
import type { ProviderServer } from '../../../rail-simulators/src/provider-server/start-provider.ts';
import { MASTERCARD } from '../support/payout-request.ts';
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
let mastercard: ProviderServer;
const succeeded: string[] = [];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payouts-mastercard-send-'));
  const { secret, partnerId, consumerKey } = readSettingsOf('mastercardSend', {}, folder);
  mastercard = await startMastercardSend({
    ...{ secret, partnerId, consumerKey, findPublicKey: publicKeyFile(join(folder, 'public-key.pem')) },
    ...{ host: '127.0.0.1', port: 0, control: true, clock: systemClock, log: () => {} },
    delays: { endMs: 400, holdMs: 5_000 },
  });
  gateway = await startGateway({
    withoutBank: true,
    variables: {
      MASTERCARD_SEND_URL: `${mastercard.url}/send`,
      MASTERCARD_SEND_PRIVATE_KEY_FILE: join(folder, 'private-key.pem'),
    },
    pace: SHORT_PATIENCE,
  });
});

after(async () => {
  await faults({});
  await assertReconciled(gateway, 'mastercard-send');
  const summary = await control('summary');
  const { entries } = (await control('book')) as unknown as { entries: BookEntry[] };
  await mastercard.close();
  const cards = gateway.log.filter((line) => line.includes(MASTERCARD));
  const madeByBank = await gateway.bank.wholeBook();
  await gateway.verifyAndStop();
  await rm(folder, { recursive: true });
  assert.deepEqual(summary['paid_over_once'], []);
  const paid = entries.filter(({ status }) => status === 'APPROVED').map(({ reference }) => reference);
  assert.deepEqual(paid.toSorted(), succeeded.toSorted(), 'each that succeeded was paid once, and no other');
  assert.deepEqual(madeByBank, [], 'no other rail carried any of them');
  assert.deepEqual(cards, [], 'no card number in the log');
});
beforeEach(() => faults({}));

const control = (what: string, body?: object) =>
  askSimulator({ url: mastercard.url, secret: 'mastercard-send-control-secret' }, what, body);
const faults = (change: object) => control('faults', { ...noFaults, ...change });

async function attemptsOf({ merchant, payoutId }: PayoutTrial) {
  const found = await gateway.operations.payouts.find({ merchantId: merchant.id, payoutId });
  return found?.attempts ?? assert.fail();
}

async function succeeds(trial: PayoutTrial): Promise<void> {
  assert.equal(await endOf(gateway, trial), 'Success 0');
  succeeded.push((await attemptsOf(trial))[0]?.reference ?? assert.fail());
  await assertStands(gateway, trial, { end: 'Success 0', balance: '90.00' });
}

async function isBlocked(trial: PayoutTrial, code: string): Promise<void> {
  assert.equal(await endOf(gateway, trial), `Blocked ${code}`);
  await assertStands(gateway, trial, { end: `Blocked ${code}`, balance: '100.00' });
}

describe('a payout to a Mastercard through Mastercard Send', () => {
  const successes: readonly (readonly [what: string, change: object])[] = [
    ['that is approved', {}],
    ['that is unknown at first', { disbursements: 'unknown_then_approve' }],
    ['that is pending at first', { disbursements: 'pending_then_approve' }],
    ['that is done and never answered', { answers: 'take_unanswered' }],
    ['that is done and answered 500', { answers: 'take_500' }],
    ['that is done and answered with what can’t be read', { answers: 'take_garbled' }],
  ];
  for (const [what, change] of successes) {
    it(`${what} succeeds, once`, async () => {
      await faults(change);
      await succeeds(await beginPayout(gateway, 23));
    });
  }

  const declines: readonly (readonly [what: string, change: object, code: string])[] = [
    ['that is declined with 201', { disbursements: 'decline' }, '51'],
    ['that is declined with 402', { disbursements: 'decline', decline_details: false }, '51'],
    ['to a card that has expired', { disbursements: 'decline', network_code: '54' }, '52'],
    ['that is over a limit', { disbursements: 'decline', network_code: '61' }, '53'],
    ['that is unknown at first and then declined', { disbursements: 'unknown_then_decline' }, '51'],
    ['to an account that is none', { invalid_source: 'recipient_account_uri' }, '52'],
  ];
  for (const [what, change, code] of declines) {
    it(`${what} is blocked`, async () => {
      await faults(change);
      await isBlocked(await beginPayout(gateway, 23), code);
    });
  }

  it('that was lost on its way is sent again once that is proved, and succeeds, once', async () => {
    await faults({ answers: 'lose' });
    const trial = await beginPayout(gateway, 23);
    await until('it is asked about', async () => (await attemptsOf(trial))[0]?.outcome === 'unknown');
    await faults({});
    await succeeds(trial);
    const attempts = await attemptsOf(trial);
    assert.equal(attempts[0]?.outcome, 'not_taken');
    assert.equal(new Set(attempts.map(({ reference }) => reference)).size, 1, 'always under one reference');
  });

  it('that is not listed yet is sent again, known by Mastercard, and paid once', async () => {
    await faults({ answers: 'take_500', queries: 'not_yet' });
    const trial = await beginPayout(gateway, 23);
    await until('it is sent again', async () => (await attemptsOf(trial)).length > 1);
    await faults({});
    await succeeds(trial);
  });

  it('that came back before anybody knew it paid is blocked', async () => {
    await faults({ answers: 'take_500', queries: 'not_yet' });
    const trial = await beginPayout(gateway, 23);
    await until('it is asked about', async () => (await attemptsOf(trial))[0]?.outcome === 'unknown');
    const reference = (await attemptsOf(trial))[0]?.reference ?? assert.fail();
    await control('reverse', { reference });
    await faults({});
    assert.equal(await endOf(gateway, trial), 'Blocked 50');
    succeeded.push(reference);
    await assertStands(gateway, trial, { end: 'Blocked 50', balance: '100.00' });
  });
});
