/**
 * The moments at which tests kill a gateway that pays out: how each is reached by holding what the gateway says or hears just
 * then, how a payout stands when the gateway is dead, and how it must end.
 *
 * What the gateway writes of a payout is one statement each time (that its attempt begins, what was answered, how it ended), so
 * that to write it and to commit it are one moment. Visa is told over TLS, which a relay can't read: it is held at the first
 * bytes of a connection, when nobody else speaks to Visa; and the simulator is told to do it and not to answer.
 */
import type { Hold } from './held-relay.ts';
import type { KilledPayout, PayoutKillScene, PayoutStanding } from './payout-kill-scene.ts';
import { PAYOUT_PROVIDERS, type PayoutRailName } from './payout-providers.ts';
import type { RequestFields } from './payout-request.ts';
import { until } from './until.ts';

export interface Connector {
  readonly rail: PayoutRailName;
  readonly method: number;
  readonly change?: RequestFields;
  /** What the gateway says when it tells of a payout, and of nothing else. */
  readonly telling: string;
  /** What records its answer: of a final word, or of one that it waits. */
  readonly records: 'settle-payouts' | 'postpone-payouts';
  /** What has a payout wait at the provider, where it does not by itself. */
  readonly waits?: { readonly faults?: Readonly<Record<string, unknown>>; readonly change?: RequestFields };
  /** In a notification that a payout is paid. */
  readonly tellsPaid?: string;
}

export const CONNECTORS = {
  adyen: {
    rail: 'adyen-transfers',
    method: 9,
    change: { full_name: 'Greta Weiß' },
    telling: 'POST /btl/v4/transfers',
    records: 'postpone-payouts',
    tellsPaid: '"booked"',
  },
  visa: {
    rail: 'visa-direct',
    method: 22,
    // Without it Adyen does not carry what Visa has not taken.
    change: { full_name: undefined },
    telling: '',
    records: 'settle-payouts',
  },
  mastercard: {
    rail: 'mastercard-send',
    method: 23,
    telling: '/disbursements/payment',
    records: 'settle-payouts',
  },
  wayforpayCard: {
    rail: 'wayforpay',
    method: 1,
    telling: '"P2P_CREDIT"',
    records: 'settle-payouts',
    waits: { faults: { payouts: 'approve_later', callbacks: 'on' } },
    tellsPaid: '"Approved"',
  },
  wayforpayAccount: {
    rail: 'wayforpay',
    method: 34,
    telling: '"P2P_ACCOUNT"',
    records: 'settle-payouts',
    waits: { faults: { payouts: 'approve_later', callbacks: 'on' } },
    tellsPaid: '"Approved"',
  },
  freedomPay: {
    rail: 'freedom-pay',
    method: 12,
    telling: '/g2g/p2p2nonreg',
    records: 'settle-payouts',
    waits: { faults: { notifications: 'on' }, change: { account: '5507841999732294' } },
    tellsPaid: 'pg_status=ok',
  },
  epoint: {
    rail: 'epoint',
    method: 11,
    telling: '/refund-request',
    records: 'settle-payouts',
    waits: { faults: { payouts: 'pay_later', callbacks: 'on' } },
    tellsPaid: '"success"',
  },
  razorpayx: {
    rail: 'razorpayx',
    method: 26,
    telling: 'POST /v1/payouts',
    records: 'postpone-payouts',
    tellsPaid: 'payout.processed',
  },
  dtOne: {
    rail: 'dt-one',
    method: 24,
    telling: 'POST /v1/async/transactions',
    records: 'postpone-payouts',
    tellsPaid: '"COMPLETED"',
  },
  vopay: {
    rail: 'vopay',
    method: 92,
    telling: 'POST /api/v2/interac/bulk-payout',
    records: 'postpone-payouts',
    tellsPaid: '"successful"',
  },
} as const satisfies Readonly<Record<string, Connector>>;

export type ConnectorName = keyof typeof CONNECTORS;

/** One moment in the life of a payout by one connector, at which its gateway is killed. */
export interface Moment {
  readonly by: ConnectorName;
  readonly name: string;
  /** What the provider does meanwhile, and what is asked of it. */
  readonly faults?: Readonly<Record<string, unknown>>;
  readonly change?: RequestFields;
  /** Sends the payout; resolves when the gateway stands at that moment. */
  readonly reach: (scene: PayoutKillScene, payout: KilledPayout, connector: Connector) => Promise<unknown>;
  /** How it stands when the gateway is dead. */
  readonly left: Pick<PayoutStanding, 'at' | 'taken'>;
  readonly ends?: Partial<PayoutStanding>;
}

async function holdAndSend(held: Promise<void>, payout: KilledPayout): Promise<void> {
  await payout.send();
  await held;
}

/** It says this to the provider; `of` as in a relay. */
const calling =
  (carrying: Hold['carrying'], of: Hold['of']): Moment['reach'] =>
  ({ calls }, payout, { rail }) =>
    holdAndSend(calls[rail].hold({ carrying, of }), payout);

/** Until the provider has it, and something else keeps the gateway from hearing so. */
const taken: Moment['reach'] = async ({ providers }, payout, { rail }) => {
  const before = (await providers[rail].book()).length;
  await payout.send();
  await until(`${rail} has taken ${payout.payoutId}`, async () => (await providers[rail].book()).length > before);
};

const recording =
  (of: Hold['of']): Moment['reach'] =>
  ({ routes }, payout, { records }) => {
    const carrying = (said: Buffer) => said.includes(records) && said.includes(payout.payoutId);
    return holdAndSend(routes.database.hold({ carrying, of }), payout);
  };

const RECORDED = { 'settle-payouts': 'success', 'postpone-payouts': 'at_bank' };

export const beginning = (by: ConnectorName): Moment => ({
  by,
  name: 'its attempt is about to begin',
  async reach({ routes }, payout, { rail }) {
    // It looks for payouts all the time: this one comes when the look is on its way.
    await routes.database.hold({
      carrying: (said) => said.includes('claim-payouts') && said.includes(rail),
      of: 'question',
    });
    await payout.send();
  },
  left: { at: 'queued', taken: 0 },
});

/** Epoint can't be asked in a way that proves it: a person has to look. */
export const NEVER_KNOWN: Partial<PayoutStanding> = { at: 'unknown', taken: 0, paid: 0, told: [] };
const SENT_AGAIN: Partial<PayoutStanding> = { attempts: 2 };

export const notTold = (by: ConnectorName, ends: Partial<PayoutStanding> = SENT_AGAIN): Moment => ({
  by,
  name: 'it is about to tell the provider',
  reach: calling(by === 'visa' ? () => true : CONNECTORS[by].telling, 'question'),
  left: { at: 'sending', taken: 0 },
  ends,
});

export const notHeard = (by: ConnectorName): Moment => ({
  by,
  name: 'the provider has done it, and the gateway has not heard so',
  reach: calling(CONNECTORS[by].telling, 'answer'),
  left: { at: 'sending', taken: 1 },
});

export const notRecorded = (by: ConnectorName): Moment => ({
  by,
  name: 'what the provider answered is about to be recorded',
  reach: recording('question'),
  left: { at: 'sending', taken: 1 },
});

export const recorded = (by: ConnectorName): Moment => ({
  by,
  name: 'what the provider answered is committed, and the gateway has not heard so',
  reach: recording('answer'),
  left: { at: RECORDED[CONNECTORS[by].records], taken: 1 },
});

/** Of the notification that it is paid, which comes when the provider has had it for a while. */
export const told = (by: ConnectorName, of: Hold['of']): Moment => ({
  by,
  name:
    of === 'question'
      ? 'it is about to hear that it was paid'
      : 'it has heard that it was paid, and the provider does not know so',
  ...waitsOf(CONNECTORS[by]),
  async reach({ routes }, payout, { rail, tellsPaid = '' }) {
    await payout.send();
    const name = String(PAYOUT_PROVIDERS[rail].named(await payout.atBank()));
    const carrying = (said: Buffer) => [name, tellsPaid].every((word) => legible(said).includes(word));
    await routes.notification.hold({ carrying, of });
  },
  left: { at: of === 'question' ? 'at_bank' : 'success', taken: 1 },
});

const waitsOf = ({ waits }: Connector): Pick<Moment, 'faults' | 'change'> => waits ?? {};

/** With what Epoint puts into base64. */
function legible(said: Buffer): string {
  const text = said.toString();
  const [, data = ''] = /\bdata=([^&]+)/.exec(text) ?? [];
  return text + Buffer.from(decodeURIComponent(data), 'base64').toString();
}

/** Who is told by something that proves nothing asks, before it is recorded. */
export const asking = (by: 'dtOne' | 'vopay'): Moment => ({
  by,
  name: 'it was told that it was paid, and asks whether that is so',
  async reach({ calls }, payout, { rail }) {
    await payout.send();
    const { reference } = await payout.atBank();
    await calls[rail].hold({ carrying: reference, of: 'answer' });
  },
  left: { at: 'at_bank', taken: 1 },
});

/** Of one amount to one address VoPay wants to know whether it was meant: of each but the first. */
export const TWICE: RequestFields = { account: 'twice@example.com' };

export const confirming = (of: Hold['of']): Moment => ({
  by: 'vopay',
  name:
    of === 'question'
      ? 'the provider holds it, and the gateway is about to say that it was meant'
      : 'the provider knows that it was meant, and the gateway has not heard so',
  change: TWICE,
  reach: calling('/account/transaction/confirm', of),
  left: { at: 'sending', taken: 1 },
});

export const visaUnheard: Moment = { ...notHeard('visa'), faults: { answers: 'take_unanswered' }, reach: taken };
export const visaUnfinished: Moment = {
  by: 'visa',
  name: 'Visa has not finished, and is about to be asked for the outcome',
  faults: { timing: 'late_json' },
  reach: taken,
  left: { at: 'sending', taken: 1 },
};

/** Before a payout DT One is asked for the operator of its number. */
export const lookingUp = (of: Hold['of']): Moment => ({
  by: 'dtOne',
  name: of === 'question' ? 'it is about to look the number up' : 'the number is looked up, and it has not heard so',
  reach: calling('/lookup/mobile-number', of),
  left: { at: 'sending', taken: 0 },
  ends: SENT_AGAIN,
});

/** A refusal is believed only when the provider, asked, has no such payout. */
export const refused = (by: ConnectorName, payouts: string, question: string): Moment => ({
  by,
  name: 'the provider refuses it, and is about to be asked whether it has it all the same',
  faults: { payouts },
  reach: calling(question, 'question'),
  left: { at: 'sending', taken: 0 },
  ends: SENT_AGAIN,
});
