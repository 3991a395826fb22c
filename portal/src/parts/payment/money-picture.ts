/** A payment's money as a picture: chains of accounts, from the account that the money left to the accounts where it is. */
import type { LedgerLine } from '../../../../gateway/contract/parts/answer-parts.ts';
import { sumOf } from '../money/amounts.ts';

/** An account with the amount that a step brought to it. */
export interface Place {
  readonly account: string;
  readonly amount: string;
  readonly currency: string;
}

/** The transfers of one posting. `at` is null for an expected posting. */
export interface Step {
  readonly at: string | null;
  readonly journal: string;
  readonly kind: string;
  readonly places: readonly Place[];
}

/** A chain of steps, each of which moves the money of the previous one. */
export interface Chain {
  readonly from: Place;
  readonly steps: readonly Step[];
}

/** `expected` contains the accounts that the money is likely to enter next. */
export function chainsOf(lines: readonly LedgerLine[], expected: readonly Place[] = []): readonly Chain[] {
  const journals = Object.values(Object.groupBy(lines, ({ journal }) => journal)).filter((each) => each !== undefined);
  const chains: { from: Place; steps: Step[] }[] = [];
  for (const journal of journals) {
    const [first] = journal;
    if (!first) continue;
    const { at, kind } = first;
    const step = { at, journal: first.journal, kind, places: placesOf(journal, 'credit') };
    const sources = placesOf(journal, 'debit');
    const last = chains.at(-1)?.steps.at(-1);
    const goesOn = last && sources.every(({ account }) => last.places.some((place) => place.account === account));
    if (goesOn) chains.at(-1)?.steps.push(step);
    else chains.push({ from: sources[0] ?? { account: first.debit, ...moneyOf(first) }, steps: [step] });
  }
  const next = { at: null, journal: 'expected', kind: 'expected', places: expected };
  if (expected.length > 0) chains.at(-1)?.steps.push(next);
  return chains;
}

function moneyOf({ amount, currency }: LedgerLine) {
  return { amount, currency };
}

function placesOf(journal: readonly LedgerLine[], side: 'debit' | 'credit'): Place[] {
  const byAccount = Object.groupBy(journal, (line) => line[side]);
  return Object.entries(byAccount).map(([account, lines = []]) => ({
    account,
    amount: sumOf(lines.map(({ amount }) => amount)),
    currency: lines[0]?.currency ?? '',
  }));
}
