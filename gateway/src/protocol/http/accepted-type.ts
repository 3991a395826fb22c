/** Content negotiation by the Accept header (RFC 9110, 12.5.1). */

interface MediaRange {
  readonly type: string;
  /** A fraction from 0 (never) to 1 (always). */
  readonly weight: number;
}

const RANGE = /^\s*([\w!#$&^.+*-]+\/[\w!#$&^.+*-]+)\s*((?:;[^;]*)*)$/;
const WEIGHT = /;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*(?:;|$)/i;

/**
 * Returns the preferred type of `offered` (in lower case, such as `text/csv`), and the first of several with equal weight.
 * Also returns the first type if the client accepts none: a response in a type that was not requested is more useful than
 * none.
 */
export function acceptedType<Type extends string>(
  accept: string | undefined,
  offered: readonly [Type, ...Type[]],
): Type {
  const ranges = (accept ?? '*/*').split(',').flatMap(readRange);
  let best: { type: Type; weight: number } = { type: offered[0], weight: 0 };
  for (const type of offered) {
    const weight = weightOf(type, ranges);
    if (weight > best.weight) best = { type, weight };
  }
  return best.type;
}

function readRange(text: string): MediaRange[] {
  const [, type = '', parameters = ''] = RANGE.exec(text) ?? [];
  if (type === '') return [];
  const [, weight = '1'] = WEIGHT.exec(parameters) ?? [];
  return [{ type: type.toLowerCase(), weight: Number(weight) }];
}

/** The most specific range decides on a type, even if a wider range gives it more weight. */
function weightOf(type: string, ranges: readonly MediaRange[]): number {
  const [group] = type.split('/', 1);
  for (const range of [type, `${group}/*`, '*/*']) {
    const found = ranges.find((each) => each.type === range);
    if (found) return found.weight;
  }
  return 0;
}
