/** Performs the operations of a plan. */
import type { Rails } from '../../src/rails/registry.ts';
import type { CallbackOffice } from '../actors/callback-office.ts';
import { amountOf } from '../actors/deposit-shop.ts';
import { drawOffer } from '../actors/form-trade.ts';
import type { SimulatedMerchant } from '../actors/merchant.ts';
import type { SimulatedOperator } from '../actors/operator.ts';
import type { BankOrder } from '../actors/payout-bank.ts';
import type { RefundOperator } from '../actors/refund-operator.ts';
import type { SettingsOperator } from '../actors/settings-operator.ts';
import type { FailoverPromise } from '../faults/failover-promise.ts';
import { CALM, STORMS, type Weather } from '../faults/weather.ts';
import type { Fleet } from '../processes/gateway-fleet.ts';
import type { Drawn } from '../world/drawn.ts';
import type { World } from '../world/world.ts';
import type { Operation } from './plan.ts';

interface OperationParts {
  readonly world: World;
  readonly choices: Drawn;
  readonly weather: Weather;
  readonly fleet: Fleet;
  readonly office: CallbackOffice;
  readonly staff: SimulatedOperator;
  readonly refundOperator: RefundOperator;
  readonly rules: SettingsOperator;
  readonly merchants: ReadonlyMap<string, SimulatedMerchant>;
  /** The bank's orders by `merchant/payout_id`. */
  readonly orders: ReadonlyMap<string, readonly BankOrder[]>;
  readonly rails: () => Rails;
  /** The payout methods that some rail carries. */
  readonly methods: () => readonly number[];
  readonly failovers: FailoverPromise;
  /** Restores the database to its state at the beginning of the episode. */
  readonly restore: () => void;
  /** Makes the database unreachable for `ms`. */
  readonly cutDatabase: (ms: number) => void;
  readonly topUp: (merchantId: string) => void;
}

/** The payments of a burst begin at this many moments, so that many of them share a commit. */
const MOMENTS = 8;
const MOMENT_MS = 250;
/** The first two orders arrive while processes may still use the old settings, the last one after that time. */
const ORDERS_AFTER_MS = [0, 2_000, 15_000];
/** Each request may arrive before the failover ends. */
const REQUESTS_IN_FAILOVER = 12;

type Performers = { readonly [Kind in Operation['kind']]: (operation: Extract<Operation, { kind: Kind }>) => void };

/** Returns a function that performs an operation immediately. */
export function createPerformer(parts: OperationParts): (operation: Operation) => void {
  const { world, weather, fleet, office, failovers, staff, refundOperator, rules } = parts;
  const { merchants, orders, rails, methods, cutDatabase, restore, topUp } = parts;
  const { burst, payOut, deposit, payOnForm } = createTrade(parts);

  function pauseTarget(scope: 'merchant' | 'method' | 'rail', target: number): string {
    const named = {
      merchant: [...merchants.keys()],
      method: methods().map(String),
      rail: rails().payoutRails.map(({ name }) => name),
    }[scope];
    return named[target % named.length] ?? '';
  }

  function jumpClock(place: number, skewMs: number, ms: number): void {
    const life = fleet.at(place)?.life;
    if (!life) return;
    life.skewMs = skewMs;
    world.after(ms, () => {
      life.skewMs = 0;
    });
  }

  const performers: Performers = {
    payouts: ({ count }) => burst(count, () => payOut()),
    deposits: ({ count }) => burst(count, () => deposit()),
    forms: ({ count }) => burst(count, () => payOnForm()),
    refund: ({ merchant, count, percent }) => {
      const { id = '', shop } = merchants.get(`M${merchant}`) ?? {};
      const paid = [...(shop?.deposits.values() ?? [])].filter((one) => one.order.startsWith('f') && one.isPaid);
      for (const { transactionId = 0, minor } of paid.slice(-count)) {
        const part = (minor * BigInt(percent)) / 100n;
        refundOperator.refund({ merchantId: id, transactionId }, percent === 100 ? null : amountOf(part));
      }
    },
    storm: ({ storm, ms }) => {
      Object.assign(weather, CALM, STORMS[storm]);
      world.after(ms, () => Object.assign(weather, CALM));
    },
    kill: ({ process, turns, side, downMs }) => fleet.killAfter(process, turns, side, downMs),
    stall: ({ process, turns, ms }) => fleet.stallAfter(process, turns, ms),
    kill_claiming: ({ process, turns, downMs }) => fleet.killClaiming(process, turns, downMs),
    stall_claiming: ({ process, turns, ms }) => fleet.stallClaiming(process, turns, ms),
    stall_rejected: ({ process, ms }) => fleet.stallRejected(process, ms),
    restore: () => restore(),
    database_away: ({ ms }) => cutDatabase(ms),
    failover: ({ ms }) => {
      cutDatabase(ms);
      failovers.begin(ms);
      for (let index = 0; index < REQUESTS_IN_FAILOVER; index++) world.after(parts.choices.between(0, ms), payOut);
    },
    clock_jump: ({ process, skewMs, ms }) => jumpClock(process, skewMs, ms),
    merchant_closed: ({ merchant, ms }) => office.closeUntil(`M${merchant}`, world.now() + ms),
    pause: ({ scope, target, ms }) => staff.pause(scope, pauseTarget(scope, target), ms),
    cancel: ({ merchant, count }) => {
      const latest = [...(merchants.get(`M${merchant}`)?.payouts.keys() ?? [])].slice(-count);
      for (const payoutId of latest) staff.cancel({ merchantId: `M${merchant}`, payoutId });
    },
    approve: ({ count }) => staff.approve(count),
    route: ({ method, rail, ms }) => {
      const able = rails().payoutRails.filter((each) => each.name !== 'sandbox' && each.methods.size > 0);
      const chosen = able[rail % able.length];
      const carried = [...(chosen?.methods ?? [])];
      if (chosen) staff.route(Number(carried[method % carried.length]), chosen.name, ms);
    },
    state: ({ merchant, count, isGuess }) => {
      const open = [...(merchants.get(`M${merchant}`)?.payouts.values() ?? [])].filter(({ endedAt }) => !endedAt);
      for (const { payoutId } of open.slice(-count)) {
        const order = orders.get(`M${merchant}/${payoutId}`)?.at(-1);
        if (order) staff.state({ merchantId: `M${merchant}`, payoutId }, order, isGuess);
      }
    },
    held: ({ count }) => staff.decideAboutHeld(count),
    disable: ({ merchant, method, ms }) => {
      const chosen = methods()[method % methods().length] ?? 0;
      rules.disable(`M${merchant}`, chosen, ms);
      // The merchant notices the change only through an error.
      for (const afterMs of ORDERS_AFTER_MS)
        world.after(afterMs, () => merchants.get(`M${merchant}`)?.order(chosen, '2.00'));
    },
    edit_twice: ({ merchant }) => void rules.editTwice(`M${merchant}`),
    top_up: ({ merchant }) => topUp(`M${merchant}`),
  };
  return (operation) => (performers[operation.kind] as (one: Operation) => void)(operation);
}

/** Creates the operations of merchants and payers. */
function createTrade({ world, choices, merchants, methods, rails, refundOperator }: OperationParts) {
  const anyMerchant = () => choices.oneOf([...merchants.values()]);
  return {
    burst(count: number, pay: () => void): void {
      for (let index = 0; index < count; index++) world.after(choices.between(0, MOMENTS) * MOMENT_MS, pay);
    },
    payOut(): void {
      const merchant = anyMerchant();
      merchant.order(choices.oneOf(methods()), `${choices.between(1, 30)}.${choices.between(10, 99)}`);
      if (choices.chance(0.2)) merchant.look();
    },
    deposit(): void {
      anyMerchant().shop.deposit(BigInt(choices.between(1_000, 50_000)));
    },
    payOnForm(): void {
      const { paymentType, currency } = drawOffer(choices, rails());
      anyMerchant().shop.sell(BigInt(choices.between(1_000, 50_000)), currency, paymentType);
      refundOperator.endOverdueLater();
    },
  };
}
