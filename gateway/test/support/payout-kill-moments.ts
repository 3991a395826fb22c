/**
 * The moments at which tests kill a gateway that pays out: how each is reached by holding what the gateway says or hears just
 * then, how a payout stands when the gateway is dead, and how it must end.
 *
 * That an attempt begins is one statement, and so is that a payout waits: to write those and to commit them is one moment. Visa is told over TLS, which a relay can't read: it is held at the first
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
  /** What is answered at once. */
  readonly answers: 'the end' | 'that it waits';
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
    answers: 'that it waits',
    tellsPaid: '"booked"',
  },
  visa: {
    rail: 'visa-direct',
    method: 22,
    telling: '',
    answers: 'the end',
  },
  mastercard: {
    rail: 'mastercard-send',
    method: 23,
    telling: '/disbursements/payment',
    answers: 'the end',
  },
  wayforpayCard: {
    rail: 'wayforpay',
    method: 1,
    telling: '"P2P_CREDIT"',
    answers: 'the end',
    waits: { faults: { payouts: 'approve_later', callbacks: 'on' } },
    tellsPaid: '"Approved"',
  },
  wayforpayAccount: {
    rail: 'wayforpay',
    method: 34,
    telling: '"P2P_ACCOUNT"',
    answers: 'the end',
    waits: { faults: { payouts: 'approve_later', callbacks: 'on' } },
    tellsPaid: '"Approved"',
  },
  freedomPay: {
    rail: 'freedom-pay',
    method: 12,
    telling: '/g2g/p2p2nonreg',
    // Also of what it has paid: that is believed when it is asked, or tells.
    answers: 'that it waits',
    waits: { faults: { notifications: 'on' }, change: { account: '5507841999732294' } },
    tellsPaid: 'pg_status=ok',
  },
  epoint: {
    rail: 'epoint',
    method: 11,
    telling: '/refund-request',
    answers: 'the end',
    waits: { faults: { payouts: 'pay_later', callbacks: 'on' } },
    tellsPaid: '"success"',
  },
  razorpayx: {
    rail: 'razorpayx',
    method: 26,
    telling: 'POST /v1/payouts',
    answers: 'that it waits',
    tellsPaid: 'payout.processed',
  },
  dtOne: {
    rail: 'dt-one',
    method: 24,
    telling: 'POST /v1/async/transactions',
    answers: 'that it waits',
    tellsPaid: '"COMPLETED"',
  },
  vopay: {
    rail: 'vopay',
    method: 92,
    telling: 'POST /api/v2/interac/bulk-payout',
    answers: 'that it waits',
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
  /** It may end by this one, too: by the next rail where that works just then, else by its own once more. */
  readonly orBy?: PayoutRailName;
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

/** What was answered: a final word is a transaction, since it makes accounts for a new merchant; any other is one statement. */
const recording =
  (of: Hold['of']): Moment['reach'] =>
  ({ routes }, payout, { answers }) => {
    const isSaid = (said: Buffer) => RECORDS[answers].every((text) => said.includes(text));
    const carrying = (said: Buffer) => isSaid(said) && said.includes(payout.merchantId);
    return holdAndSend(routes.database.hold({ carrying, of, ...(answers === 'the end' ? AT_COMMIT : {}) }), payout);
  };

const RECORDS: Readonly<Record<Connector['answers'], readonly string[]>> = {
  'the end': ['insert into ledger_accounts', 'clearing:'],
  'that it waits': ['postpone-payouts'],
};
const AT_COMMIT = { at: 'commit' };

const RECORDED: Readonly<Record<Connector['answers'], string>> = { 'the end': 'success', 'that it waits': 'at_bank' };

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
export const NEVER_KNOWN: Partial<PayoutStanding> = { at: 'unknown', taken: 0, paid: 0, told: [], reserved: '10.00' };
const SENT_AGAIN: Partial<PayoutStanding> = { before: ['not_taken'] };

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
  name: 'what the provider answered is written and not committed',
  reach: recording('question'),
  left: { at: 'sending', taken: 1 },
});

export const recorded = (by: ConnectorName): Moment => ({
  by,
  name: 'what the provider answered is committed, and the gateway has not heard so',
  reach: recording('answer'),
  left: { at: RECORDED[CONNECTORS[by].answers], taken: 1 },
});

/** Of the notification that it is paid, which comes when the provider has had it for a while. */
export const told = (by: ConnectorName, of: Hold['of']): Moment => ({
  by,
  name:
    of === 'question'
      ? 'it is about to hear that it was paid'
      : 'it has heard that it was paid, and the provider does not know so',
  ...waitsOf(CONNECTORS[by]),
  async reach(scene, payout, { rail, tellsPaid = '' }) {
    const isNew = await ofNoEarlier(scene, rail);
    const carrying = (said: Buffer) => legible(said).includes(tellsPaid) && isNew(legible(said));
    const held = scene.routes.notification.hold({ carrying, of });
    await payout.send();
    // What it answers to is known before: it is told only after a while.
    if (of === 'question') await payout.atBank();
    await held;
  },
  left: { at: of === 'question' ? 'at_bank' : 'success', taken: 1 },
});

const waitsOf = ({ waits }: Connector): Pick<Moment, 'faults' | 'change'> => waits ?? {};

/** What this payout will be known by is not known yet; what all others are is. */
async function ofNoEarlier(scene: PayoutKillScene, rail: PayoutRailName): Promise<(text: string) => boolean> {
  const names = (await scene.names()).flatMap((known) => [
    known.reference,
    String(PAYOUT_PROVIDERS[rail].named(known)),
  ]);
  return (text) => !names.some((name) => text.includes(name));
}

/** With what Epoint puts into base64. */
function legible(said: Buffer): string {
  const text = said.toString();
  const [, data = ''] = /\bdata=([^&]+)/.exec(text) ?? [];
  return text + Buffer.from(decodeURIComponent(data), 'base64').toString();
}

const ASKING = { dtOne: 'external_id=', vopay: 'GET /api/v2/interac/bulk-payout/transaction' };

/** Who is told by something that proves nothing asks, before it is recorded. */
export const asking = (by: 'dtOne' | 'vopay'): Moment => ({
  by,
  name: 'it was told that it was paid, and asks whether that is so',
  async reach(scene, payout, { rail }) {
    const isNew = await ofNoEarlier(scene, rail);
    const carrying = (said: Buffer) => said.includes(ASKING[by]) && isNew(said.toString());
    const held = scene.calls[rail].hold({ carrying, of: 'answer' });
    await payout.send();
    await payout.atBank();
    await held;
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
