/** Parsers for settings and environment variables. Each parser also describes the values it accepts. */
import type { Currency } from '../currency.ts';
import { parseAmount } from '../money.ts';
import { isAddressOrNetwork } from '../networks.ts';
import { Secret } from '../secret.ts';

export interface TextReader<Value> {
  /** Returns undefined if the reader does not accept the text. */
  readonly read: (text: string) => Value | undefined;
  /** A description of the accepted values, for messages and the docs. */
  readonly accepts: string;
  /** All accepted values, where they can be listed. */
  readonly choices?: readonly string[];
}

export function oneOf<const Values extends readonly string[]>(values: Values): TextReader<Values[number]> {
  return { read: (text) => values.find((value) => value === text), accepts: values.join(', '), choices: values };
}

/** Accepts a string that matches `shape`, and returns it unchanged. */
export function matching(shape: RegExp, accepts: string): TextReader<string> {
  return { read: (text) => (shape.test(text) ? text : undefined), accepts };
}

export function wholeNumber(lowest: number, highest: number): TextReader<number> {
  const isInRange = (value: number) => value >= lowest && value <= highest;
  return {
    read: (text) => (/^\d{1,9}$/.test(text) && isInRange(Number(text)) ? Number(text) : undefined),
    accepts: `a whole number from ${lowest} to ${highest}`,
  };
}

/** Parses an amount or zero, in minor units. */
export function readMinorOrZero(text: string, currency: Currency): bigint | undefined {
  return /^0(\.0{1,2})?$/.test(text) ? 0n : parseAmount(text, currency)?.minor;
}

/** Accepts items separated by commas. `accepts` names the items in the plural. */
export function listOf<Item>(
  readItem: (text: string) => Item | undefined,
  accepts: string,
): TextReader<readonly Item[]> {
  return {
    read(text) {
      const items = text.split(',').map((part) => readItem(part.trim()));
      const read = items.filter((item) => item !== undefined);
      return read.length === items.length ? read : undefined;
    },
    accepts: `${accepts}, separated by commas`,
  };
}

export const hexKeys: TextReader<readonly Secret[]> = listOf(
  (text) => (/^[0-9A-Fa-f]{64}$/.test(text) ? new Secret(text) : undefined),
  'keys of 64 hexadecimal digits',
);

export const networks: TextReader<readonly string[]> = listOf(
  (text) => (isAddressOrNetwork(text) ? text : undefined),
  'addresses and networks (CIDR)',
);
