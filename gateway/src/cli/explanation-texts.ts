/** Explanations of why an object waits, as JSON and as text. */
import type { Explanation } from '../domain/operators/explanation.ts';
import { formatFacts, humanTime, jsonTime } from './command-output.ts';

export function explanationJson(explanation: Explanation<string>) {
  return {
    reason: explanation.reason,
    waits_for: explanation.waitsFor,
    since: jsonTime(explanation.since),
    next: explanation.next,
    next_at: jsonTime(explanation.nextAt),
    merchant_can: explanation.merchantCan,
    note: explanation.note,
  };
}

export function explanationText(explanation: Explanation<string>): string {
  const when = explanation.nextAt === null ? '' : `, at ${humanTime(explanation.nextAt)}`;
  return formatFacts([
    ['waits for', explanation.waitsFor],
    ['since', humanTime(explanation.since)],
    ['next', `${explanation.next}${when}`],
    ['merchant can', explanation.merchantCan],
    ['last step', explanation.note],
  ]);
}
