/**
 * A payout bank with its own book. It executes a repeated order again, so the gateway cannot rely on it to reject duplicates.
 * After the rail's delay, it no longer responds "not found" to a query about an order that it received.
 */
import type { PayoutLister } from '../../src/domain/payouts/payout-lister.ts';
import type { PayoutOrder, PayoutRail, RailAnswer, RailStatus } from '../../src/domain/payouts/payout-rail.ts';
import { type Instant, MINUTE_MS, SECOND_MS, utcDayOf } from '../../src/foundation/clock.ts';
import type { Deadline } from '../../src/foundation/deadline.ts';
import type { Money } from '../../src/foundation/money.ts';
import type { Drawn } from '../world/drawn.ts';
import type { Life } from '../world/life.ts';
import type { Network } from '../world/network.ts';
import type { World } from '../world/world.ts';
import { createDayBook } from './day-book.ts';

export type OrderState = 'pending' | 'executed' | 'declined' | 'reversed';

export interface BankOrder {
  readonly bank: string;
  readonly number: number;
  readonly reference: string;
  /** The payout, as `merchant/payout_id`. */
  readonly remittance: string;
  readonly money: Money;
  readonly acceptedAt: Instant;
  state: OrderState;
  /** True once money left, even if it was returned. */
  wasExecuted: boolean;
  changedAt: Instant;
}

export interface BankNews {
  readonly rail: string;
  readonly reference: string;
  readonly kind: Exclude<OrderState, 'pending'>;
  readonly minor: string;
  readonly currency: string;
}

export interface PayoutBank {
  readonly name: string;
  readonly book: readonly BankOrder[];
  /** Wraps the rail of one process so that its calls reach this bank. */
  railOf(rail: PayoutRail, life: Life): PayoutRail;
  listerOf(lister: PayoutLister, life: Life): PayoutLister;
}

interface PayoutBankParts {
  readonly world: World;
  readonly network: Network;
  /** Sends a notification to the gateway. */
  readonly notify: (news: BankNews) => void;
  /** Called when the bank adds an order to its book or changes one. */
  readonly onBooked: (order: BankOrder) => void;
}

type Decision = 'executed' | 'declined' | 'pending' | 'not_accepted';

const DECISIONS: readonly (readonly [number, Decision])[] = [
  [60, 'executed'],
  [8, 'declined'],
  [28, 'pending'],
  [8, 'not_accepted'],
];
const DECIDES_AFTER_MS = [1 * SECOND_MS, 5 * SECOND_MS, 30 * SECOND_MS, 5 * MINUTE_MS, 120 * MINUTE_MS];
const REVERSED = 0.06;
const REVERSES_AFTER_MS = [1 * MINUTE_MS, 60 * MINUTE_MS, 30 * 60 * MINUTE_MS];
/** The probability that a notification reports the execution of a pending order with a wrong amount. */
const WRONG_AMOUNT = 0.2;

export function createPayoutBank(name: string, parts: PayoutBankParts): PayoutBank {
  const { world, network, notify, onBooked } = parts;
  const drawn = world.drawn.apart(`bank ${name}`);
  const book: BankOrder[] = [];
  const byReference = new Map<string, BankOrder>();
  const byDay = createDayBook<BankOrder>();

  function accept(order: PayoutOrder): BankOrder | undefined {
    const decision = drawn.weighted(DECISIONS);
    if (decision === 'not_accepted') return undefined;
    const accepted = booked(name, book.length, order, world.now());
    book.push(accepted);
    if (!byReference.has(accepted.reference)) byReference.set(accepted.reference, accepted);
    write(accepted);
    if (decision === 'pending') decideLater(accepted);
    else change(accepted, decision);
    return accepted;
  }

  function decideLater(order: BankOrder): void {
    if (drawn.chance(WRONG_AMOUNT)) notify({ ...newsOf(order, 'executed'), minor: `${order.money.minor + 1n}` });
    world.after(drawn.oneOf(DECIDES_AFTER_MS), () => {
      change(order, drawn.chance(0.8) ? 'executed' : 'declined');
      send(order);
    });
  }

  function write(order: BankOrder): void {
    byDay.add(world.now(), order);
    onBooked(order);
  }

  function change(order: BankOrder, state: Exclude<OrderState, 'pending'>): void {
    order.state = state;
    order.changedAt = world.now();
    if (state === 'executed') order.wasExecuted = true;
    write(order);
    if (state === 'executed' && drawn.chance(REVERSED))
      world.after(drawn.oneOf(REVERSES_AFTER_MS), () => {
        change(order, 'reversed');
        send(order);
      });
  }

  function send(order: BankOrder): void {
    if (order.state === 'pending') return;
    notify(newsOf(order, order.state));
    if (drawn.chance(0.1)) notify(newsOf(order, order.state));
  }

  function statusOf({ reference }: PayoutOrder): RailStatus {
    const order = byReference.get(reference);
    if (!order) return { kind: 'not_found' };
    return answerOf(order);
  }

  return {
    name,
    book,
    railOf(rail, life) {
      const calls = createCalls(world, network, drawn, rail.timeoutMs);
      return {
        ...rail,
        send: (order, deadline) =>
          life.whileAlive(seen(world, life, order, calls.send(order, deadline, rail.notFoundProofMs, accept))),
        ask: (order, deadline) => life.whileAlive(calls.ask(deadline, () => statusOf(order))),
      };
    },
    listerOf: ({ rail }, life) => ({
      rail,
      dayOf: utcDayOf,
      payoutsOf: (day, signal) => life.whileAlive(listOf(day, signal)),
    }),
  };

  async function listOf(day: string, signal: AbortSignal) {
    await new Promise<void>((resolve) => world.after(network.delayMs(), resolve));
    if (signal.aborted || network.fate() !== 'answered') throw new Error(`${name} gives no list`);
    const payouts = byDay
      .of(day)
      .filter(({ changedAt, acceptedAt }) => utcDayOf(changedAt) === day || utcDayOf(acceptedAt) === day)
      .map((order) => ({ ...order, providerId: `${name}-${order.number}` }));
    return { payouts, unreadable: [] };
  }
}

function booked(bank: string, number: number, { reference, remittance, money }: PayoutOrder, at: Instant): BankOrder {
  const state = 'pending';
  return { bank, number, reference, remittance, money, acceptedAt: at, state, wasExecuted: false, changedAt: at };
}

async function seen(world: World, life: Life, { remittance }: PayoutOrder, answered: Promise<RailAnswer>) {
  const answer = await answered;
  if (answer.kind === 'not_accepted') world.afterRejection(life, remittance);
  return answer;
}

function newsOf({ bank, reference, money }: BankOrder, kind: BankNews['kind']): BankNews {
  return { rail: bank, reference, kind, minor: `${money.minor}`, currency: money.currency };
}

function answerOf({ state }: BankOrder): Exclude<RailAnswer, { kind: 'not_accepted' }> {
  switch (state) {
    case 'declined':
      return { kind: state, blockedReason: 'bank_declined', reason: 'declined' };
    case 'reversed':
      return { kind: state, reason: 'reversed' };
    default:
      return { kind: state };
  }
}

const TIMED_OUT = { kind: 'unknown', reason: 'it did not respond in time' } as const;
const ERROR_500 = { kind: 'unknown', reason: 'HTTP 500' } as const;

/** Sends calls over the network. The bank acts when a request arrives, even if its response is lost. */
function createCalls(world: World, network: Network, drawn: Drawn, timeoutMs: number) {
  function within<Answer>(deadline: Deadline, begin: (answer: (value: Answer) => void) => void) {
    return new Promise<Answer | typeof TIMED_OUT>((resolve) => {
      deadline.signal.addEventListener('abort', () => resolve(TIMED_OUT), { once: true });
      // The gateway's own timeout is a sleeper, so the world must not jump over it.
      const stopWaiting = world.after(timeoutMs, () => {});
      begin((value) => {
        stopWaiting();
        resolve(value);
      });
    });
  }

  return {
    send: (
      order: PayoutOrder,
      deadline: Deadline,
      notFoundProofMs: number,
      accept: (order: PayoutOrder) => BankOrder | undefined,
    ) =>
      within<RailAnswer>(deadline, (answer) => {
        const fate = network.fate();
        if (fate === 'refused') return answer({ kind: 'not_accepted', reason: 'connection refused' });
        if (fate === 'lost') return;
        // A request without a response may stay queued until shortly before "not found" becomes proof.
        const latest = order.sendUntil + notFoundProofMs - 1 - network.now();
        const isLate = fate === 'unanswered' && drawn.chance(0.3);
        world.after(isLate ? drawn.between(0, latest) : Math.min(network.delayMs(), latest), () => {
          const accepted = accept(order);
          if (fate === 'unanswered') return;
          world.after(network.delayMs(), () => {
            if (fate === 'broken') answer(ERROR_500);
            else answer(accepted ? answerOf(accepted) : { kind: 'not_accepted', reason: 'rejected' });
          });
        });
      }),
    ask: (deadline: Deadline, status: () => RailStatus) =>
      within<RailStatus>(deadline, (answer) => {
        const fate = network.fate();
        if (fate === 'refused') return answer({ kind: 'unknown', reason: 'connection refused' });
        if (fate === 'lost') return;
        world.after(network.delayMs(), () => {
          const found = status();
          if (fate === 'unanswered') return;
          world.after(network.delayMs(), () => answer(fate === 'broken' ? ERROR_500 : found));
        });
      }),
  };
}
