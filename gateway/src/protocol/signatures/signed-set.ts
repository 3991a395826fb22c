/**
 * The fields that the MD5 `sign` of a message covers, as data. The scheme joins values with `:` and escapes nothing.
 * A text is unambiguous only if each message has an exact field set and no value holds a `:` (decision record 1).
 */
import type { SignedFields } from './md5-sign.ts';

export interface SignedSet {
  readonly mandatory: readonly string[];
  /** Covered if present. */
  readonly optional: readonly string[];
  /** The message may hold no fields beyond these and its signature. */
  readonly isClosed: boolean;
  /** The fields whose format needs a `:`, such as times and IPv6 addresses. */
  readonly withColon: ReadonlySet<string>;
}

type Rest = Partial<Omit<SignedSet, 'mandatory'>>;

/** Default: open, without optional fields and without colons. `rest` holds the exceptions. */
export function signedSet(mandatory: readonly string[], rest: Rest = {}): SignedSet {
  return { mandatory, optional: [], isClosed: false, withColon: new Set(), ...rest };
}

/** Returns the first covered field with a `:` that its format does not need, or undefined. */
export function fieldWithForeignColon(fields: SignedFields, { withColon }: SignedSet): string | undefined {
  const entries = fields instanceof Map ? [...fields] : Object.entries(fields);
  return entries.find(([name, text]) => text.includes(':') && !withColon.has(name))?.[0];
}
