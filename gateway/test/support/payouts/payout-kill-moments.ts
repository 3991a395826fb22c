/**
 * The moments at which tests kill a gateway that pays out. A relay reaches each moment by holding the gateway's request or the
 * response to it. Each moment states the payout's state after the kill and its final state.
 *
 * Beginning an attempt and postponing a waiting payout are one statement each, so their write and commit are one moment.
 * Visa's calls use TLS, which a relay cannot read. There the relay holds the first bytes of a connection while no other call
 * to Visa runs, and the simulator executes the payout without a response.
 */

import { PAYOUT_PROVIDERS, type PayoutRailName } from '../rails/payout-providers.ts';
import type { Hold } from '../servers/held-relay.ts';
import { until } from '../tools/until.ts';
import type { KilledPayout, PayoutKillScene, PayoutStanding } from './payout-kill-scene.ts';
import type { RequestFields } from './payout-request.ts';

export interface Connector {
  readonly rail: PayoutRailName;
  readonly method: number;
  readonly change?: RequestFields;
  /** Text that occurs only in the request that sends a payout. */
  readonly sending: string;
  /** What the immediate response says. */
  readonly answers: 'the end' | 'that it waits';
  /** Faults or fields that make a payout wait at the provider, if it does not wait by default. */
  readonly waits?: { readonly faults?: Readonly<Record<string, unknown>>; readonly change?: RequestFields };
  /** Text in a notification that a payout was paid. */
  readonly saysPaid?: string;
}

export const CONNECTORS = {
  adyen: {
    rail: 'adyen-transfers',
    method: 9,
    change: { full_name: 'Greta Weiß' },
    sending: 'POST /btl/v4/transfers',
    answers: 'that it waits',
    saysPaid: '"booked"',
  },
  visa: {
    rail: 'visa-direct',
    method: 22,
    sending: '',
    answers: 'the end',
  },
  mastercard: {
    rail: 'mastercard-send',
    method: 23,
    sending: '/disbursements/payment',
    answers: 'the end',
  },
  wayforpayCard: {
    rail: 'wayforpay',
    method: 1,
    sending: '"P2P_CREDIT"',
    answers: 'the end',
    waits: { faults: { payouts: 'approve_later', callbacks: 'on' } },
    saysPaid: '"Approved"',
  },
  wayforpayAccount: {
    rail: 'wayforpay',
    method: 34,
    sending: '"P2P_ACCOUNT"',
    answers: 'the end',
    waits: { faults: { payouts: 'approve_later', callbacks: 'on' } },
    saysPaid: '"Approved"',
  },
  freedomPay: {
    rail: 'freedom-pay',
    method: 12,
    sending: '/g2g/p2p2nonreg',
    // Even for a payout that it has paid: the gateway accepts that only from a query or a notification.
    answers: 'that it waits',
    waits: { faults: { notifications: 'on' }, change: { account: '5507841999732294' } },
    saysPaid: 'pg_status=ok',
  },
  epoint: {
    rail: 'epoint',
    method: 11,
    sending: '/refund-request',
    answers: 'the end',
    waits: { faults: { payouts: 'pay_later', callbacks: 'on' } },
    saysPaid: '"success"',
  },
  razorpayx: {
    rail: 'razorpayx',
    method: 26,
    sending: 'POST /v1/payouts',
    answers: 'that it waits',
    saysPaid: 'payout.processed',
  },
  dtOne: {
    rail: 'dt-one',
    method: 24,
    sending: 'POST /v1/async/transactions',
    answers: 'that it waits',
    saysPaid: '"COMPLETED"',
  },
  vopay: {
    rail: 'vopay',
    method: 92,
    sending: 'POST /api/v2/interac/bulk-payout',
    answers: 'that it waits',
    saysPaid: '"successful"',
  },
} as const satisfies Readonly<Record<string, Connector>>;

type ConnectorName = keyof typeof CONNECTORS;

/** A moment of a payout through one connector, at which its gateway is killed. */
export interface Moment {
  readonly by: ConnectorName;
  readonly name: string;
  /** The provider's faults at that moment, and the payout's changed fields. */
  readonly faults?: Readonly<Record<string, unknown>>;
  readonly change?: RequestFields;
  /** Sends the payout. Resolves when the gateway is at that moment. */
  readonly reach: (scene: PayoutKillScene, payout: KilledPayout, connector: Connector) => Promise<unknown>;
  /** The payout's state after the kill. */
  readonly left: Pick<PayoutStanding, 'at' | 'taken'>;
  readonly ends?: Partial<PayoutStanding>;
  /** A second rail that may also complete the payout: the next rail if it is up, otherwise the same rail. */
  readonly orBy?: PayoutRailName;
}

async function holdAndSend(held: Promise<void>, payout: KilledPayout): Promise<void> {
  await payout.send();
  await held;
}

/** Holds a call to the provider. `of` is as in a relay. */
const calling =
  (carrying: Hold['carrying'], of: Hold['of']): Moment['reach'] =>
  ({ calls }, payout, { rail }) =>
    holdAndSend(calls[rail].hold({ carrying, of }), payout);

/** Waits until the provider has the payout, while something else holds its response. */
const taken: Moment['reach'] = async ({ providers }, payout, { rail }) => {
  const before = (await providers[rail].book()).length;
  await payout.send();
  await until(`${rail} has ${payout.payoutId}`, async () => (await providers[rail].book()).length > before);
};

/**
 * Holds the record of the response. A final response is recorded in a transaction, because it creates accounts for a new
 * merchant; any other response is one statement.
 */
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
    // Each claim also contains the worker's reports about all rails, as JSON.
    const claimed = new RegExp(`(?<!")${rail}`);
    const carrying = (said: Buffer) => said.includes('claim-payouts') && claimed.test(said.toString('latin1'));
    // An idle gateway claims nothing until a payout is due.
    await holdAndSend(routes.database.hold({ carrying, of: 'question' }), payout);
  },
  left: { at: 'queued', taken: 0 },
});

/** Epoint has no query that proves an outcome, so the operator must check. */
export const NEVER_KNOWN: Partial<PayoutStanding> = {
  at: 'unknown',
  taken: 0,
  paid: 0,
  callbacks: [],
  reserved: '10.00',
};
const SENT_AGAIN: Partial<PayoutStanding> = { before: ['not_accepted'] };

export const notSent = (by: ConnectorName, ends: Partial<PayoutStanding> = SENT_AGAIN): Moment => ({
  by,
  name: 'the gateway is about to send the payout',
  reach: calling(by === 'visa' ? () => true : CONNECTORS[by].sending, 'question'),
  left: { at: 'sending', taken: 0 },
  ends,
});

export const unanswered = (by: ConnectorName): Moment => ({
  by,
  name: 'the provider has the payout and its response has not arrived',
  reach: calling(CONNECTORS[by].sending, 'answer'),
  left: { at: 'sending', taken: 1 },
});

export const notRecorded = (by: ConnectorName): Moment => ({
  by,
  name: 'the provider’s answer is written and not committed',
  reach: recording('question'),
  left: { at: 'sending', taken: 1 },
});

export const recorded = (by: ConnectorName): Moment => ({
  by,
  name: 'the provider’s answer is committed and the gateway does not know so',
  reach: recording('answer'),
  left: { at: RECORDED[CONNECTORS[by].answers], taken: 1 },
});

/** The moment of the notification that the payout was paid. It arrives after the provider has had the payout for a while. */
export const notified = (by: ConnectorName, of: Hold['of']): Moment => ({
  by,
  name:
    of === 'question'
      ? 'the notification of the payment has not arrived'
      : 'the gateway’s answer to the notification has not reached the provider',
  ...waitsOf(CONNECTORS[by]),
  async reach(scene, payout, { rail, saysPaid = '' }) {
    const isNew = await ofNoEarlier(scene, rail);
    const carrying = (said: Buffer) => legible(said).includes(saysPaid) && isNew(legible(said));
    const held = scene.routes.notification.hold({ carrying, of, answered: ACCEPTED });
    await payout.send();
    // The provider's name of the payout is known by then, because the notification comes later.
    if (of === 'question') await payout.reaches('at_bank');
    await held;
  },
  left: { at: of === 'question' ? 'at_bank' : 'success', taken: 1 },
});

/** The gateway returns 503 to a notification that arrives before it has recorded the response to the payout. */
export const ACCEPTED = 'HTTP/1.1 2';

const waitsOf = ({ waits }: Connector): Pick<Moment, 'faults' | 'change'> => waits ?? {};

/** Matches text without the names of any earlier payout, because the name of this payout is not known yet. */
async function ofNoEarlier(scene: PayoutKillScene, rail: PayoutRailName): Promise<(text: string) => boolean> {
  const names = (await scene.names()).flatMap((known) => [
    known.reference,
    String(PAYOUT_PROVIDERS[rail].named(known)),
  ]);
  return (text) => !names.some((name) => text.includes(name));
}

/** Decodes the base64 of Epoint. */
function legible(said: Buffer): string {
  const text = said.toString();
  const [, data = ''] = /\bdata=([^&]+)/.exec(text) ?? [];
  return text + Buffer.from(decodeURIComponent(data), 'base64').toString();
}

const ASKING = { dtOne: 'external_id=', vopay: 'GET /api/v2/interac/bulk-payout/transaction' };

/** A gateway that receives an unsigned notification queries the provider before it records the outcome. */
export const asking = (by: 'dtOne' | 'vopay'): Moment => ({
  by,
  name: 'the gateway asks the provider to confirm an unsigned notification',
  async reach(scene, payout, { rail }) {
    const isNew = await ofNoEarlier(scene, rail);
    const carrying = (said: Buffer) => said.includes(ASKING[by]) && isNew(said.toString());
    const held = scene.calls[rail].hold({ carrying, of: 'answer' });
    await payout.send();
    await payout.reaches('at_bank');
    await held;
  },
  left: { at: 'at_bank', taken: 1 },
});

/** VoPay requests a confirmation of each further transfer of the same amount to the same address. */
export const TWICE: RequestFields = { account: 'twice@example.com' };

export const confirming = (of: Hold['of']): Moment => ({
  by: 'vopay',
  name:
    of === 'question'
      ? 'the gateway is about to confirm a duplicate transfer to the provider'
      : 'the provider has the confirmation of a duplicate transfer and its response has not arrived',
  change: TWICE,
  reach: calling('/account/transaction/confirm', of),
  left: { at: 'sending', taken: 1 },
});

export const visaUnanswered: Moment = { ...unanswered('visa'), faults: { answers: 'accept_unanswered' }, reach: taken };
export const visaUnfinished: Moment = {
  by: 'visa',
  name: 'Visa has not finished and the gateway is about to query the outcome',
  faults: { timing: 'late_json' },
  reach: taken,
  left: { at: 'sending', taken: 1 },
};

/** The gateway queries DT One for the mobile operator of the number before it sends a payout. */
export const lookingUp = (of: Hold['of']): Moment => ({
  by: 'dtOne',
  name:
    of === 'question'
      ? 'the gateway is about to look up the number'
      : 'the answer to the number lookup has not arrived',
  reach: calling('/lookup/mobile-number', of),
  left: { at: 'sending', taken: 0 },
  ends: SENT_AGAIN,
});

/** The gateway accepts a rejection only after the provider has confirmed that it has no such payout. */
export const refused = (by: ConnectorName, payouts: string, question: string): Moment => ({
  by,
  name: 'the provider refused the payout and the gateway is about to ask whether it received the payout',
  faults: { payouts },
  reach: calling(question, 'question'),
  left: { at: 'sending', taken: 0 },
  ends: SENT_AGAIN,
});

/** The provider responds to the first attempt with an inconclusive error, and accepts nothing. */
const TAKES_NOTHING = { faults: { payouts: 'answer_error' }, ends: SENT_AGAIN } as const;

/** Makes the outcome of the first attempt unknown. Afterwards the provider accepts payouts. */
async function beginInDoubt({ providers }: PayoutKillScene, payout: KilledPayout, rail: PayoutRailName): Promise<void> {
  await payout.send();
  await payout.reaches('unknown');
  await providers[rail].faults();
}

/** The attempt after the proof that the provider never received the first attempt. */
export const sentAgain = (by: ConnectorName, of: Hold['of']): Moment => ({
  by,
  name:
    of === 'question'
      ? 'the gateway is about to send the payout again'
      : 'the provider has the second attempt and its response has not arrived',
  ...TAKES_NOTHING,
  async reach(scene, payout, { rail, sending }) {
    await beginInDoubt(scene, payout, rail);
    await scene.calls[rail].hold({ carrying: sending, of });
  },
  left: { at: 'sending', taken: of === 'question' ? 0 : 1 },
});

/** `status` is text in a status query. The response "not found" has not arrived. */
export const notFound = (by: ConnectorName, status: string): Moment => ({
  by,
  name: 'the provider does not find the payout and its response has not arrived',
  ...TAKES_NOTHING,
  async reach(scene, payout, { rail }) {
    await beginInDoubt(scene, payout, rail);
    await scene.calls[rail].hold({ carrying: status, of: 'answer' });
  },
  left: { at: 'unknown', taken: 0 },
});

export const proofNotRecorded = (by: ConnectorName): Moment => ({
  by,
  name: 'the proof that the provider never received the payout is written and not committed',
  ...TAKES_NOTHING,
  async reach(scene, payout, { rail }) {
    await beginInDoubt(scene, payout, rail);
    const texts = ['postpone-payouts', 'the bank never', payout.merchantId];
    const carrying = (said: Buffer) => texts.every((text) => said.includes(text));
    await scene.routes.database.hold({ carrying, of: 'question' });
  },
  left: { at: 'unknown', taken: 0 },
});
