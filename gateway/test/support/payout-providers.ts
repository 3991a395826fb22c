/**
 * Every provider that sends payouts, as a table: how its simulator is started for a test, by which variables a gateway finds
 * it, what it is told so that payouts end by themselves, and how its book is read. Both sides know each other by what
 * development has.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startAdyenTransfers } from '../../../rail-simulators/src/adyen-transfers/adyen-transfers-server.ts';
import { noFaults as adyenTransfersFaults } from '../../../rail-simulators/src/adyen-transfers/faults.ts';
import { systemClock } from '../../../rail-simulators/src/clock.ts';
import { startDtOne } from '../../../rail-simulators/src/dt-one/dt-one-server.ts';
import { noFaults as dtOneFaults } from '../../../rail-simulators/src/dt-one/faults.ts';
import { startEpoint } from '../../../rail-simulators/src/epoint/epoint-server.ts';
import { noFaults as epointFaults } from '../../../rail-simulators/src/epoint/faults.ts';
import { noFaults as freedomPayFaults } from '../../../rail-simulators/src/freedom-pay/faults.ts';
import { startFreedomPay } from '../../../rail-simulators/src/freedom-pay/freedom-pay-server.ts';
import { publicKeyFile } from '../../../rail-simulators/src/kernel/credentials.ts';
import { noFaults as mastercardSendFaults } from '../../../rail-simulators/src/mastercard-send/faults.ts';
import { startMastercardSend } from '../../../rail-simulators/src/mastercard-send/mastercard-send-server.ts';
import { noFaults as razorpayxFaults } from '../../../rail-simulators/src/razorpayx/faults.ts';
import { startRazorpayX } from '../../../rail-simulators/src/razorpayx/razorpayx-server.ts';
import { type AllSettings, readSettingsOf } from '../../../rail-simulators/src/simulators.ts';
import { noFaults as visaDirectFaults } from '../../../rail-simulators/src/visa-direct/faults.ts';
import { startVisaDirect } from '../../../rail-simulators/src/visa-direct/visa-direct-server.ts';
import { noFaults as vopayFaults } from '../../../rail-simulators/src/vopay/faults.ts';
import { startVoPay } from '../../../rail-simulators/src/vopay/vopay-server.ts';
import { noFaults as wayforpayFaults } from '../../../rail-simulators/src/wayforpay/faults.ts';
import { startWayForPay } from '../../../rail-simulators/src/wayforpay/wayforpay-server.ts';
import { Secret } from '../../src/foundation/secret.ts';
import type { EnvironmentVariables } from '../../src/main/config/config.ts';
import { identityOf } from '../../src/rails/visa-direct/transaction-identity.ts';
import { VISA_CARD } from './payout-request.ts';
import { registerCard } from './registered-card.ts';
import { type AskSimulator, readBook, simulatorAt } from './simulator-control.ts';

/** What a provider's book may know a payout by. */
export interface NamedPayout {
  readonly reference: string;
}

/** A line of a provider's book. */
export type BookLine = Readonly<Record<string, unknown>>;

export type Faults = Readonly<Record<string, unknown>>;

interface Started {
  readonly url: string;
  /** Where it is controlled, if elsewhere. */
  readonly controlUrl?: string;
  close(): Promise<void>;
}

interface Surroundings {
  /** Where a gateway is told: `…/rail-notifications`. */
  readonly notifications: string;
  /** Of its own, for certificates and keys. */
  readonly folder: string;
}

const STARTS = {
  'adyen-transfers': startAdyenTransfers,
  'visa-direct': startVisaDirect,
  'mastercard-send': startMastercardSend,
  wayforpay: startWayForPay,
  'freedom-pay': startFreedomPay,
  epoint: startEpoint,
  razorpayx: startRazorpayX,
  'dt-one': startDtOne,
  vopay: startVoPay,
} as const;

export type PayoutRailName = keyof typeof STARTS;

/** How long a provider takes over what it does by itself. */
export type DelaysOf<Rail extends PayoutRailName> = NonNullable<Parameters<(typeof STARTS)[Rail]>[0]['delays']>;

export interface PayoutProviderRow<Rail extends PayoutRailName> {
  readonly program: keyof AllSettings;
  /** The variable that says where the provider is; what follows its address. */
  readonly address: string;
  readonly prefix: string;
  readonly start: (surroundings: Surroundings, delays: DelaysOf<Rail>) => Promise<Started>;
  /** The gateway's further variables. */
  readonly variables?: (folder: string) => EnvironmentVariables;
  /** What has to be done before anybody is paid. */
  readonly prepare?: (url: string, folder: string, control: AskSimulator) => Promise<unknown>;
  /** All its faults, where a test asks for no others: no amount is magic, and a payout is executed, at once where it can be. */
  readonly usual: Faults;
  /** Of a line of the book: what tells payouts apart, our name of it, how often it has been paid. */
  readonly id: string;
  readonly name: string;
  readonly named: (payout: NamedPayout) => string;
  readonly paid: (line: BookLine) => number;
}

export interface PayoutProvider {
  readonly url: string;
  /** The gateway's. */
  readonly variables: EnvironmentVariables;
  readonly control: AskSimulator;
  /** As usual but for these. */
  faults(change?: Faults): Promise<void>;
  book(): Promise<readonly BookLine[]>;
  close(): Promise<void>;
}

const EDGE = { host: '127.0.0.1', port: 0, control: true, clock: systemClock, log: () => {} } as const;

/** What development has, but for the book, which is kept in memory. */
function settingsOf<Name extends keyof AllSettings>(name: Name, environment: Record<string, string>, folder = '/') {
  const { bookPath: _, port: __, ...settings } = readSettingsOf(name, environment, folder);
  return settings;
}

const byReference = ({ reference }: NamedPayout): string => reference;
const executions = ({ executions: count }: BookLine) => Number(count);

export const PAYOUT_PROVIDERS: { readonly [Rail in PayoutRailName]: PayoutProviderRow<Rail> } = {
  'adyen-transfers': {
    program: 'adyenTransfers',
    address: 'ADYEN_TRANSFERS_URL',
    prefix: '/btl/v4',
    start({ notifications }, delays) {
      const told = { ADYEN_TRANSFERS_WEBHOOK_URL: `${notifications}/adyen-transfers` };
      return startAdyenTransfers({ ...settingsOf('adyenTransfers', told), ...EDGE, delays });
    },
    usual: { ...adyenTransfersFaults, transfers: 'book' },
    id: 'id',
    name: 'reference',
    named: byReference,
    paid: ({ status }) => Number(status === 'booked'),
  },
  'visa-direct': {
    program: 'visaDirect',
    address: 'VISA_DIRECT_URL',
    prefix: '',
    start({ folder }, delays) {
      const settings = settingsOf('visaDirect', { VISA_DIRECT_CERTIFICATES: folder });
      return startVisaDirect({ ...settings, ...EDGE, controlPort: 0, delays });
    },
    variables: (folder) => ({
      VISA_DIRECT_CERTIFICATE_FILE: join(folder, 'client-certificate.pem'),
      VISA_DIRECT_PRIVATE_KEY_FILE: join(folder, 'client-key.pem'),
      VISA_DIRECT_CA_FILE: join(folder, 'ca.pem'),
      VISA_DIRECT_KEY_ID: 'simulated-key-id',
      VISA_DIRECT_ENCRYPTION_FILE: join(folder, 'encryption-key.pem'),
      VISA_DIRECT_DECRYPTION_KEY_FILE: join(folder, 'decryption-key.pem'),
    }),
    usual: { ...visaDirectFaults, action_code: '00', encryption: 'required' },
    id: 'transactionIdentifier',
    name: 'senderReference',
    named: ({ reference }) => identityOf(reference).senderReference,
    paid: ({ status, actionCode }) => Number(status === 'completed' && actionCode === '00'),
  },
  'mastercard-send': {
    program: 'mastercardSend',
    address: 'MASTERCARD_SEND_URL',
    prefix: '/send',
    start({ folder }, delays) {
      const findPublicKey = publicKeyFile(join(folder, 'public-key.pem'));
      return startMastercardSend({ ...settingsOf('mastercardSend', {}), ...EDGE, findPublicKey, delays });
    },
    variables: (folder) => ({ MASTERCARD_SEND_PRIVATE_KEY_FILE: join(folder, 'private-key.pem') }),
    usual: { ...mastercardSendFaults, disbursements: 'approve' },
    id: 'id',
    name: 'reference',
    named: byReference,
    paid: ({ status }) => Number(status === 'APPROVED'),
  },
  wayforpay: {
    program: 'wayforpay',
    address: 'WAYFORPAY_URL',
    prefix: '',
    start: (_, delays) => startWayForPay({ ...settingsOf('wayforpay', {}), ...EDGE, delays }),
    usual: { ...wayforpayFaults, payouts: 'approve' },
    id: 'reference',
    name: 'reference',
    named: byReference,
    paid: executions,
  },
  'freedom-pay': {
    program: 'freedomPay',
    address: 'FREEDOM_PAY_URL',
    prefix: '',
    start: (_, delays) => startFreedomPay({ ...settingsOf('freedomPay', {}), ...EDGE, delays }),
    usual: { ...freedomPayFaults, payouts: 'take' },
    id: 'paymentId',
    name: 'orderId',
    named: byReference,
    paid: ({ kind }) => Number(kind === 'paid'),
  },
  epoint: {
    program: 'epoint',
    address: 'EPOINT_URL',
    prefix: '/api/1',
    start({ notifications }, delays) {
      const told = { EPOINT_RESULT_URL: `${notifications}/epoint` };
      return startEpoint({ ...settingsOf('epoint', told), ...EDGE, delays });
    },
    variables: (folder) => ({ EPOINT_CARDS_FILE: join(folder, 'cards') }),
    prepare(url, folder, control) {
      const { publicKey, privateKey } = settingsOf('epoint', {});
      const account = { publicKey, privateKey: new Secret(privateKey) };
      return registerCard(VISA_CARD, { url, account, cardsFile: join(folder, 'cards') }, control);
    },
    usual: { ...epointFaults, payouts: 'pay' },
    id: 'transaction',
    name: 'orderId',
    named: byReference,
    paid: ({ transaction, executions: count }) => (transaction === undefined ? 0 : Number(count)),
  },
  razorpayx: {
    program: 'razorpayx',
    address: 'RAZORPAYX_URL',
    prefix: '/v1',
    start({ notifications }, delays) {
      const told = { RAZORPAYX_WEBHOOK_URL: `${notifications}/razorpayx` };
      return startRazorpayX({ ...settingsOf('razorpayx', told), ...EDGE, delays });
    },
    usual: { ...razorpayxFaults, payouts: 'process' },
    id: 'id',
    name: 'reference',
    named: byReference,
    paid: executions,
  },
  'dt-one': {
    program: 'dtOne',
    address: 'DT_ONE_URL',
    prefix: '/v1',
    start: (_, delays) => startDtOne({ ...settingsOf('dtOne', {}), ...EDGE, delays }),
    usual: { ...dtOneFaults, transactions: 'complete' },
    id: 'id',
    name: 'externalId',
    named: byReference,
    paid: executions,
  },
  vopay: {
    program: 'vopay',
    address: 'VOPAY_URL',
    prefix: '/api/v2',
    start({ notifications }, delays) {
      const told = { VOPAY_WEBHOOK_URL: `${notifications}/vopay` };
      return startVoPay({ ...settingsOf('vopay', told), ...EDGE, delays });
    },
    usual: vopayFaults,
    id: 'id',
    name: 'reference',
    // Of payments the same account has the bare reference.
    named: ({ reference }) => `P${reference}`,
    paid: ({ kind }) => Number(kind === 'credited'),
  },
};

export const PAYOUT_RAIL_NAMES = Object.keys(PAYOUT_PROVIDERS) as readonly PayoutRailName[];

/** In memory. Its payouts end as usual, but for `usual`, until it is told otherwise. */
export async function startPayoutProvider<Rail extends PayoutRailName>(
  rail: Rail,
  { notifications, folder: all }: Surroundings,
  { delays, usual = {} }: { readonly delays: DelaysOf<Rail>; readonly usual?: Faults | undefined },
): Promise<PayoutProvider> {
  const row: PayoutProviderRow<Rail> = PAYOUT_PROVIDERS[rail];
  const folder = join(all, rail);
  await mkdir(folder, { recursive: true });
  const started = await row.start({ notifications, folder }, delays);
  const url = started.url + row.prefix;
  const { secret } = readSettingsOf(row.program, {}, '/');
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

/** How often a provider has taken a payout, and how often it has paid it. */
export function standsInBook(rail: PayoutRailName, book: readonly BookLine[], payout: NamedPayout) {
  const { id, name, named } = PAYOUT_PROVIDERS[rail];
  const own = book.filter((line) => line[name] === named(payout));
  return { taken: new Set(own.map((line) => line[id])).size, paid: paidIn(rail, own).length };
}

/** Our names of what a provider has paid, once for each time. Each line is a snapshot, of what may have come back since. */
export function paidIn(rail: PayoutRailName, book: readonly BookLine[]): readonly string[] {
  const { id, name, paid } = PAYOUT_PROVIDERS[rail];
  const most = new Map<unknown, readonly string[]>();
  for (const line of book) {
    const names = Array<string>(paid(line)).fill(String(line[name]));
    if (names.length > (most.get(line[id])?.length ?? 0)) most.set(line[id], names);
  }
  return [...most.values()].flat();
}
