/**
 * Whether STP itself says of an order of ours what a change of state tells. A forged one that was believed would have money
 * lie in suspense that has left, to be returned a second time. Orders are few, so each is asked about.
 *
 * Which operation date the order was sent on is not told, so those of the last days are asked for as well as the current
 * one (payout-rail.ts). Not confirmed: how soon after it tells of a change STP answers by it.
 */
import type { AskForPayout } from '../../domain/rails/rail-notification.ts';
import { type Clock, DAY_MS } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import type { Money } from '../../foundation/money.ts';
import { boundConfirmations } from '../kit/confirmations.ts';
import { askTransfer, type Exchange } from './ask-queries.ts';
import type { StpConfiguration } from './configuration.ts';
import { operationDates } from './operation-date.ts';
import { keepPrivateKey } from './private-key.ts';
import type { ListedTransfer } from './queries.ts';
import { endOf, type OrderEnd } from './vocabulary.ts';

/** The question whether the order with this claveRastreo ended so. */
export type ConfirmOrder = (claveRastreo: string, end: OrderEnd['kind']) => AskForPayout;

/** An order that comes back does so within days; one that took longer is found by the list of what came in. */
const SENT_WITHIN_MS = 5 * DAY_MS;

export function createConfirmOrder(configuration: StpConfiguration, http: Exchange, clock: Clock): ConfirmOrder {
  const privateKey = keepPrivateKey(configuration);
  const { empresa } = configuration;
  const bounded = boundConfirmations('STP');

  /** How STP says that it ended, or why that can't be said. */
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
    return 'STP finds no such order';
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
  return endOf(transfer)?.kind ?? `STP says ${transfer.estado}`;
}
