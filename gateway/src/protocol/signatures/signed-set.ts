/**
 * Which fields of a message the MD5 `sign` covers, as data. The scheme joins values with `:` and escapes nothing, so that a text
 * has one meaning only while each message has an exact set of fields and no value holds a `:` (decision record 1).
 */
import type { SignedFields } from './md5-sign.ts';

export interface SignedSet {
  readonly mandatory: readonly string[];
  /** Covered where they are there. */
  readonly optional: readonly string[];
  /** The message may hold no other field beside these and its signature. */
  readonly isClosed: boolean;
  /** The fields whose format needs a `:`: times, and an address of IPv6. */
  readonly withColon: ReadonlySet<string>;
}

type Rest = Partial<Omit<SignedSet, 'mandatory'>>;

/** By default open, without optional fields and without colons. `rest`: the exceptions. */
export function signedSet(mandatory: readonly string[], rest: Rest = {}): SignedSet {
  return { mandatory, optional: [], isClosed: false, withColon: new Set(), ...rest };
}

/** The first covered field with a `:` that its format does not need, or undefined. */
export function fieldWithForeignColon(fields: SignedFields, { withColon }: SignedSet): string | undefined {
  const entries = fields instanceof Map ? [...fields] : Object.entries(fields);
  return entries.find(([name, text]) => text.includes(':') && !withColon.has(name))?.[0];
}
