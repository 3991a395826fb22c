/** Which of the representations that there are a client wants, by its Accept header (RFC 9110, 12.5.1). */

interface MediaRange {
  readonly type: string;
  /** From 0 (never) to 1. */
  readonly weight: number;
}

const RANGE = /^\s*([\w!#$&^.+*-]+\/[\w!#$&^.+*-]+)\s*((?:;[^;]*)*)$/;
const WEIGHT = /;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*(?:;|$)/i;

/**
 * The most wanted of `offered` (lower case, such as `text/csv`); of those that are wanted alike the first. Where none is, it
 * is the first too: an answer that was not asked for says more than none.
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

/** The range that says most of a type decides about it, whether it wants more or less than the others. */
function weightOf(type: string, ranges: readonly MediaRange[]): number {
  const [group] = type.split('/', 1);
  for (const range of [type, `${group}/*`, '*/*']) {
    const found = ranges.find((each) => each.type === range);
    if (found) return found.weight;
  }
  return 0;
}
