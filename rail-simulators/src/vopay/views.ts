/** A transaction as VoPay's responses show it. */
import type { BookEntry, Status, Transaction } from './book.ts';
import type { Faults } from './faults.ts';

type Wording = Faults['wording'];

/** Returns a time in VoPay's format, such as `2026-11-20 12:00:00`. */
export function timestampOf(at: string): string {
  return at.slice(0, 19).replace('T', ' ');
}

const OF_EVENTS: Readonly<Partial<Record<Status, string>>> = { requested: 'sent', successful: 'complete' };

/** Returns the status of a transaction in the words of VoPay's documentation or of its event list. */
export function wordFor({ status, failureReason }: Transaction, wording: Wording): string {
  if (wording === 'usual') return status;
  if (failureReason.startsWith('1 ')) return 'declined';
  if (failureReason.startsWith('3 ')) return 'expired';
  return OF_EVENTS[status] ?? status;
}

export function acceptedView(first: BookEntry, wording: Wording): object {
  return {
    TransactionID: first.id,
    TransactionStatus: wordFor(first, wording),
    ...(first.flag === '' ? {} : { Flagged: first.flag }),
  };
}

export function moneyRequestView(entry: BookEntry, wording: Wording): object {
  return {
    ...beginning(entry, wording),
    BatchFileName: '',
    Name: entry.name,
    Email: entry.email,
    PhoneNumber: '',
    RecipientName: entry.name,
    MessageForRecipient: entry.message,
    ...middle(entry),
    GLCode: '',
    TransactionTypeCode: '450',
    MoneyRequestURL: '',
  };
}

export function payoutView(entry: BookEntry, wording: Wording): object {
  return {
    ...beginning(entry, wording),
    SenderName: 'Payment Gateway',
    RecipientName: entry.name,
    EmailAddress: entry.email,
    Memo: entry.message,
    ...middle(entry),
    CancellationPeriod: entry.lifeDays,
    GLCode: '',
    TransactionTypeCode: '450',
  };
}

function beginning(entry: BookEntry, wording: Wording): object {
  return {
    TransactionID: entry.id,
    TransactionStatus: wordFor(entry, wording),
    FailureReason: entry.failureReason,
    TransactionDateTime: timestampOf(entry.acceptedAt),
    Amount: entry.amount,
    Currency: 'CAD',
    HoldAmount: '0.00',
    LastModified: timestampOf(entry.at),
  };
}

function middle({ reference, status, id, at }: BookEntry): object {
  return {
    ClientReferenceNumber: reference,
    ConfirmationNumber: status === 'successful' ? `C${id}` : '',
    ProcessingDate: timestampOf(at),
  };
}

export function balanceView(available: string): object {
  return {
    AccountBalance: available,
    PendingFunds: '0.00',
    Reserve: '0.00',
    AvailableImmediately: available,
    AvailableFunds: available,
    Currency: 'CAD',
  };
}

export function calledBackView(entry: BookEntry, wording: Wording): object {
  return {
    TransactionID: entry.id,
    TransactionStatus: wordFor(entry, wording),
    Timestamp: timestampOf(entry.at),
  };
}

/** Returns an entry of `account/transactions`, where a list is an object with the keys 0, 1, …. */
export function listedView(entry: BookEntry, children: readonly BookEntry[], wording: Wording): object {
  const isIn = entry.type === 'Interac Money Request';
  return {
    TransactionID: String(entry.id),
    TransactionDateTime: timestampOf(entry.acceptedAt),
    TransactionType: entry.type,
    TransactionStatus: wordFor(entry, wording),
    Notes: entry.notes,
    DebitAmount: isIn ? '0.00' : entry.amount,
    CreditAmount: isIn ? entry.amount : '0.00',
    Currency: 'CAD',
    HoldAmount: '0.00',
    LastModified: timestampOf(entry.at),
    ParentTransactionID: entry.parentId === null ? '' : String(entry.parentId),
    ChildTransactionIDs: children.map(({ id }) => id).join(','),
    ClientReferenceNumber: entry.reference,
    ScheduledTransactionID: '',
    ClientAccountID: '',
    TransactionErrorCode: '',
    TransactionFailureReason: entry.failureReason,
    TransactionFlag: entry.flag === '' ? '' : { 0: entry.flag },
    IsRefunded: children.length > 0,
    FullName: entry.name,
  };
}
