/** The recipe of each scheme, as the API defines it, and the tools to derive the recipes of mistakes. */
import { createHash, createHmac } from 'node:crypto';
import type { Entry, Recipe, Scheme, Suspect } from './suspect.ts';

export function hashOf(algorithm: string): (bytes: Buffer) => Buffer {
  return (bytes) => createHash(algorithm).update(bytes).digest();
}

export function hmacOf(algorithm: string): (bytes: Buffer, key: string) => Buffer {
  return (bytes, key) => createHmac(algorithm, key).update(bytes).digest();
}

export const base64 = (digest: Buffer): string => digest.toString('base64');
export const hex = (digest: Buffer): string => digest.toString('hex');
export const base64OfHex = (digest: Buffer): string => Buffer.from(hex(digest)).toString('base64');

export function byName([left]: Entry, [right]: Entry): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

export function entriesOf({ fields }: Suspect, names: readonly string[]): readonly Entry[] {
  return names.flatMap((name) => {
    const value = fields.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
}

const COMMON = {
  value: (text: string) => text,
  body: (raw: Buffer) => raw,
  bytes: (text: string) => Buffer.from(text),
  send: (signature: string) => signature,
  keyText: (key: string) => key,
} as const;

const VALUES = {
  pick: (suspect: Suspect) => entriesOf(suspect, suspect.covered),
  order: (entries: readonly Entry[]) => entries.toSorted(byName),
  join: (entries: readonly Entry[]) => entries.map(([, value]) => value).join(':'),
} as const;

const RECIPES: Readonly<Record<Scheme, Omit<Recipe, 'key'>>> = {
  sign: {
    ...COMMON,
    ...VALUES,
    place: (joined, key) => `${joined}:${key}`,
    digest: hashOf('md5'),
    encode: base64,
  },
  x_sign: {
    ...COMMON,
    ...VALUES,
    place: (joined) => joined,
    digest: hmacOf('sha256'),
    encode: base64OfHex,
  },
};

export function rightRecipe({ scheme, rightOrigin }: Suspect): Recipe {
  return { ...RECIPES[scheme], key: rightOrigin };
}

/** Returns the signed string, with `key` in its place. For X-Sign it is the body. */
export function signedText(suspect: Suspect, recipe: Recipe, key: string): Buffer {
  if (suspect.scheme === 'x_sign') {
    const body = recipe.body(suspect.raw);
    const isPlaced = recipe.place !== RECIPES.x_sign.place;
    return isPlaced ? Buffer.from(recipe.place(body.toString('latin1'), key), 'latin1') : body;
  }
  const entries = recipe.order(recipe.pick(suspect)).map(([name, text]) => [name, recipe.value(text, name)] as const);
  return recipe.bytes(recipe.place(recipe.join(entries), key));
}

export function signatureBy(suspect: Suspect, recipe: Recipe, key: string): string {
  const used = recipe.keyText(key);
  return recipe.send(recipe.encode(recipe.digest(signedText(suspect, recipe, used), used)));
}
