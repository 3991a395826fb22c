/**
 * Queries STP whether an order of ours ended as a state change says. If the gateway trusted a forged one, it would keep money
 * in suspense that has left, and could return it a second time. Orders are few, so the gateway queries each. The state change
 * does not contain the order's operation date, so the gateway queries the last days as well as the current day
 * (payout-rail.ts). Not confirmed: how soon after a state change STP's query shows it.
 */
import type { AskForPayout } from '../../domain/notifications/rail-notification.ts';
import { type Clock, DAY_MS } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import type { Money } from '../../foundation/money.ts';
import { boundConfirmations } from '../kit/confirmations.ts';
import { askTransfer, type Exchange } from './api.ts';
import type { StpConfiguration } from './configuration.ts';
import { keepPrivateKey } from './key-files.ts';
import { operationDates } from './operation-date.ts';
import type { ListedTransfer } from './queries.ts';
import { endOf, type OrderEnd } from './vocabulary.ts';

/** Queries STP whether the order with this claveRastreo ended so. */
export type ConfirmPayout = (claveRastreo: string, end: OrderEnd['kind']) => AskForPayout;

/** STP returns an order within days. The list of incoming transfers finds one that took longer. */
const SENT_WITHIN_MS = 5 * DAY_MS;

export function createConfirmPayout(configuration: StpConfiguration, http: Exchange, clock: Clock): ConfirmPayout {
  const privateKey = keepPrivateKey(configuration);
  const { empresa } = configuration;
  const bounded = boundConfirmations('STP');

  /** Returns the end that STP states, or the reason why there is none. */
  async function endAtStp(claveRastreo: string, money: Money, deadline: Deadline): Promise<string> {
    const key = privateKey();
    if (!key.ok) return key.error;
    const now = clock.now();
    for (const fechaOperacion of [null, ...operationDates(now - SENT_WITHIN_MS, now).reverse()]) {
      const query = { empresa, claveRastreo, direction: 'E', fechaOperacion } as const;
      const answer = await askTransfer(http, query, key.value, deadline);
      if (answer.kind === 'unknown') return answer.reason;
      if (answer.kind === 'found') return endOfOrder(answer.transfer, claveRastreo, money);
    }
    return 'STP does not find the order';
  }

  return (claveRastreo, end) =>
    bounded(async (money, deadline) => {
      const found = await endAtStp(claveRastreo, money, deadline);
      return found === end ? { kind: 'confirmed' } : { kind: 'unconfirmed', reason: found };
    });
}

function endOfOrder(transfer: ListedTransfer, claveRastreo: string, money: Money): string {
  if (transfer.claveRastreo !== claveRastreo) return 'STP finds another order';
  if (transfer.money.minor !== money.minor) return 'STP finds the order with another amount';
  return endOf(transfer)?.kind ?? `STP reports ${transfer.estado}`;
}
