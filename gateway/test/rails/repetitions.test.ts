/**
 * A second request with the same reference at each payout provider, as in the table of docs/operations/payout-rails.md. Each
 * rail sends an order twice without a query in between. The simulators' books count the payments.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PayoutOrder } from '../../src/domain/payouts/payout-rail.ts';
import { systemClock } from '../../src/foundation/clock.ts';
import type { Currency } from '../../src/foundation/currency.ts';
import { systemRandom } from '../../src/foundation/random.ts';
import { readConfig } from '../../src/main/config/config.ts';
import { createRails } from '../../src/rails/registry.ts';
import { EXAMPLE_PAYOUTS } from '../support/payouts/payout-request.ts';
import {
  type Faults,
  PAYOUT_PROVIDERS,
  PAYOUT_RAIL_NAMES,
  type PayoutRailName,
  paidIn,
  startPayoutProvider,
} from '../support/rails/payout-providers.ts';
import { noDeadline } from '../support/tools/deadlines.ts';
import { until } from '../support/tools/until.ts';

interface Case {
  readonly method: number;
  /** How often the provider pays an order that it receives twice. */
  readonly paid: 1 | 2;
  /** Faults under which a provider has lost the first request, if duplicate detection is not guaranteed or expires. */
  readonly forgets?: Faults;
  /** How often the provider then pays the order. */
  readonly paidAfterwards?: 1 | 2;
}

const CASES: Readonly<Record<PayoutRailName, Case>> = {
  'adyen-transfers': { method: 8, paid: 1 },
  'dt-one': { method: 24, paid: 1 },
  epoint: { method: 11, paid: 2 },
  'freedom-pay': { method: 12, paid: 2 },
  'mastercard-send': { method: 23, paid: 1 },
  razorpayx: { method: 26, paid: 1 },
  'visa-direct': { method: 22, paid: 1 },
  // VoPay holds the second transaction until it is confirmed, and the rail does not confirm a duplicate.
  vopay: { method: 92, paid: 1, forgets: { repetitions: 'forget' }, paidAfterwards: 1 },
  wayforpay: { method: 1, paid: 1, forgets: { dedupe: false }, paidAfterwards: 2 },
};

const folder = await mkdtemp(join(tmpdir(), 'repetitions-'));
after(() => rm(folder, { recursive: true }));

/** A time longer than a simulator takes to pay the second copy. */
const SECOND_COPY_MS = 1_500;
const NOTIFICATIONS = 'http://127.0.0.1:9/rail-notifications';

function orderOf(rail: PayoutRailName, number: number): PayoutOrder {
  const { method } = CASES[rail];
  const { currency, ...beneficiary } = EXAMPLE_PAYOUTS[method] ?? assert.fail(rail);
  return {
    reference: `P0123456789ABCDEF0123456789A${number}`,
    remittance: `M1/A${number}`,
    purpose: 'payout',
    method,
    money: { currency: currency as Currency, minor: 1_000n },
    beneficiary,
    sendUntil: systemClock.now(),
    delayed: false,
  };
}

/** Returns how often the provider pays an order that the rail sends twice. */
async function countPayments(rail: PayoutRailName, number: number, faults: Faults = {}): Promise<number> {
  const { killDelays: delays, named } = PAYOUT_PROVIDERS[rail];
  const own = join(folder, `${rail}-${number}`);
  const around = { notifications: NOTIFICATIONS, folder: own };
  const provider = await startPayoutProvider(rail, around, { delays, usual: { ...faults } });
  const config = readConfig({ ...provider.variables, PUBLIC_URL: 'http://127.0.0.1:9', STAND_IN_BANK_URL: '' });
  assert(config.ok, JSON.stringify(config));
  const parts = { hooks: { onCredentialRefused: () => {} }, clock: systemClock, random: systemRandom };
  const rails = createRails(config.value.rails, parts);
  try {
    const port = rails.payoutRails.find(({ name }) => name === rail) ?? assert.fail(rail);
    const order = orderOf(rail, number);
    const first = await port.send(order, noDeadline());
    assert(first.kind === 'pending' || first.kind === 'executed', JSON.stringify(first));
    await port.send(order, noDeadline());
    const paid = async () => paidIn(rail, await provider.book()).filter((name) => name === named(order)).length;
    await until(`${rail} has paid`, async () => (await paid()) > 0);
    await sleep(SECOND_COPY_MS);
    return await paid();
  } finally {
    await rails.close();
    await provider.close();
  }
}

describe('a payout that a rail sends twice under one reference', () => {
  for (const rail of PAYOUT_RAIL_NAMES) {
    const { paid, forgets, paidAfterwards } = CASES[rail];
    it(`${rail} pays an order that it receives twice ${paid === 1 ? 'once' : 'twice'}`, async () => {
      assert.equal(await countPayments(rail, 1), paid);
    });
    if (forgets)
      it(`${rail} pays a repeated order ${paidAfterwards === 1 ? 'once' : 'twice'} after it dropped the first request’s key`, async () => {
        assert.equal(await countPayments(rail, 2, forgets), paidAfterwards);
      });
  }

  it('the table of repetitions has a row for each rail that pays out, and names those that pay again', async () => {
    const page = await readFile(join(import.meta.dirname, '../../../docs/operations/payout-rails.md'), 'utf8');
    const table = page.slice(page.indexOf('## Repetitions'), page.indexOf('## Declines'));
    for (const rail of PAYOUT_RAIL_NAMES) {
      const row = table.split('\n').find((line) => line.startsWith(`| \`${rail}\` |`)) ?? assert.fail(rail);
      assert.equal(row.includes('**pays again**'), CASES[rail].paid === 2, rail);
    }
  });
});
