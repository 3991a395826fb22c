/** Compares the movements in the demo merchant's ledger accounts with the expected ones. Read-only. */
import type { Gateway } from '../../gateway/src/main/compose/compose.ts';
import { DemoFailure } from './demo-failure.ts';
import { screen } from './screen.ts';

export interface BooksParts {
  readonly operations: Gateway['operations'];
  readonly sender: { readonly merchantId: string };
  /** Returns how many payments outside the walk have moved money. */
  readonly othersMoved: () => number;
}

/** Amounts in minor units, by account. */
export type Accounts = Readonly<Record<string, bigint>>;

export interface Books {
  /** Throws a one-sentence error if the movements differ. Otherwise prints a step, with `note` on its second line. */
  check(moves: Accounts, note: string): Promise<void>;
}

/** Reads the balances before a payment. */
export async function openBooks(parts: BooksParts, currency: string): Promise<Books> {
  const moved = parts.othersMoved();
  const before = await balancesOf(parts, currency);
  return {
    async check(moves, note) {
      const after = await balancesOf(parts, currency);
      const invariants = await parts.operations.books.verify();
      const broken = invariants.find(({ holds }) => !holds);
      if (broken)
        throw new DemoFailure(`An invariant of the books is broken: ${broken.meaning} (see npx gateway verify)`);
      const isUndisturbed = moved === parts.othersMoved();
      if (isUndisturbed) refuseOtherMoves(before, after, moves, currency);
      const shown = isUndisturbed ? describeMoves(moves) : 'other payments also moved money';
      screen.done('Ledger', shown, `${note}; all ${invariants.length} invariants of the books hold`);
    },
  };
}

async function balancesOf({ operations, sender }: BooksParts, currency: string): Promise<Accounts> {
  const found = await operations.merchants.find(sender.merchantId);
  const entries = [...(found?.balances ?? [])].find(([name]) => name === currency)?.[1] ?? {};
  return entries as Accounts;
}

function refuseOtherMoves(before: Accounts, after: Accounts, moves: Accounts, currency: string): void {
  for (const [account, expected] of Object.entries(moves)) {
    const by = (after[account] ?? 0n) - (before[account] ?? 0n);
    if (by === expected) continue;
    throw new DemoFailure(`The account ${account} moved by ${decimal(by)} ${currency} instead of ${decimal(expected)}`);
  }
}

function describeMoves(moves: Accounts): string {
  return Object.entries(moves)
    .filter(([, by]) => by !== 0n)
    .map(([account, by]) => `${account} ${by > 0n ? '+' : '−'}${decimal(by < 0n ? -by : by)}`)
    .join(', ');
}

/** Formats an amount with two decimals, which all of the demo's currencies have. */
export function decimal(minor: bigint): string {
  const sign = minor < 0n ? '-' : '';
  const digits = String(minor < 0n ? -minor : minor).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
