/**
 * Composes a statement from the ledger. It reads the period twice, page by page: first to count and to compare the sum with
 * the balances, then for its lines. Memory use does not depend on the length of the period.
 */
import { DAY_MS, HOUR_MS, type Instant } from '../../foundation/clock.ts';
import type { Currency } from '../../foundation/currency.ts';
import { invariant } from '../../foundation/invariant.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import { type Balances, balanceOf, type TransferKind } from '../ledger/transfer.ts';
import type { MerchantDirectory } from '../merchants/merchant-directory.ts';
import {
  linesOf,
  type StatementBalance,
  type StatementHead,
  type StatementLine,
  type StatementOrder,
  type StatementPosting,
  type StatementTotal,
  totalOf,
} from './statement.ts';
import type { PostingPlace, StatementStore } from './statement-store.ts';

interface ComposeStatementParts {
  readonly store: StatementStore;
  readonly ledger: Pick<LedgerStore, 'balancesAt'>;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
}

export type StatementFailure = 'merchant_not_found' | 'period_rejected';

export interface Statement {
  readonly head: StatementHead;
  lines(): AsyncIterable<StatementLine>;
}

const LONGEST_PERIOD_MS = 366 * DAY_MS;
const PAGE = 2_000;

export async function composeStatement(
  parts: ComposeStatementParts,
  order: StatementOrder,
): Promise<Result<Statement, StatementFailure>> {
  const { merchantId, currency, from, until } = order;
  if (from >= until || until - from > LONGEST_PERIOD_MS) return fail('period_rejected');
  if (!(await parts.merchants.find(merchantId))) return fail('merchant_not_found');
  const opening = await parts.ledger.balancesAt(merchantId, from);
  const closing = await parts.ledger.balancesAt(merchantId, until);
  const balances = {
    opening: ownBalance(opening.balances, currency),
    closing: ownBalance(closing.balances, currency),
  };
  const start = totalOf(balances.opening);
  const lines = () => linesFrom(parts.store, order, opening.closedUntil, start);
  const { count, totals, end } = await addUp(lines(), start);
  const isFinal = until <= opening.closedUntil;
  // An open period may change between the reads.
  invariant(!isFinal || end === totalOf(balances.closing), `statement of ${merchantId} does not balance`);
  const head = { ...order, ...balances, lines: count, totals, isFinal };
  return ok({ head, lines });
}

function ownBalance(balances: ReadonlyMap<Currency, Balances>, currency: Currency): StatementBalance {
  const held = balances.get(currency) ?? {};
  return {
    available: balanceOf(held, 'available'),
    reserved: balanceOf(held, 'reserved'),
    owed: balanceOf(held, 'owed'),
  };
}

async function addUp(lines: AsyncIterable<StatementLine>, start: bigint) {
  const totals = new Map<TransferKind, StatementTotal>();
  let [count, end] = [0, start];
  for await (const { kind, amount, balance } of lines) {
    const before = totals.get(kind) ?? { kind, lines: 0, amount: 0n };
    totals.set(kind, { kind, lines: before.lines + 1, amount: before.amount + amount });
    count += 1;
    end = balance;
  }
  return { count, end, totals: [...totals.values()] };
}

async function* linesFrom(
  store: StatementStore,
  order: StatementOrder,
  closedUntil: Instant,
  start: bigint,
): AsyncIterable<StatementLine> {
  let balance = start;
  for await (const posting of postingsFrom(store, order, closedUntil)) {
    const { postedAt, journalId, payoutId, orderId, transactionId } = posting;
    for (const { kind, amount } of linesOf(posting)) {
      balance += amount;
      yield { postedAt, kind, amount, balance, payoutId, orderId, transactionId, journalId };
    }
  }
}

/** Reads hour by hour, because an hour's part of the ledger is contiguous. Skips closed hours without a change. */
async function* postingsFrom(
  store: StatementStore,
  order: StatementOrder,
  closedUntil: Instant,
): AsyncIterable<StatementPosting> {
  const closedEnd = Math.min(order.until, closedUntil);
  const ends = closedEnd > order.from ? await store.activeHours({ ...order, until: closedEnd }) : [];
  const parts = ends.map((end) => ({
    from: Math.max(order.from, end - HOUR_MS),
    until: Math.min(order.until, end),
  }));
  if (order.until > closedEnd) parts.push({ from: Math.max(order.from, closedUntil), until: order.until });
  for (const part of parts) {
    let after: PostingPlace | null = null;
    for (;;) {
      const page: readonly StatementPosting[] = await store.postings({ ...order, ...part }, after, PAGE);
      yield* page;
      after = page.at(-1) ?? null;
      if (page.length < PAGE) break;
    }
  }
}
