/** Every payout provider, started for a test. Each rail's folder contains its row. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { EnvironmentVariables } from '../../../src/main/config/config.ts';
import { adyenTransfers } from '../../../src/rails/adyen-transfers/provider-under-test.ts';
import { dtOne } from '../../../src/rails/dt-one/provider-under-test.ts';
import { epoint } from '../../../src/rails/epoint/provider-under-test.ts';
import { freedomPay } from '../../../src/rails/freedom-pay/provider-under-test.ts';
import { mastercardSend } from '../../../src/rails/mastercard-send/provider-under-test.ts';
import { razorpayx } from '../../../src/rails/razorpayx/provider-under-test.ts';
import { visaDirect } from '../../../src/rails/visa-direct/provider-under-test.ts';
import { vopay } from '../../../src/rails/vopay/provider-under-test.ts';
import { wayforpay } from '../../../src/rails/wayforpay/provider-under-test.ts';
import {
  type BookLine,
  type Faults,
  type NamedPayout,
  type PayoutProviderRow,
  type Surroundings,
  settingsOf,
} from './payout-provider-row.ts';
import { type AskSimulator, readBook, simulatorAt } from './simulator-control.ts';

export type { BookLine, Faults, NamedPayout } from './payout-provider-row.ts';

const ROWS = {
  'adyen-transfers': adyenTransfers,
  'visa-direct': visaDirect,
  'mastercard-send': mastercardSend,
  wayforpay,
  'freedom-pay': freedomPay,
  epoint,
  razorpayx,
  'dt-one': dtOne,
  vopay,
} as const;

export type PayoutRailName = keyof typeof ROWS;

export type DelaysOf<Rail extends PayoutRailName> = Parameters<(typeof ROWS)[Rail]['start']>[1];

export const PAYOUT_PROVIDERS: { readonly [Rail in PayoutRailName]: PayoutProviderRow<DelaysOf<Rail>> } = ROWS;

export interface PayoutProvider {
  readonly url: string;
  /** The gateway's variables. */
  readonly variables: EnvironmentVariables;
  readonly control: AskSimulator;
  /** Sets the default faults with these changes. */
  faults(change?: Faults): Promise<void>;
  book(): Promise<readonly BookLine[]>;
  close(): Promise<void>;
}

export const PAYOUT_RAIL_NAMES = Object.keys(PAYOUT_PROVIDERS) as readonly PayoutRailName[];

/** Keeps the book in memory. Payouts complete as usual, with the changes in `usual`, until a test sets other faults. */
export async function startPayoutProvider<Rail extends PayoutRailName>(
  rail: Rail,
  { notifications, folder: all }: Surroundings,
  { delays, usual = {} }: { readonly delays: DelaysOf<Rail>; readonly usual?: Faults | undefined },
): Promise<PayoutProvider> {
  const row = PAYOUT_PROVIDERS[rail];
  const folder = join(all, rail);
  await mkdir(folder, { recursive: true });
  const started = await row.start({ notifications, folder }, delays);
  const url = row.gatewayVariables(started.url)[row.address] ?? '';
  const { secret } = settingsOf(row.simulator, {});
  const control = simulatorAt({ url: started.controlUrl ?? started.url, secret });
  const faults: PayoutProvider['faults'] = async (change = {}) =>
    void (await control('faults', { ...row.usual, ...usual, ...change }));
  await row.prepare?.(url, folder, control);
  await faults();
  return {
    url,
    variables: { [row.address]: url, ...row.variables?.(folder) },
    control,
    faults,
    book: () => readBook<BookLine>(control),
    close: () => started.close(),
  };
}

/** Returns how often a provider has accepted a payout and how often it paid it. */
export function standsInBook(rail: PayoutRailName, book: readonly BookLine[], payout: NamedPayout) {
  const { id, name, named } = PAYOUT_PROVIDERS[rail];
  const own = book.filter((line) => line[name] === named(payout));
  return { taken: new Set(own.map((line) => line[id])).size, paid: paidIn(rail, own).length };
}

/**
 * Returns our names of the payouts that a provider paid, once per payment. Each entry is a snapshot, whose payment may have
 * been reversed since.
 */
export function paidIn(rail: PayoutRailName, book: readonly BookLine[]): readonly string[] {
  const { id, name, paid } = PAYOUT_PROVIDERS[rail];
  const most = new Map<unknown, readonly string[]>();
  for (const line of book) {
    const names = Array<string>(paid(line)).fill(String(line[name]));
    if (names.length > (most.get(line[id])?.length ?? 0)) most.set(line[id], names);
  }
  return [...most.values()].flat();
}
