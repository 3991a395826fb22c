/** Adyen's representation of a transfer: in the response to its request, in lists and in webhooks. */
import type { BookEntry } from './book.ts';

/** Returns the transfer as the response to its request shows it. */
export function answerView(entry: BookEntry, balanceAccount: string): object {
  const { cardHolder, maskedNumber, currency, value } = entry;
  return {
    id: entry.id,
    creationDate: entry.createdAt,
    accountHolder: { id: 'AH00000000000000000000001', description: 'The client’s account holder' },
    balanceAccount: { id: balanceAccount, description: 'The client’s balance account' },
    amount: { currency, value },
    category: 'card',
    counterparty: { card: { cardHolder, cardIdentification: { number: maskedNumber } } },
    direction: 'outgoing',
    reason: entry.reason,
    reference: entry.reference,
    description: entry.description,
    status: entry.status,
    type: 'cardTransfer',
  };
}

/** Returns the transfer with its history, as lists and webhooks show it. */
export function dataView(entry: BookEntry, balanceAccount: string): object {
  const booked = entry.events.find(({ status }) => status === 'booked');
  return {
    ...answerView(entry, balanceAccount),
    balancePlatform: 'SimulatedPlatform',
    createdAt: entry.createdAt,
    updatedAt: entry.at,
    sequenceNumber: entry.events.length,
    balances: balancesOf(entry),
    events: entry.events.map((event) => ({
      ...event,
      type: 'accounting',
      ...(event === booked ? { transactionId: `${event.id}${entry.currency}`, valueDate: event.bookingDate } : {}),
    })),
  };
}

/** The opening balance of the account in each of its currencies, in minor units. */
const OPENING = 100_000_000;

/** Returns the available balance. An account without funds has spent everything elsewhere. */
export function balanceAccountView(transfers: readonly BookEntry[], id: string, isFunded: boolean): object {
  const balances = ['EUR', 'USD'].map((currency) => {
    const moved = sumsOf(transfers.filter((transfer) => transfer.currency === currency));
    const balance = (isFunded ? OPENING : -moved.balance - moved.reserved - moved.received) + moved.balance;
    return {
      currency,
      balance,
      reserved: moved.reserved,
      pending: 0,
      available: balance + moved.reserved + moved.received,
    };
  });
  return { id, accountHolderId: 'AH00000000000000000000001', defaultCurrencyCode: 'EUR', balances };
}

/** Returns the sum of all balance changes so far. */
function balancesOf(entry: BookEntry): readonly object[] {
  return [{ currency: entry.currency, ...sumsOf([entry]) }];
}

function sumsOf(transfers: readonly BookEntry[]) {
  const events = transfers.flatMap((transfer) => transfer.events);
  const sums = { received: 0, reserved: 0, balance: 0 };
  for (const { received = 0, reserved = 0, balance = 0 } of events.flatMap(({ mutations }) => mutations)) {
    sums.received += received;
    sums.reserved += reserved;
    sums.balance += balance;
  }
  return sums;
}
