/** A payer's visit to the form, and the state of its payment at the gateway, the merchant and the provider. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordedAttempt } from '../../../src/domain/payments/attempts/payment-attempt.ts';
import { TOO_LATE_TO_SEND } from '../../../src/domain/payments/attempts/start-attempt.ts';
import { MINUTE_MS } from '../../../src/foundation/clock.ts';
import { formatAmount } from '../../../src/foundation/money.ts';
import type { FormPage, FormPayer } from '../form/form-payer.ts';
import { type FormChange, formParameters } from '../form/form-request.ts';
import type { RunningGateway } from '../gateway/running-gateway.ts';
import type { TestMerchant } from '../merchants/test-merchant.ts';
import { assertGenuine } from '../servers/callback-receiver.ts';
import { until } from '../tools/until.ts';
import type { TappedRail } from './notification-tap.ts';
import type { PaymentNames, Provider, ProviderRow } from './provider.ts';

/** The amount of every payment here. The fee is 0.50. */
const AMOUNT = '10.50';

/** The state of a payment as comparable strings. */
export interface Standing {
  /** The deposit's state, for example `success`, `pending` or `fail expired`; `none` before the payer submits. */
  readonly deposit: string;
  /** The attempts' states, for example `paid` or `refused declined`, the oldest first. */
  readonly attempts: readonly string[];
  /** The received money, for example `credited 10.50` or `held twice 10.50`. */
  readonly money: readonly string[];
  /** Each callback once, for example `success 10.50 10.00`: the received amount and the merchant's share. */
  readonly callbacks: readonly string[];
  /** The events, for example `deposit.late 10.50`. */
  readonly events: readonly string[];
  /** For example `refunded 10.50`, with ` of 10.50` if less was posted. */
  readonly later: readonly string[];
  /** The refunds, for example `success 10.50`. */
  readonly refunds: readonly string[];
  readonly available: string;
  readonly suspense: string;
  readonly owed: string;
  /** The number of charges in the provider's book over all attempts, or of refunds by our order. */
  readonly charges: number;
  readonly givenBack: number;
}

const NOTHING: Standing = {
  deposit: 'pending',
  attempts: [],
  money: [],
  callbacks: [],
  events: [],
  later: [],
  refunds: [],
  available: '0.00',
  suspense: '0.00',
  owed: '0.00',
  charges: 0,
  givenBack: 0,
};

/** A payment that is paid once and in full. */
export const PAID: Standing = {
  ...NOTHING,
  deposit: 'success',
  attempts: ['paid'],
  money: ['credited 10.50'],
  callbacks: ['success 10.50 10.00'],
  available: '10.00',
  charges: 1,
};

/** No money has arrived, and no callback was sent. */
export function open(...attempts: readonly string[]): Standing {
  return { ...NOTHING, attempts };
}

/** No money has arrived, and the deposit has failed with a callback. */
export function failed(reason: string, ...attempts: readonly string[]): Standing {
  return { ...open(...attempts), deposit: `fail ${reason}`, callbacks: ['fail 0.00 0.00'] };
}

export interface PaymentVisit {
  readonly rail: string;
  readonly merchant: TestMerchant;
  readonly order: string;
  readonly provider: Provider;
  readonly payer: FormPayer;
  /** Returns the payer's current page. */
  page(): FormPage;
  /** Submits the form. `how` selects the card. */
  submit(how?: string): Promise<FormPage>;
  /** Retries after a decline, in the same way. */
  again(how?: string): Promise<FormPage>;
  /** Reloads the payment page. */
  look(): Promise<FormPage>;
  /** Presses a button of the current page. */
  press(act: string): Promise<FormPage>;
  /** The same payer, still on an earlier page. */
  at(page: FormPage): Pick<PaymentVisit, 'act'>;
  /** The payer acts at the provider. Without a behaviour, they pay. */
  act(behaviour?: string): Promise<void>;
  /** Injects faults into the provider while `work` runs. */
  under(faults: Readonly<Record<string, unknown>>, work: () => Promise<unknown>): Promise<void>;
  /** Waits for an attempt, and returns the names of the latest. */
  names(): Promise<PaymentNames>;
  attempts(): Promise<readonly RecordedAttempt[]>;
  /** Waits until the latest attempt is in this state. */
  until(state: RecordedAttempt['state']): Promise<RecordedAttempt>;
  /** Waits until the gateway has queried the provider about the attempt in this state. */
  untilAsked(state: RecordedAttempt['state']): Promise<void>;
  /** Returns the gateway's calls to the provider since the visit began, with their responses, such as `start unknown`. */
  calls(): readonly string[];
  /** Waits until the deposit has expired. */
  untilExpired(): Promise<void>;
  /** Moves all times into the past, beyond the payer's time limit. */
  ageBeyondValidity(): Promise<void>;
  /** Refunds the full amount or a part as the operator. Returns the reason of a rejection. */
  refund(amount?: string): Promise<string>;
  /** Waits until the payment has this state. The end of the test file compares it again. */
  ends(standing: Standing): Promise<void>;
  standing(): Promise<Standing>;
  assertUnchanged(): Promise<void>;
}

export interface FormVisit extends PaymentVisit {
  readonly tapped: TappedRail;
}

/** The records that the checks read, from whichever gateway process is running. */
export type Records = Pick<RunningGateway, 'operations' | 'database' | 'receiver'>;

interface VisitParts {
  readonly gateway: Records;
  readonly rail: string;
  readonly provider: Provider;
  readonly row: ProviderRow;
  readonly merchant: TestMerchant;
  readonly payer: FormPayer;
  readonly order: string;
  /** The rail's calls so far. The list grows. */
  readonly calls: readonly string[];
  /** Expires overdue deposits immediately. */
  readonly expire: () => void;
}

export async function createFormVisit(parts: VisitParts): Promise<PaymentVisit> {
  const { gateway, provider, row, merchant, payer, order } = parts;
  let page = await payer.open(linkOf(parts));
  const before = parts.calls.length;
  let last: Standing | undefined;
  const record = () => gateway.operations.deposits.find(merchant.id, order);
  const attempts = async () => (await record())?.attempts ?? [];
  const latest = () => latestOf(parts);
  const look = async () => {
    page = await payer.open(`/payment/form/${page.token}`);
    return page;
  };
  const submit = async (how?: string): Promise<FormPage> => {
    const { length } = await attempts();
    page = await payer.press(page, 'pay', provider.typed(order, how));
    // The page may arrive before the provider's response: after a long wait, or when this stage's clock wakes the form.
    const attempt = await untilSeen(`${order} is answered`, async () => {
      const { count, state } = await latest();
      return count > length && (count > length + 1 || state !== 'starting') && (await attempts())[length];
    });
    await look();
    return isNeverSent(attempt) && mayTryAgain(page) ? again(how) : page;
  };
  const again = async (how?: string) => {
    page = await payer.press(page, 'try_again');
    return submit(how);
  };
  const names = () => untilSeen(`${order} is tried`, async () => (await attempts()).at(-1));
  return {
    ...parts,
    page: () => page,
    submit,
    again,
    look,
    async press(act) {
      page = await payer.press(page, act);
      return page;
    },
    act: async (behaviour) => provider.act(await names(), behaviour, { payer, page }),
    at: (earlier) => ({
      act: async (behaviour) => provider.act(await names(), behaviour, { payer, page: earlier }),
    }),
    async under(faults, work) {
      const usual = await provider.control('faults', {});
      await provider.faults(faults);
      try {
        await work();
      } finally {
        await provider.faults(Object.fromEntries(Object.keys(faults).map((name) => [name, usual[name]])));
      }
    },
    names,
    attempts,
    until: (state) => untilIn(state, order, latest, attempts),
    untilAsked: async (state) =>
      void (await untilSeen(`${order} is asked about`, async () => {
        const attempt = await latest();
        return attempt.state === state && attempt.asks > 0;
      })),
    calls: () => parts.calls.slice(before),
    untilExpired: async () =>
      void (await untilSeen(`${order} expires`, async () => {
        parts.expire();
        return (await record())?.deposit.state === 'fail';
      })),
    ageBeyondValidity: () => age(parts, row.validityMs + 2 * MINUTE_MS),
    async refund(amount) {
      const transactionId = (await record())?.deposit.transactionId ?? 0;
      const wanted = { merchantId: merchant.id, transactionId, amount: amount ?? null, reason: 'the tea was cold' };
      const ordered = await gateway.operations.deposits.refund(wanted);
      return ordered.ok ? '' : ordered.error.kind;
    },
    async ends(standing) {
      last = standing;
      await untilSeen(`${order} is as expected`, async () => isSame(await standingOf(parts), standing)).catch(
        async () => assert.deepEqual(await standingOf(parts), standing),
      );
    },
    standing: () => standingOf(parts),
    async assertUnchanged() {
      if (last) assert.deepEqual(await standingOf(parts), last, `${parts.rail} ${order}, at the end`);
    },
  };
}

interface LatestAttempt {
  readonly count: number;
  readonly state: RecordedAttempt['state'] | null;
  readonly asks: number;
}

/** Waits read this often, because the complete record of a deposit takes eight statements. */
async function latestOf({ gateway, merchant, order }: VisitParts): Promise<LatestAttempt> {
  const { rows } = await gateway.database.pool.query<LatestAttempt>({
    name: 'latest-attempt-of-order',
    text: `select a.attempt as count, a.state, a.asks from payment_attempts as a
      join deposit_orders as o on o.merchant_id = a.merchant_id and o.transaction_id = a.transaction_id
      where o.merchant_id = $1 and o.order_id = $2 order by a.attempt desc limit 1`,
    values: [merchant.id, order],
  });
  return rows[0] ?? { count: 0, state: null, asks: 0 };
}

/**
 * Thrown if the only permitted attempt was never sent, or if the awaited state has passed already. The test then starts again.
 */
export class TooSlow extends Error {}

async function untilIn(
  state: RecordedAttempt['state'],
  order: string,
  latest: () => Promise<LatestAttempt>,
  attempts: () => Promise<readonly RecordedAttempt[]>,
): Promise<RecordedAttempt> {
  const look = async () => {
    const seen = await latest();
    if (state === 'deciding' && seen.state === 'paid') throw new TooSlow(`${order} is already paid`);
    if (seen.state !== state) return false;
    const attempt = (await attempts()).at(-1);
    return attempt?.state === state && attempt;
  };
  return untilSeen(`${order} is ${state}`, look).catch(async (error: Error) => {
    if (error instanceof TooSlow) throw error;
    throw new Error(`${error.message}; its attempts: ${(await attempts()).map(inWords).join(', ') || 'none'}`);
  });
}

function mayTryAgain({ acts, heading }: FormPage): true {
  if (!acts.includes('try_again')) throw new TooSlow(`${heading}: no attempt is left`);
  return true;
}

const NO_CONNECTION_IN_TIME = ['no connection in time', 'no connection: UND_ERR_CONNECT_TIMEOUT'];

/** True if a slow machine missed the deadline for sending or connecting. The payer then retries, and the test continues. */
const isNeverSent = ({ state, detail }: RecordedAttempt) =>
  state === 'refused' &&
  (detail === TOO_LATE_TO_SEND || NO_CONNECTION_IN_TIME.some((reason) => detail.endsWith(reason)));

/** A description for the error of a wait that timed out. */
function inWords({ state, refusal, detail, asks, sendUntil, askAt }: RecordedAttempt): string {
  const next = askAt === null ? 'never' : new Date(askAt).toISOString();
  return `${state} ${refusal ?? ''} ${detail} (sent until ${new Date(sendUntil).toISOString()}, asked ${asks} times, next ${next})`;
}

function linkOf({ merchant, order, row, provider }: VisitParts): string {
  const change: FormChange = { merchant: merchant.id, order, amount: AMOUNT, payment_type: row.paymentType };
  return `/payment/form?${new URLSearchParams([...formParameters({ ...change, ...provider.link(order) })])}`;
}

/** Moves the times of the deposit and its attempts into the past, in the database only. */
async function age({ gateway, merchant, order }: VisitParts, ms: number): Promise<void> {
  const found = await gateway.operations.deposits.find(merchant.id, order);
  assert.ok(found, `${order} is not a deposit`);
  const key = [merchant.id, found.deposit.transactionId, `${ms} milliseconds`];
  await gateway.database.pool.query(
    `with aged as (
       update deposits set created_at = created_at - $3::interval, expires_at = expires_at - $3::interval,
         closes_at = closes_at - $3::interval
       where merchant_id = $1 and transaction_id = $2)
     update payment_attempts set started_at = started_at - $3::interval, send_until = send_until - $3::interval,
       ask_at = ask_at - $3::interval
     where merchant_id = $1 and transaction_id = $2`,
    key,
  );
}

/** The pause between two checks, because each reads several places. */
const PAUSE_MS = 40;

function untilSeen<Found>(what: string, look: () => Promise<Found | false | undefined>): Promise<Found> {
  const lookSlowly = async () => {
    const found = await look();
    if (found === false || found === undefined) await sleep(PAUSE_MS);
    return found;
  };
  return until(what, lookSlowly);
}

const isSame = (one: Standing, other: Standing) => JSON.stringify(one) === JSON.stringify(other);

async function standingOf({ gateway, merchant, order, provider, row }: VisitParts): Promise<Standing> {
  const record = await gateway.operations.deposits.find(merchant.id, order);
  if (!record) return { ...NOTHING, deposit: 'none' };
  const { deposit, attempts, transfers, adjustments, refunds } = record;
  const { balances } = (await gateway.operations.merchants.find(merchant.id)) ?? {};
  const account = (name: 'available' | 'suspense' | 'owed') =>
    formatAmount({ currency: row.currency, minor: balances?.get(row.currency)?.[name] ?? 0n });
  const counted = (count: Provider['charges']) => sumOf(attempts.map((attempt) => count(attempt)));
  return {
    deposit: [deposit.state, deposit.failReason].filter((text) => text !== null).join(' '),
    attempts: attempts
      .filter((attempt) => !isNeverSent(attempt))
      .map(({ state, refusal }) => (state === 'refused' ? `refused ${refusal}` : state)),
    money: transfers.map(({ state, mismatch, money }) =>
      [state, mismatch, formatAmount(money)].join(' ').replace('  ', ' '),
    ),
    callbacks: callbacksOf(gateway, merchant, order).map(
      (fields) => `${fields['co_inv_st']} ${fields['co_amount']} ${fields['co_to_wlt']}`,
    ),
    events: eventsOf(gateway, merchant, order)
      .map((fields) => `${fields['type']} ${fields['amount']}`)
      .sort(),
    later: adjustments.map(({ kind, money, posted }) => {
      const isShort = posted !== money.minor;
      const moved = formatAmount({ ...money, minor: posted });
      return isShort ? `${kind} ${moved} of ${formatAmount(money)}` : `${kind} ${moved}`;
    }),
    refunds: refunds.map(({ payout }) => `${payout.state} ${formatAmount(payout.money)}`),
    available: account('available'),
    suspense: account('suspense'),
    owed: account('owed'),
    charges: await counted(provider.charges),
    givenBack: await counted(provider.refunds),
  };
}

async function sumOf(counts: readonly Promise<number>[]): Promise<number> {
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

function callbacksOf(gateway: Records, merchant: TestMerchant, order: string) {
  return provenOnce(gateway.receiver.about(merchant.id, order), merchant.key);
}

function eventsOf(gateway: Records, merchant: TestMerchant, order: string) {
  return provenOnce(gateway.receiver.about(merchant.id, order, 'event'), merchant.key);
}

/** Returns the callbacks by their webhook ids. All copies of one must be equal. */
function provenOnce(arrivals: ReturnType<RunningGateway['receiver']['about']>, key: string) {
  const byId = new Map<string, (typeof arrivals)[number]>();
  for (const arrival of arrivals) {
    assertGenuine(arrival, key);
    const id = String(arrival.headers['webhook-id']);
    assert.equal(byId.get(id)?.body ?? arrival.body, arrival.body, id);
    byId.set(id, arrival);
  }
  return [...byId.values()].map(({ fields }) => fields);
}
