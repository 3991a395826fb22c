/**
 * Requests that an attacker can build from a signed string without the key: the string is split at its colons in every way,
 * and the parts are assigned to fields. A part without a field gets an invented name with the right sort position.
 */
import type { SignedMessage } from './messages.ts';

export type Body = ReadonlyMap<string, string>;

interface Cut {
  readonly parts: readonly string[];
  readonly names: readonly string[];
  readonly message: SignedMessage;
  readonly merchant: string;
}

/**
 * Returns every body with `merchant` whose values, in order of their names, join to the text and are valid for their fields.
 */
export function cutInto(message: SignedMessage, text: string, merchant: string): Body[] {
  const names = Object.keys(message.fields).sort();
  return [...cuts({ parts: text.split(':'), names, message, merchant }, 0, 0)].map((entries) => new Map(entries));
}

function* cuts(cut: Cut, field: number, start: number): Generator<[string, string][]> {
  const { parts, names, message, merchant } = cut;
  const name = names[field];
  if (name === undefined) {
    yield stranger(parts.slice(start), names.at(-1));
    return;
  }
  const last = parts.length - (names.length - field) + 1;
  for (let from = start; from < last; from += 1) {
    for (let to = from + 1; to <= last; to += 1) {
      const value = parts.slice(from, to).join(':');
      if (!message.fields[name]?.(value, merchant)) continue;
      const own = [...stranger(parts.slice(start, from), names[field - 1]), [name, value] as [string, string]];
      for (const rest of cuts(cut, field + 1, to)) yield [...own, ...rest];
    }
  }
}

/** Returns the remaining parts as one field whose name sorts directly after `after`, or first. */
function stranger(parts: readonly string[], after = ''): [string, string][] {
  return parts.length === 0 ? [] : [[`${after}0`, parts.join(':')]];
}
