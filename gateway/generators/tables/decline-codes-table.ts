/** The providers' decline reasons, each with our code. The tables belong to the rails. */
import { BLOCKED_REASONS } from '../../src/domain/payouts/payout.ts';
import { RAILS } from '../../src/rails/registry.ts';

/** Returns one row per rail and code. */
export function declineRows(): readonly (readonly [rail: string, code: string, reasons: string])[] {
  return Object.values(RAILS)
    .toSorted(byText(({ name }) => name))
    .flatMap(({ name, declines = [] }) =>
      [...Map.groupBy(declines, ([, reason]) => BLOCKED_REASONS[reason].code)]
        .toSorted(byText(([code]) => code))
        .map(([code, of]) => [name, code, of.map(([reason]) => reason).join(', ')] as const),
    );
}

function byText<Item>(textOf: (item: Item) => string): (one: Item, other: Item) => number {
  return (one, other) => (textOf(one) < textOf(other) ? -1 : 1);
}
