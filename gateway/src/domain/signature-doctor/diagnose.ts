/**
 * The signature doctor: finds the mistake behind a wrong signature by making each mistake, and each pair of mistakes, with the
 * merchant's keys until the signature matches. It must not print a key or a valid signature, and must not find fault with a
 * valid one.
 */
import { equalInConstantTime, Secret } from '../../foundation/secret.ts';
import { MISTAKES } from './mistakes.ts';
import { rightRecipe, signatureBy, signedText } from './recipes.ts';
import type { Candidate, Mistake, Recipe, Suspect } from './suspect.ts';

/** Replaces the key in the shown strings. */
const KEY_MARK = '<key>';

interface NamedMistake {
  readonly id: string;
  readonly text: string;
  readonly field: string | null;
}

export type Diagnosis =
  | { readonly kind: 'right' }
  | { readonly kind: 'no_key' }
  | { readonly kind: 'unknown'; readonly text: string; readonly expected: string }
  | {
      readonly kind: 'mistake';
      /** One mistake, or two that occur together. */
      readonly mistakes: readonly NamedMistake[];
      /** The string to sign and the string that was signed, with a placeholder for the key. */
      readonly expected: string;
      readonly signed: string;
      /** The first byte in which they differ. Null if the strings are equal, or if a mask hides the difference. */
      readonly differsAt: number | null;
    };

interface Attempt extends Candidate {
  readonly mistake: Mistake;
  readonly place: number;
}

/** `shown` is the same request with masked values. Only its strings are shown. */
export function diagnose(suspect: Suspect, shown = suspect): Diagnosis {
  const right = rightRecipe(suspect);
  if (!suspect.keys.some(({ origin }) => origin === suspect.rightOrigin)) return { kind: 'no_key' };
  if (makes(suspect, right)) return { kind: 'right' };
  const expected = shownText(shown, right);
  const attempts = attemptsOf(suspect);
  for (const made of combinations(attempts)) {
    const recipe = recipeOf(right, made);
    if (!makes(suspect, recipe)) continue;
    const signed = shownText(
      shown,
      recipeOf(
        right,
        made.map((attempt) => inOther(attempt, shown)),
      ),
    );
    return {
      kind: 'mistake',
      mistakes: made.map(named),
      expected,
      signed,
      differsAt: firstDifference(expected, signed),
    };
  }
  return { kind: 'unknown', text: shapeOf(suspect.signature), expected };
}

function recipeOf(right: Recipe, made: readonly (Candidate | undefined)[]): Recipe {
  return Object.assign({}, right, ...made.map((each) => each?.change ?? {}));
}

/** Returns the same mistake in a request with other values. */
function inOther({ mistake, place }: Attempt, other: Suspect): Candidate | undefined {
  return mistake.candidates(other)[place];
}

function attemptsOf(suspect: Suspect): readonly Attempt[] {
  return MISTAKES.filter(({ scheme }) => scheme === 'both' || scheme === suspect.scheme).flatMap((mistake) =>
    mistake.candidates(suspect).flatMap((candidate, place) => (candidate ? [{ ...candidate, mistake, place }] : [])),
  );
}

/** Yields each mistake by itself, then pairs that change different steps. */
function* combinations(attempts: readonly Attempt[]): Generator<readonly Attempt[]> {
  for (const attempt of attempts) yield [attempt];
  const steps = attempts.map(({ change }) => Object.keys(change));
  for (const [index, first] of attempts.entries())
    for (let other = index + 1; other < attempts.length; other += 1) {
      const second = attempts[other];
      if (second && !steps[index]?.some((step) => steps[other]?.includes(step))) yield [first, second];
    }
}

function makes(suspect: Suspect, recipe: Recipe): boolean {
  const keys =
    recipe.key === 'none'
      ? [new Secret('')]
      : suspect.keys.filter(({ origin }) => origin === recipe.key).map(({ secret }) => secret);
  return keys.some((key) => equalInConstantTime(signatureBy(suspect, recipe, key.reveal()), suspect.signature));
}

function shownText(suspect: Suspect, recipe: Recipe): string {
  return signedText(suspect, recipe, KEY_MARK).toString();
}

function firstDifference(expected: string, signed: string): number | null {
  const [one, other] = [Buffer.from(expected), Buffer.from(signed)];
  if (one.equals(other)) return null;
  const at = one.findIndex((byte, index) => byte !== other[index]);
  return at < 0 ? one.length : at;
}

function named({ mistake: { id, text }, field }: Attempt): NamedMistake {
  return { id, text: text.replace('{field}', () => field ?? ''), field: field ?? null };
}

/** What the form of an unknown signature suggests. */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/^$/, 'It is empty.'],
  [/^[0-9a-f]{32}$/i, 'It looks like a hex MD5 digest of a different string or with a different key.'],
  [/^[0-9a-f]{40}$/i, 'It looks like SHA-1 in hexadecimal.'],
  [/^[0-9a-f]{64}$/i, 'It looks like SHA-256 in hexadecimal.'],
  [/^[A-Za-z0-9+/]{22}==$/, 'It has the form of a valid sign, over a different string or with a different key.'],
  [/^[A-Za-z0-9+/]{87}=$/, 'It has the form of a valid X-Sign, over a different body or with a different key.'],
  [/^[A-Za-z0-9+/]{43}=$/, 'It looks like the base64 of 32 raw bytes.'],
];

function shapeOf(signature: string): string {
  return SHAPES.find(([shape]) => shape.test(signature))?.[1] ?? 'It does not have the form of any known signature.';
}
