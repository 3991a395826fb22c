/** Explanations of why an object waits, as text. */
import type { Explanation } from '../../../contract/parts/answer-parts.ts';
import { formatFacts, humanIsoTime } from '../command-output.ts';

export function explanationText({ waitsFor, since, next, nextAt, merchantCan, note }: Explanation): string {
  const when = nextAt === null ? '' : `, at ${humanIsoTime(nextAt)}`;
  return formatFacts([
    ['waits for', waitsFor],
    ['since', humanIsoTime(since)],
    ['next', `${next}${when}`],
    ['merchant can', merchantCan],
    ['last step', note],
  ]);
}
