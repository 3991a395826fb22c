/** Differences, as JSON and as text. */
import type { Difference, KeptDifference } from '../domain/differences/difference.ts';
import { formatFacts, formatSection, formatTable, humanTime, jsonTime } from './command-output.ts';

export const DIFFERENCE_COLUMNS = ['kind', 'subject', 'merchant', 'payout_id', 'ours', 'theirs'] as const;

export function differenceJson({ kind, subject, merchantId, payoutId, ours, theirs }: Difference) {
  return { kind, subject, merchant: merchantId, payout_id: payoutId, ours, theirs };
}

export function differenceCells(difference: Difference): string[] {
  const { kind, subject, merchantId, payoutId, ours, theirs } = difference;
  return [kind, subject, merchantId ?? '', payoutId ?? '', ours, theirs];
}

export function keptDifferenceJson(kept: KeptDifference) {
  const { rail, day, transactionId, foundAt, resolved } = kept;
  return {
    ...{ rail, day },
    ...differenceJson(kept),
    transaction_id: transactionId,
    found_at: jsonTime(foundAt),
    resolved: resolved && { ...resolved, at: jsonTime(resolved.at) },
  };
}

export function keptDifferenceTable(all: readonly KeptDifference[]): string {
  const rows = all.map((kept) => [
    kept.rail,
    kept.day,
    ...differenceCells(kept),
    humanTime(kept.foundAt),
    resolutionText(kept),
  ]);
  const header = ['RAIL', 'DAY', ...DIFFERENCE_COLUMNS.map((name) => name.toUpperCase()), 'FOUND', 'RESOLVED'];
  return formatTable(header, rows, 'Nothing differs.');
}

export function keptDifferenceText(kept: KeptDifference): string {
  const { rail, day, kind, subject, merchantId, payoutId, transactionId, ours, theirs, foundAt } = kept;
  const facts = formatFacts([
    ['rail', rail],
    ['day', day],
    ['subject', subject],
    ['merchant', merchantId],
    ['payout', payoutId],
    ['deposit', transactionId === null ? null : String(transactionId)],
    ['the ledger has', ours],
    ['the provider says', theirs],
    ['found', humanTime(foundAt)],
    ['resolved', resolutionText(kept)],
  ]);
  return formatSection(`Difference ${kind}`, facts);
}

function resolutionText({ resolved }: KeptDifference): string {
  return resolved ? `${resolved.by}: ${resolved.resolution}` : 'open';
}
