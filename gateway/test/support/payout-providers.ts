/**
 * Every provider that sends payouts, as a table: how its simulator is started for a test, by which variables a gateway finds
 * it, what it is told so that payouts end at once or wait, and how its book is read. Both sides know each other by what
 * development has.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startAdyenTransfers } from '../../../rail-simulators/src/adyen-transfers/adyen-transfers-server.ts';
import { systemClock } from '../../../rail-simulators/src/clock.ts';
import { startDtOne } from '../../../rail-simulators/src/dt-one/dt-one-server.ts';
import { type AllSettings, readSettingsOf } from '../../../rail-simulators/src/environment.ts';
import { seal } from '../../../rail-simulators/src/epoint/envelope.ts';
import { startEpoint } from '../../../rail-simulators/src/epoint/epoint-server.ts';
import { startFreedomPay } from '../../../rail-simulators/src/freedom-pay/freedom-pay-server.ts';
import { startMastercardSend } from '../../../rail-simulators/src/mastercard-send/mastercard-send-server.ts';
import { publicKeyFile } from '../../../rail-simulators/src/mastercard-send/public-key-file.ts';
import { startRazorpayX } from '../../../rail-simulators/src/razorpayx/razorpayx-server.ts';
import { startVisaDirect } from '../../../rail-simulators/src/visa-direct/visa-direct-server.ts';
import { startVoPay } from '../../../rail-simulators/src/vopay/vopay-server.ts';
import { startWayForPay } from '../../../rail-simulators/src/wayforpay/wayforpay-server.ts';
import { Secret } from '../../src/foundation/secret.ts';
import type { EnvironmentVariables } from '../../src/main/config.ts';
import { cardHash } from '../../src/rails/epoint/registered-cards.ts';
import { VISA_CARD } from './payout-request.ts';
import { askSimulator } from './simulator-control.ts';

export type PayoutRailName =
  | 'adyen-transfers'
  | 'visa-direct'
  | 'mastercard-send'
  | 'wayforpay'
  | 'freedom-pay'
  | 'epoint'
  | 'razorpayx'
  | 'dt-one'
  | 'vopay';

/** What a provider's book may know a payout by. */
export interface NamedPayout {
  readonly reference: string;
  readonly transactionId: number;
}

/** A line of a provider's book. */
export type BookLine = Readonly<Record<string, unknown>>;

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

export interface PayoutProviderRow {
  readonly program: keyof AllSettings;
  /** The variable that says where the provider is; what follows its address. */
  readonly address: string;
  readonly prefix: string;
  readonly start: (surroundings: Surroundings) => Promise<Started>;
  /** The gateway's further variables. */
  readonly variables?: (folder: string) => EnvironmentVariables;
  /** What has to be done before anybody is paid. */
  readonly prepare?: (url: string, folder: string, control: PayoutProvider['control']) => Promise<void>;
  /** Every fault that a test may have switched on: without them a payout is taken and nobody is told of an end at once. */
  readonly usual: Readonly<Record<string, unknown>>;
  /** Of a line of the book: what tells payouts apart, our name of it, how often it has been paid. */
  readonly id: string;
  readonly name: string;
  readonly named: (payout: NamedPayout) => unknown;
  readonly paid: (line: BookLine) => number;
}

export interface PayoutProvider {
  readonly url: string;
  readonly variables: EnvironmentVariables;
  /** By GET, or by POST where there is a body. */
  control(what: string, body?: object): Promise<Record<string, unknown>>;
  /** As usual but for these. */
  faults(change?: Readonly<Record<string, unknown>>): Promise<void>;
  book(): Promise<readonly BookLine[]>;
  close(): Promise<void>;
}

const EDGE = { host: '127.0.0.1', port: 0, control: true, clock: systemClock, log: () => {} } as const;
/** Long enough to be seen waiting. */
const SETTLE_MS = 1_500;
/** Twice or three times to the end. */
const STEP_MS = 600;
/** Longer than Visa waits before it says that it has not finished. */
const UNFINISHED_MS = 6_000;
const HOLD_MS = 30_000;

/** What development has, but for the book, which is kept in memory. */
function settingsOf<Name extends keyof AllSettings>(name: Name, environment: Record<string, string>, folder = '/') {
  const { bookPath: _, port: __, ...settings } = readSettingsOf(name, environment, folder);
  return settings;
}

const byReference = ({ reference }: NamedPayout): unknown => reference;
const executions = ({ executions: count }: BookLine) => Number(count);

export const PAYOUT_PROVIDERS: Readonly<Record<PayoutRailName, PayoutProviderRow>> = {
  'adyen-transfers': {
    program: 'adyenTransfers',
    address: 'ADYEN_TRANSFERS_URL',
    prefix: '/btl/v4',
    start: ({ notifications }) => {
      const told = { ADYEN_TRANSFERS_WEBHOOK_URL: `${notifications}/adyen-transfers` };
      const delays = { stepMs: SETTLE_MS, lateMs: 300, holdMs: HOLD_MS };
      return startAdyenTransfers({ ...settingsOf('adyenTransfers', told), ...EDGE, delays });
    },
    usual: { answers: 'all', transfers: 'book', webhooks: 'on' },
    id: 'id',
    name: 'reference',
    named: byReference,
    paid: ({ status }) => Number(status === 'booked'),
  },
  'visa-direct': {
    program: 'visaDirect',
    address: 'VISA_DIRECT_URL',
    prefix: '',
    start({ folder }) {
      const settings = settingsOf('visaDirect', { VISA_DIRECT_CERTIFICATES: folder });
      const delays = { endMs: UNFINISHED_MS, holdMs: HOLD_MS };
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
    usual: { answers: 'all', timing: 'at_once', encryption: 'required' },
    id: 'transactionIdentifier',
    name: 'senderReference',
    named: ({ transactionId }) => String(transactionId),
    paid: ({ status, actionCode }) => Number(status === 'completed' && actionCode === '00'),
  },
  'mastercard-send': {
    program: 'mastercardSend',
    address: 'MASTERCARD_SEND_URL',
    prefix: '/send',
    start({ folder }) {
      const findPublicKey = publicKeyFile(join(folder, 'public-key.pem'));
      const delays = { endMs: STEP_MS, holdMs: HOLD_MS };
      return startMastercardSend({ ...settingsOf('mastercardSend', {}), ...EDGE, findPublicKey, delays });
    },
    variables: (folder) => ({ MASTERCARD_SEND_PRIVATE_KEY_FILE: join(folder, 'private-key.pem') }),
    usual: { answers: 'all', disbursements: 'approve' },
    id: 'id',
    name: 'reference',
    named: byReference,
    paid: ({ status }) => Number(status === 'APPROVED'),
  },
  wayforpay: {
    program: 'wayforpay',
    address: 'WAYFORPAY_URL',
    prefix: '',
    start: () => {
      const delays = { tellMs: 20, settleMs: SETTLE_MS, returnMs: HOLD_MS, lateMs: 300 };
      return startWayForPay({ ...settingsOf('wayforpay', {}), ...EDGE, delays });
    },
    usual: { payouts: 'approve', callbacks: 'off' },
    id: 'reference',
    name: 'reference',
    named: byReference,
    paid: executions,
  },
  'freedom-pay': {
    program: 'freedomPay',
    address: 'FREEDOM_PAY_URL',
    prefix: '',
    start: () => {
      const delays = { settleMs: SETTLE_MS, tellMs: 20, lateMs: 300, holdMs: HOLD_MS };
      return startFreedomPay({ ...settingsOf('freedomPay', {}), ...EDGE, delays });
    },
    usual: { payouts: 'take', notifications: 'off' },
    id: 'paymentId',
    name: 'orderId',
    named: ({ reference }) => reference.replace('-', ''),
    paid: ({ kind }) => Number(kind === 'paid'),
  },
  epoint: {
    program: 'epoint',
    address: 'EPOINT_URL',
    prefix: '/api/1',
    start: ({ notifications }) => {
      const told = { EPOINT_RESULT_URL: `${notifications}/epoint` };
      const delays = { tellMs: 20, settleMs: SETTLE_MS, returnMs: HOLD_MS };
      return startEpoint({ ...settingsOf('epoint', told), ...EDGE, delays });
    },
    variables: (folder) => ({ EPOINT_CARDS_FILE: join(folder, 'cards') }),
    prepare: registerCard,
    usual: { payouts: 'pay', callbacks: 'off' },
    id: 'transaction',
    name: 'orderId',
    named: byReference,
    paid: executions,
  },
  razorpayx: {
    program: 'razorpayx',
    address: 'RAZORPAYX_URL',
    prefix: '/v1',
    start: ({ notifications }) => {
      const told = { RAZORPAYX_WEBHOOK_URL: `${notifications}/razorpayx` };
      const delays = { settleMs: SETTLE_MS, reverseMs: HOLD_MS, lateMs: 300, holdMs: HOLD_MS };
      return startRazorpayX({ ...settingsOf('razorpayx', told), ...EDGE, delays });
    },
    usual: { calls: 'take', payouts: 'process', notifications: 'on' },
    id: 'id',
    name: 'reference',
    named: byReference,
    paid: executions,
  },
  'dt-one': {
    program: 'dtOne',
    address: 'DT_ONE_URL',
    prefix: '/v1',
    start: () => {
      const delays = { settleMs: STEP_MS, reverseMs: HOLD_MS, lateMs: 300, holdMs: HOLD_MS };
      return startDtOne({ ...settingsOf('dtOne', {}), ...EDGE, delays });
    },
    usual: { calls: 'take', look_ups: 'answer', transactions: 'complete', notifications: 'on' },
    id: 'id',
    name: 'externalId',
    named: byReference,
    paid: executions,
  },
  vopay: {
    program: 'vopay',
    address: 'VOPAY_URL',
    prefix: '/api/v2',
    start: ({ notifications }) => {
      const told = { VOPAY_WEBHOOK_URL: `${notifications}/vopay` };
      const delays = { sendMs: STEP_MS, settleMs: STEP_MS, lateMs: 300, webhookPauseMs: 2_000, holdMs: HOLD_MS };
      return startVoPay({ ...settingsOf('vopay', told), ...EDGE, delays });
    },
    usual: { payouts: 'take', notifications: 'on' },
    id: 'id',
    name: 'reference',
    // Of payments the same account has the bare reference.
    named: ({ reference }) => `P${reference}`,
    paid: ({ kind }) => Number(kind === 'credited'),
  },
};

export const PAYOUT_RAIL_NAMES = Object.keys(PAYOUT_PROVIDERS) as readonly PayoutRailName[];

/** Its payouts end as usual until it is told otherwise. */
export async function startPayoutProvider(
  rail: PayoutRailName,
  { notifications, folder: all }: Surroundings,
): Promise<PayoutProvider> {
  const row = PAYOUT_PROVIDERS[rail];
  const folder = join(all, rail);
  await mkdir(folder, { recursive: true });
  const started = await row.start({ notifications, folder });
  const url = started.url + row.prefix;
  const place = { url: started.controlUrl ?? started.url, secret: readSettingsOf(row.program, {}, '/').secret };
  const control: PayoutProvider['control'] = (what, body) => askSimulator(place, what, body);
  const faults: PayoutProvider['faults'] = async (change = {}) =>
    void (await control('faults', { ...row.usual, ...change }));
  await row.prepare?.(url, folder, control);
  await faults();
  return {
    url,
    variables: { [row.address]: url, ...row.variables?.(folder) },
    control,
    faults,
    book: async () => (await control('book'))['entries'] as readonly BookLine[],
    close: () => started.close(),
  };
}

/** How often a provider has taken a payout, and how often it has paid it. */
export function standsInBook(rail: PayoutRailName, book: readonly BookLine[], payout: NamedPayout) {
  const { id, name, named, paid } = PAYOUT_PROVIDERS[rail];
  const most = new Map<unknown, number>();
  for (const line of book)
    if (line[name] === named(payout)) most.set(line[id], Math.max(most.get(line[id]) ?? 0, paid(line)));
  return { taken: most.size, paid: [...most.values()].reduce((sum, count) => sum + count, 0) };
}

/** Epoint pays to a card only that its holder has typed on a page of Epoint's. */
async function registerCard(url: string, folder: string, control: PayoutProvider['control']): Promise<void> {
  const { publicKey, privateKey } = settingsOf('epoint', {});
  const form = seal({ public_key: publicKey, language: 'en', refund: '1' }, privateKey);
  const response = await fetch(`${url}/card-registration`, { method: 'POST', body: new URLSearchParams(form) });
  const { card_id: cardId } = (await response.json()) as { card_id: string };
  await control('register', { card_id: cardId, card: VISA_CARD });
  await writeFile(join(folder, 'cards'), `${cardHash(VISA_CARD, new Secret(privateKey))} ${cardId}\n`);
}
