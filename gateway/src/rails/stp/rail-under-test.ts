/**
 * The test set-up of the rail and STP's simulator: both on a clock that the test moves, with made-up orders and a
 * generated key.
 */
import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '../../../../rail-simulators/src/manual-clock.ts';
import { startStp } from '../../../../rail-simulators/src/stp/server.ts';
import { NO_RAILS } from '../../../test/support/gateway/no-rails.ts';
import { simulatorAt } from '../../../test/support/rails/simulator-control.ts';
import type { PayoutOrder, PayoutRail } from '../../domain/payouts/payout-rail.ts';
import { systemRandom } from '../../foundation/random.ts';
import { createRails, type Rails } from '../registry.ts';
import { composeClabe } from './clabe.ts';
import type { StpConfiguration } from './configuration.ts';

export const STP_CLIENT = { empresa: 'GATEWAY', clabePrefix: '6461804990' };
const PAID_TO = composeClabe(STP_CLIENT.clabePrefix, 1n);
/** A Friday noon in Mexico City. */
export const FRIDAY_NOON = Date.UTC(2026, 10, 20, 18);

export interface StpConnection {
  readonly rail: PayoutRail;
  readonly rails: Rails;
  /** The rails that reported refused credentials. */
  readonly refusedCredentials: readonly string[];
}

export interface BenchSimulator {
  readonly url: string;
  /** Calls the simulator's control surface: GET without a body, POST with one. */
  control(what: string, body?: object): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

const CONTROL_SECRET = 'control';

export interface StpUnderTest {
  readonly clock: ManualClock;
  /** The folder of the key that `connect` uses. */
  readonly folder: string;
  /** Returns a new order on each call: returns 100.50 to its payer. */
  order(change?: Partial<PayoutOrder>, beneficiary?: Readonly<Record<string, string>>): PayoutOrder;
  /** Starts a simulator that knows the key that `connect` uses. */
  startSimulator(change?: { readonly rowsPerPage?: number }): Promise<BenchSimulator>;
  connect(url: string, change?: Partial<StpConfiguration>): StpConnection;
  close(): Promise<void>;
}

export async function openStpUnderTest(): Promise<StpUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-stp-rail-'));
  const clock = new ManualClock(FRIDAY_NOON);
  let orders = 0;
  return {
    clock,
    folder,
    order(change = {}, beneficiary = {}) {
      const reference = `${++orders}-AbCd1234`;
      return {
        reference,
        remittance: `M1/return:${orders}`,
        purpose: 'return',
        method: null,
        money: { currency: 'MXN', minor: 10_050n },
        beneficiary: {
          account: '012180015000000000',
          full_name: 'José Muñoz',
          institution: '40012',
          paid_to: PAID_TO,
          concept: 'Return PAGO-1/A',
          ...beneficiary,
        },
        sendUntil: clock.now() + 22_000,
        delayed: false,
        ...change,
      };
    },
    async startSimulator(change = {}) {
      const { url, close } = await startStp({
        host: '127.0.0.1',
        port: 0,
        secret: CONTROL_SECRET,
        ...STP_CLIENT,
        findPublicKey: () => createPublicKey(readFileSync(join(folder, 'public-key.pem'))),
        control: true,
        clock,
        log: () => {},
        ...change,
      });
      return { url, close, control: simulatorAt({ url, secret: CONTROL_SECRET }) };
    },
    connect(url, change = {}) {
      const refusedCredentials: string[] = [];
      const stp = {
        ...STP_CLIENT,
        url,
        ordersUrl: url,
        beneficiary: 'Tienda de México',
        privateKeyFile: join(folder, 'private-key.pem'),
        confirmAbove: 5_000_000n,
        allowList: [],
        concurrency: 4,
        simulated: true,
        ...change,
      };
      const rails = createRails(
        { ...NO_RAILS, stp },
        {
          hooks: { onCredentialRefused: (rail) => refusedCredentials.push(rail) },
          clock: { now: () => clock.now(), sleep: async () => {} },
          random: systemRandom,
        },
      );
      const [rail] = rails.payoutRails;
      assert.ok(rail);
      return { rail, rails, refusedCredentials };
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
