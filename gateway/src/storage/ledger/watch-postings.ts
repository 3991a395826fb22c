/** Finds the transfers that one open transaction posted. It reads the parameters of the posting statements. */
import type { PostedTransfer } from '../../domain/ledger/transfer.ts';
import type { Currency } from '../../foundation/currency.ts';
import type { Queryable } from '../core/database.ts';
import { TRANSFER_TYPES, type TransferRow } from './ledger-posting.ts';

interface PostingWatch {
  /** Must see the parameters of each statement before it runs. */
  watch(values: readonly unknown[]): Promise<void>;
  /** Returns the transfers that the watched statements posted and that were not rolled back. */
  posted(): Promise<readonly PostedTransfer[]>;
}

type JournalKey = Readonly<Record<'merchant_id' | 'journal_id', string>>;

interface PostedRow extends JournalKey {
  readonly kind: PostedTransfer['kind'];
  readonly currency: Currency;
  readonly debit_account: PostedTransfer['debit'];
  readonly credit_account: PostedTransfer['credit'];
  readonly amount: bigint;
}

export function watchPostings(transaction: Queryable): PostingWatch {
  const journals = new Map<string, JournalKey>();
  const earlier = new Set<string>();
  return {
    async watch(values) {
      const named = [...values.flatMap(journalsIn), ...journalsInArrays(values)];
      const asked = named.filter((key) => !journals.has(nameOf(key)));
      if (asked.length === 0) return;
      for (const row of await readPosted(transaction, asked)) earlier.add(nameOf(row));
      for (const key of asked) journals.set(nameOf(key), key);
    },
    async posted() {
      const asked = [...journals].filter(([name]) => !earlier.has(name)).map(([, key]) => key);
      if (asked.length === 0) return [];
      return (await readPosted(transaction, asked)).map(readTransfer);
    },
  };
}

/**
 * Returns the journals in a parameter. Each posting statement of a user's action has its lines as JSON, or as one array for
 * each of TRANSFER_TYPES. (accept-at-once.ts has other columns, but accepts no payouts of users.) A user’s text may look
 * similar, but refers to no new journal.
 */
function journalsIn(value: unknown): JournalKey[] {
  if (typeof value !== 'string' || !value.startsWith('[{"merchant_id"')) return [];
  try {
    const rows = JSON.parse(value) as Partial<TransferRow>[];
    return rows.flatMap(({ merchant_id, journal_id }) =>
      typeof merchant_id === 'string' && typeof journal_id === 'string' ? [{ merchant_id, journal_id }] : [],
    );
  } catch {
    return [];
  }
}

const COLUMNS = Object.keys(TRANSFER_TYPES);
const FROM_MERCHANT_TO_JOURNAL = COLUMNS.indexOf('journal_id') - COLUMNS.indexOf('merchant_id');

/** Any array may be the merchants of lines. */
function journalsInArrays(values: readonly unknown[]): JournalKey[] {
  return values.flatMap((value, at) => {
    const merchants = elementsOf(value);
    const journals = merchants.length > 0 ? elementsOf(values[at + FROM_MERCHANT_TO_JOURNAL]) : [];
    if (journals.length !== merchants.length) return [];
    return merchants.map((merchant_id, index) => ({ merchant_id, journal_id: journals[index] ?? '' }));
  });
}

/** Returns the elements of an array as `arraysOf` writes it (database.ts). */
function elementsOf(value: unknown): string[] {
  if (typeof value !== 'string' || !/^\{.*\}$/s.test(value)) return [];
  const elements = value.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|[^,"]+/gs);
  return [...elements].map(([raw, quoted]) => quoted?.replaceAll(/\\(.)/gs, '$1') ?? raw);
}

const nameOf = ({ merchant_id: merchantId, journal_id: journalId }: JournalKey) => `${merchantId}/${journalId}`;

function readPosted(transaction: Queryable, journals: readonly JournalKey[]): Promise<PostedRow[]> {
  return transaction.query<PostedRow>(
    `select merchant_id, journal_id, kind, currency, debit_account, credit_account, amount from ledger_transfers
     where (merchant_id, journal_id) in (select * from unnest($1::text[], $2::text[]))
     order by merchant_id, journal_id, line`,
    [journals.map((key) => key.merchant_id), journals.map((key) => key.journal_id)],
  );
}

function readTransfer(row: PostedRow): PostedTransfer {
  const { kind, currency, amount } = row;
  return { merchantId: row.merchant_id, kind, currency, debit: row.debit_account, credit: row.credit_account, amount };
}
