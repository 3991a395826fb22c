/**
 * STP and the payers who use it. Payers transfer to a CLABE: the exact amount, a shortfall, an overpayment, a duplicate, a
 * late payment, or nothing. STP notifies the gateway of most transfers, sometimes twice, and lists all of them.
 */

import type { Confirmation } from '../../src/domain/deposits/confirm-transfer.ts';
import type { IncomingTransfer } from '../../src/domain/deposits/deposit.ts';
import type { TransferLister } from '../../src/domain/reconciliation/transfer-lister.ts';
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS, SECOND_MS, utcDayOf } from '../../src/foundation/clock.ts';
import type { Life } from '../world/life.ts';
import type { Network } from '../world/network.ts';
import { awaitReconciliation } from '../world/reconciliation-times.ts';
import type { World } from '../world/world.ts';
import { createDayBook } from './day-book.ts';

export interface TransferNotice {
  readonly rail: 'stp';
  readonly transferKey: string;
  readonly payTo: string;
  readonly minor: string;
  readonly bookedAt: Instant;
}

export interface SpeiBank {
  readonly book: readonly IncomingTransfer[];
  /** Returns the transfers to this CLABE. */
  paidTo(clabe: string): readonly IncomingTransfer[];
  /** Called when a payer receives the CLABE of a deposit. */
  expect(clabe: string, minor: bigint): void;
  listerOf(lister: TransferLister, life: Life): TransferLister;
  /** Returns STP's response to a query for a notified transfer. */
  confirm(transferKey: string, life: Life): Promise<Confirmation>;
}

type Conduct = 'exact' | 'short' | 'over' | 'twice' | 'never';

const CONDUCTS: readonly (readonly [number, Conduct])[] = [
  [80, 'exact'],
  [5, 'short'],
  [4, 'over'],
  [4, 'twice'],
  [7, 'never'],
];
const PAYS_AFTER_MS = [30 * SECOND_MS, 5 * MINUTE_MS, 2 * HOUR_MS, 20 * HOUR_MS];
/** One time within the grace period, and one after it. */
const LATE_MS = [60 * HOUR_MS, 5 * DAY_MS];
const LATE = 0.06;
const UNNOTIFIED = 0.08;
/** The probability that a forger sends a notice of a transfer that does not exist. */
const FORGED = 0.15;
/** How many past days of STP's list may contain a transfer that the gateway missed. */
const DAYS_BACK = 3;

export function createSpeiBank(
  world: World,
  network: Network,
  notify: (notice: TransferNotice, isForged: boolean) => void,
): SpeiBank {
  const drawn = world.drawn.apart('spei');
  const book: IncomingTransfer[] = [];
  const byAddress = new Map<string, IncomingTransfer[]>();
  const byDay = createDayBook<IncomingTransfer>();

  function transfer(payTo: string, minor: bigint): void {
    const trackingKey = `T${book.length}`;
    const booked: IncomingTransfer = {
      rail: 'stp',
      transferKey: `${trackingKey}/40012/${utcDayOf(world.now())}`,
      payTo,
      money: { currency: 'MXN', minor },
      originator: { name: 'Ana', account: '0123', institution: '40012', concept: 'x', trackingKey },
      bookedAt: world.now(),
    };
    book.push(booked);
    byAddress.set(payTo, [...(byAddress.get(payTo) ?? []), booked]);
    byDay.add(world.now(), booked);
    if (drawn.chance(UNNOTIFIED)) awaitReconciliation(world, 'transfers');
    else tell(booked);
  }

  function tell({ transferKey, payTo, money, bookedAt }: IncomingTransfer): void {
    const notice = { rail: 'stp', transferKey, payTo, minor: `${money.minor}`, bookedAt } as const;
    notify(notice, false);
    if (drawn.chance(0.1)) notify(notice, false);
  }

  function forge(payTo: string, minor: bigint): void {
    const transferKey = `F${world.now()}/40012/${utcDayOf(world.now())}`;
    notify({ rail: 'stp', transferKey, payTo, minor: `${minor}`, bookedAt: world.now() }, true);
  }

  async function listOf(day: string, signal: AbortSignal) {
    await new Promise<void>((resolve) => world.after(network.delayMs(), resolve));
    if (signal.aborted || network.fate() !== 'answered') throw new Error('STP gives no list');
    return { transfers: byDay.of(day), unreadable: [] };
  }

  return {
    book,
    paidTo: (clabe) => byAddress.get(clabe) ?? [],
    expect(clabe, minor) {
      const conduct = drawn.weighted(CONDUCTS);
      if (drawn.chance(FORGED)) forge(clabe, minor);
      if (conduct === 'never') return;
      const paid = { exact: minor, twice: minor, short: minor - 1n, over: minor + 1n }[conduct];
      world.after(drawn.oneOf(drawn.chance(LATE) ? LATE_MS : PAYS_AFTER_MS), () => {
        transfer(clabe, paid);
        if (conduct === 'twice') world.after(drawn.oneOf(PAYS_AFTER_MS), () => transfer(clabe, paid));
      });
    },
    confirm: (transferKey, life) =>
      life.whileAlive(
        new Promise((resolve) => {
          const fate = network.fate();
          world.after(2 * network.delayMs(), () => {
            if (fate !== 'answered') return resolve({ kind: 'unconfirmed', reason: 'no response' });
            const transfer = book.find((booked) => booked.transferKey === transferKey);
            resolve(transfer ? { kind: 'confirmed', transfer } : { kind: 'unconfirmed', reason: 'unknown' });
          });
        }),
      ),
    listerOf: ({ rail }, life) => ({
      rail,
      daysToReconcile: (now) => Array.from({ length: DAYS_BACK }, (_, back) => utcDayOf(now - back * DAY_MS)).reverse(),
      transfersOf: (day, signal) => life.whileAlive(listOf(day, signal)),
    }),
  };
}
