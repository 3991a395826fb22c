/**
 * The test set-up of the rail: Epoint's simulator with the rail connected to it, registered cards, and a listener for
 * its callbacks.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEpoint } from '../../../../rail-simulators/src/epoint/server.ts';
import { ManualClock } from '../../../../rail-simulators/src/manual-clock.ts';
import {
  connectRail,
  EDGE,
  openRailListener,
  openRailUnderTest,
  type RailConnection,
  type RailUnderTest,
  sleepless,
} from '../../../test/support/rails/rail-under-test.ts';
import { registerCard } from '../../../test/support/rails/registered-card.ts';
import type { PayoutOrder } from '../../domain/payouts/payout-rail.ts';
import { Secret } from '../../foundation/secret.ts';
import type { EpointConfiguration } from './configuration.ts';

/** The example of Epoint's description. */
const ACCOUNT = { publicKey: 'i000000001', privateKey: 'd3hjsl38sd8kdfhbcea0be04eafde9e8e2bad2fb092d' };

export const CARD = '4111111111111111';
export const UNREGISTERED_CARD = '5555555555554444';

export type EpointConnection = RailConnection;

export interface EpointUnderTest extends RailUnderTest, EpointConnection {
  /** Returns a new order on each call: 30.75 AZN to the registered card. */
  order(change?: Partial<PayoutOrder>): PayoutOrder;
  connect(change?: Partial<EpointConfiguration>): EpointConnection;
}

/** A reset keeps the registered card. */
export async function openEpointUnderTest(): Promise<EpointUnderTest> {
  const clock = new ManualClock(Date.UTC(2026, 10, 20, 18));
  const folder = await mkdtemp(join(tmpdir(), 'epoint-cards-'));
  const cardsFile = join(folder, 'cards');
  const listener = await openRailListener('epoint', (notification) => own.notifications.read(notification));
  const simulator = await startEpoint({ ...EDGE, ...ACCOUNT, resultUrl: listener.url, clock });
  const account = { publicKey: ACCOUNT.publicKey, privateKey: new Secret(ACCOUNT.privateKey) };
  const configuration = { url: `${simulator.url}/api/1`, ...account, cardsFile, concurrency: 4, simulated: true };
  const connect = (change: Partial<EpointConfiguration> = {}) =>
    connectRail({ epoint: { ...configuration, ...change } }, sleepless(clock));
  const own = connect();
  const bench = openRailUnderTest(simulator, clock, listener);
  async function reset(): Promise<void> {
    await bench.reset();
    await writeFile(cardsFile, '# which card is registered\n');
    await registerCard(CARD, { ...configuration, account }, bench.control);
    await bench.untilNotified(1);
    bench.notified.length = 0;
  }
  let orders = 0;
  await reset();
  return {
    ...own,
    ...bench,
    reset,
    order: (change = {}) => orderOf(++orders, change),
    connect,
    async close() {
      await own.close();
      await simulator.close();
      await listener.close();
      await rm(folder, { recursive: true });
    },
  };
}

function orderOf(number: number, change: Partial<PayoutOrder>): PayoutOrder {
  return {
    reference: `${number}-AbCd1234`,
    remittance: `M1/A${number}`,
    purpose: 'payout',
    method: 11,
    money: { currency: 'AZN', minor: 3_075n },
    beneficiary: { account: new Secret(CARD) },
    sendUntil: 0,
    delayed: false,
    ...change,
  };
}
