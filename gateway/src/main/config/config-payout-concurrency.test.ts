/** The number of concurrent payouts at each provider: the default, a value that the operator set, and the bounds. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { systemClock } from '../../foundation/clock.ts';
import { systemRandom } from '../../foundation/random.ts';
import { createRails } from '../../rails/registry.ts';
import { type EnvironmentVariables, readConfig } from './config.ts';

const NOWHERE = 'https://127.0.0.1:1';

const RAILS = [
  ['adyen-transfers', 'ADYEN_TRANSFERS_URL', 'ADYEN_TRANSFERS_CONCURRENCY', 16],
  ['dt-one', 'DT_ONE_URL', 'DT_ONE_CONCURRENCY', 4],
  ['epoint', 'EPOINT_URL', 'EPOINT_CONCURRENCY', 16],
  ['freedom-pay', 'FREEDOM_PAY_URL', 'FREEDOM_PAY_CONCURRENCY', 4],
  ['mastercard-send', 'MASTERCARD_SEND_URL', 'MASTERCARD_SEND_CONCURRENCY', 16],
  ['razorpayx', 'RAZORPAYX_URL', 'RAZORPAYX_CONCURRENCY', 4],
  ['stp', 'STP_URL', 'STP_CONCURRENCY', 4],
  ['visa-direct', 'VISA_DIRECT_URL', 'VISA_DIRECT_CONCURRENCY', 16],
  ['vopay', 'VOPAY_URL', 'VOPAY_PAYOUT_CONCURRENCY', 8],
  ['wayforpay', 'WAYFORPAY_URL', 'WAYFORPAY_CONCURRENCY', 16],
] as const;

async function placesAt(name: string, variables: EnvironmentVariables): Promise<number | undefined> {
  const read = readConfig(variables);
  assert.ok(read.ok, inspect(read));
  const hooks = { onCredentialRefused: () => undefined };
  const rails = createRails(read.value.rails, { hooks, clock: systemClock, random: systemRandom });
  await rails.close();
  return rails.payoutRails.find((rail) => rail.name === name)?.concurrency;
}

describe('the concurrent payouts of each rail', () => {
  for (const [name, address, variable, usual] of RAILS) {
    it(`${name} runs ${usual} concurrent payouts by default, or the configured number`, async () => {
      assert.equal(await placesAt(name, { [address]: NOWHERE }), usual);
      for (const places of [1, 512]) {
        assert.equal(await placesAt(name, { [address]: NOWHERE, [variable]: String(places) }), places);
      }
    });

    it(`the concurrency of ${name} accepts only 1 to 512`, () => {
      for (const text of ['0', '513', 'many']) {
        const read = readConfig({ [address]: NOWHERE, [variable]: text });
        assert.match(
          read.ok ? '' : read.error.join('; '),
          new RegExp(`${variable} accepts a whole number from 1 to 512`),
        );
      }
    });
  }
});
