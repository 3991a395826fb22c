/** Differences as text. */
import type { Difference as KeptDifference } from '../../../contract/endpoints/rails.ts';
import type { ComparedDay } from '../../../contract/endpoints/reconciliation.ts';
import { formatFacts, formatSection, formatTable, humanIsoTime } from '../command-output.ts';

export const DIFFERENCE_COLUMNS = ['kind', 'subject', 'merchant', 'payout_id', 'ours', 'theirs'] as const;

export function differenceCells(difference: ComparedDay['differences'][number]): string[] {
  const { kind, subject, merchantId, payoutId, ours, theirs } = difference;
  return [kind, subject, merchantId ?? '', payoutId ?? '', ours, theirs];
}

export function keptDifferenceTable(all: readonly KeptDifference[]): string {
  const rows = all.map((kept) => [
    kept.rail,
    kept.day,
    ...differenceCells(kept),
    humanIsoTime(kept.foundAt),
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
    ['the provider reports', theirs],
    ['found', humanIsoTime(foundAt)],
    ['resolved', resolutionText(kept)],
  ]);
  return formatSection(`Difference ${kind}`, facts);
}

function resolutionText({ resolved }: KeptDifference): string {
  return resolved ? `${resolved.by}: ${resolved.resolution}` : 'open';
}
