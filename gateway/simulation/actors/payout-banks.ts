/** The payout banks of all rails, and their orders by payout. A payout that two orders executed is a violation. */
import type { PayoutRail } from '../../src/domain/payouts/payout-rail.ts';
import { CLOCK_TOLERANCE_MS } from '../../src/worker/clock-guard.ts';
import type { Life } from '../world/life.ts';
import type { Network } from '../world/network.ts';
import type { World } from '../world/world.ts';
import { type BankNews, type BankOrder, createPayoutBank, type PayoutBank } from './payout-bank.ts';

export interface PayoutBanks {
  bank(name: string): PayoutBank;
  /** The bank's orders by `merchant/payout_id`. */
  readonly orders: ReadonlyMap<string, readonly BankOrder[]>;
}

interface PayoutBanksParts {
  readonly world: World;
  readonly network: Network;
  readonly notify: (news: BankNews) => void;
  readonly violated: (what: string) => void;
}

export function createPayoutBanks({ world, network, notify, violated }: PayoutBanksParts): PayoutBanks {
  const banks = new Map<string, PayoutBank>();
  const orders = new Map<string, BankOrder[]>();

  function onBooked(order: BankOrder): void {
    const known = orders.get(order.remittance) ?? [];
    if (!known.includes(order)) orders.set(order.remittance, [...known, order]);
    const executed = [...known, order].filter(({ wasExecuted }) => wasExecuted);
    if (new Set(executed).size > 1) violated(`${order.remittance} was executed twice`);
  }

  /** "Not found" becomes proof some time after an attempt's deadline, so no process may send after that deadline. */
  function inTime(rail: PayoutRail, life: Life): PayoutRail {
    return {
      ...rail,
      send(order, deadline) {
        const lateMs = world.now() + rail.timeoutMs - order.sendUntil;
        if (lateMs > CLOCK_TOLERANCE_MS)
          violated(`${life.name} sent ${order.remittance} to ${rail.name} ${lateMs} ms after the deadline`);
        return rail.send(order, deadline);
      },
    };
  }

  return {
    orders,
    bank(name) {
      const bank = banks.get(name) ?? createPayoutBank(name, { world, network, notify, onBooked });
      banks.set(name, bank);
      return { ...bank, railOf: (rail, life) => inTime(bank.railOf(rail, life), life) };
    },
  };
}
