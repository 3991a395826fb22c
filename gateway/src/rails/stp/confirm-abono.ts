/**
 * Queries STP whether a transfer exists as an abono describes it: arrived, with the same key, amount and account. We call STP
 * at its own URL, so its response proves more than any notification.
 *
 * STP finds a transfer of its current operation date only if the query has no date, and any other only under its date. STP
 * knows the current date better than we do (operation-date.ts), so the first query has no date.
 *
 * Not confirmed: how soon after its settlement STP finds a transfer. A query that comes too early leaves the abono
 * unconfirmed, and STP repeats the abono.
 */
import type { AskForTransfer, Confirmation } from '../../domain/deposits/confirm-transfer.ts';
import type { IncomingTransfer } from '../../domain/deposits/deposit.ts';
import type { Clock } from '../../foundation/clock.ts';
import { askTransfer, type Exchange } from './api.ts';
import type { StpConfiguration } from './configuration.ts';
import { transferOfAbono, transferOfRow } from './incoming-transfer.ts';
import { keepPrivateKey } from './key-files.ts';
import type { Abono } from './notification-messages.ts';
import type { ListedTransfer } from './queries.ts';
import { isSignable } from './signature.ts';

/** The limit of concurrent queries to STP. Others wait until their deadline. */
export const STP_CONFIRMATIONS = 4;

/** Queries STP whether an abono is true. */
export type ConfirmAbono = (abono: Abono) => AskForTransfer;

export function createConfirmAbono(configuration: StpConfiguration, http: Exchange, clock: Clock): ConfirmAbono {
  const privateKey = keepPrivateKey(configuration);
  const { empresa } = configuration;
  return (abono) => async (deadline) => {
    const { claveRastreo } = abono;
    if (!isSignable(claveRastreo)) return unconfirmed('STP cannot be queried by its claveRastreo');
    const key = privateKey();
    if (!key.ok) return unconfirmed(key.error);
    let reason = 'STP does not find the transfer';
    for (const fechaOperacion of [null, abono.fechaOperacion]) {
      const query = { empresa, claveRastreo, direction: 'R', fechaOperacion } as const;
      const answer = await askTransfer(http, query, key.value, deadline);
      if (answer.kind === 'unknown') return unconfirmed(answer.reason);
      if (answer.kind === 'not_found') continue;
      const transfer = transferOfRow(answer.transfer, clock.now());
      const difference = differenceOf(transferOfAbono(abono, clock.now()), transfer, answer.transfer);
      if (difference === undefined) return { kind: 'confirmed', transfer };
      reason = difference;
    }
    return unconfirmed(reason);
  };
}

const unconfirmed = (reason: string): Confirmation => ({ kind: 'unconfirmed', reason });

function differenceOf(notified: IncomingTransfer, found: IncomingTransfer, row: ListedTransfer): string | undefined {
  const { state, estado } = row;
  if (found.transferKey !== notified.transferKey)
    return 'STP finds a transfer of another bank or date under this claveRastreo';
  if (found.money.minor !== notified.money.minor) return 'STP finds the transfer with another amount';
  if (found.payTo !== notified.payTo) return 'STP finds the transfer to another account';
  if (found.returnOf !== notified.returnOf)
    return 'STP finds a payment where the notification reports a return, or the other way round';
  return state === 'settled' ? undefined : `STP reports ${estado}`;
}
