/** Draws one change to a JSON message: to a value, to a field, or by inserting fields of another message of the same kind. */
import type { Choices } from '../tools/seeded.ts';

interface Mutated {
  readonly text: string;
  /** Used in the message of a failed test. */
  readonly what: string;
}

/** The fields that decide the outcome of a payment. */
const MEANINGFUL =
  /amount|value|valor|monto|currency|unit|status|estado|state|reference|order|id$|Id$|txid|method|event|success|code|fecha|institucion|cuenta|clave/i;

type Path = readonly string[];
type Box = Record<string, unknown>;

/** Marks the name of a duplicate field until the JSON is written. */
const AGAIN = '_again_';

const ARABIC_ZERO = 0x0660;
const inArabicDigits = (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCharCode(ARABIC_ZERO + Number(digit)));

/** Each function maps a value, as a string, to a different value. */
const VALUES: Readonly<Record<string, (text: string) => unknown>> = {
  negative: (text) => `-${text}`,
  zero: () => '0',
  one: () => '1',
  'ten times': (text) => `${text.replace('.', '')}0`,
  'a cent more': (text) => text.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10)),
  huge: () => '9'.repeat(15),
  'beyond any column': () => '9'.repeat(40),
  exponent: (text) => `${text}e1`,
  infinite: () => '1E400',
  'three decimals': (text) => `${text}.001`,
  'decimal comma': (text) => text.replace('.', ','),
  'leading plus': (text) => `+${text}`,
  'leading zeros': (text) => `000${text}`,
  blanks: (text) => ` ${text} `,
  'unicode digits': inArabicDigits,
  'a NUL': (text) => `${text}\0`,
  'a lone surrogate': (text) => `${text}\uD83D`,
  'an SQL quote': (text) => `${text}'--`,
  long: (text) => text.padEnd(5_000, '9'),
  empty: () => '',
  null: () => null,
  true: () => true,
  list: (text) => [text, text],
  object: (text) => ({ value: text }),
  dollars: () => 'USD',
  chargeback: () => 'CHARGEBACK',
  refund: () => 'REFUND',
  debit: () => 'debit',
  success: () => 'success',
  failed: () => 'failed',
  reversed: () => 'reversed',
  returned: () => 'returned',
  Approved: () => 'Approved',
  Refunded: () => 'Refunded',
  'lower case': (text) => text.toLowerCase(),
};

const isBox = (value: unknown): value is Box => typeof value === 'object' && value !== null;

function pathsOf(tree: unknown, path: Path = []): Path[] {
  if (!isBox(tree)) return [path];
  return Object.entries(tree).flatMap(([name, value]) => pathsOf(value, [...path, name]));
}

function parentOf(tree: unknown, path: Path): Box | undefined {
  let box = tree;
  for (const name of path.slice(0, -1)) box = isBox(box) ? box[name] : undefined;
  return isBox(box) ? box : undefined;
}

/** Keeps the type: a number remains a number if the new text is a JSON number. */
function likeBefore(value: unknown, before: unknown): unknown {
  const isNumber = typeof before === 'number' && typeof value === 'string' && isJsonNumber(value);
  return isNumber ? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(value) : value;
}

const isJsonNumber = (text: string) => /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text);

/** Returns the paths of all values in a message. */
export const placesOf = (text: string): string[] => pathsOf(JSON.parse(text)).map((path) => path.join('.'));

/** Returns the message with a different value at that path, or without the field if the value is undefined. */
export function replacedAt(text: string, place: string, value: string | null | undefined): string {
  const tree: unknown = JSON.parse(text);
  const path = place.split('.');
  const [name = ''] = path.slice(-1);
  const box = parentOf(tree, path);
  if (box) box[name] = likeBefore(value, box[name]);
  return JSON.stringify(tree);
}

/** `other` is another message with equal or similar fields. */
export function mutate(text: string, other: string, choices: Choices): Mutated {
  const tree: unknown = JSON.parse(text);
  const paths = pathsOf(tree);
  const sending = paths.filter((each) => MEANINGFUL.test(each.join('.')));
  const path = choices.oneOf(choices.between(0, 3) === 0 || sending.length === 0 ? paths : sending);
  const [name = ''] = path.slice(-1);
  const box = parentOf(tree, path);
  if (!box) return { text, what: 'unchanged' };
  const before = box[name];
  const at = path.join('.');
  const written = (how: string) => ({ text: JSON.stringify(tree).replaceAll(AGAIN, ''), what: `${at}: ${how}` });
  const kind = choices.oneOf(['value', 'value', 'value', 'value', 'missing', 'again', 'extra', 'swapped', 'swapped']);
  if (kind === 'missing') {
    delete box[name];
    return written('missing');
  }
  const foreign = parentOf(JSON.parse(other), path)?.[name] ?? before;
  if (kind === 'swapped') {
    box[name] = foreign;
    return written('swapped');
  }
  const how = choices.oneOf(Object.keys(VALUES));
  const value = likeBefore(VALUES[how]?.(String(before)), before);
  if (kind === 'value') box[name] = value;
  else if (Array.isArray(box)) box.push(value);
  else box[kind === 'again' ? `${name}${AGAIN}` : `${name}2`] = value;
  return written(`${kind} ${how}`);
}
