/** An amount: an integer of minor units with its currency. It must never involve floating point. */
import { type Currency, minorDigits } from './currency.ts';

export interface Money {
  readonly currency: Currency;
  /** The amount in minor units, such as cents. */
  readonly minor: bigint;
}

const AMOUNT = /^(\d{1,12})(?:\.(\d{1,2}))?$/;

/**
 * Parses an amount as merchants write it: digits, and at most two more after a point (decision 10). Returns undefined for any
 * other string and for zero.
 */
export function parseAmount(text: string, currency: Currency): Money | undefined {
  const match = AMOUNT.exec(text);
  if (!match) return undefined;
  const minor = BigInt((match[1] ?? '') + (match[2] ?? '').padEnd(minorDigits(currency), '0'));
  return minor > 0n ? { currency, minor } : undefined;
}

/** Formats an amount such as `10.00`, always with all decimals of the currency. A negative amount keeps its sign. */
export function formatAmount(money: Money): string {
  const digits = minorDigits(money.currency);
  const sign = money.minor < 0n ? '-' : '';
  const text = (money.minor < 0n ? -money.minor : money.minor).toString().padStart(digits + 1, '0');
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Compares both amount and currency. */
export function isSameMoney(one: Money, other: Money): boolean {
  return one.currency === other.currency && one.minor === other.minor;
}

/** Formats an amount for display, such as `10.00 EUR`. */
export function formatMoney(money: Money): string {
  return `${formatAmount(money)} ${money.currency}`;
}

const PERCENT = /^(\d{1,3})(?:\.(\d{1,4}))?$/;

/** Parses a percentage such as `1.25` into millionths (12500). Returns undefined for other strings and above 100. */
export function parsePercent(text: string): bigint | undefined {
  const match = PERCENT.exec(text);
  if (!match) return undefined;
  const millionths = BigInt((match[1] ?? '') + (match[2] ?? '').padEnd(4, '0'));
  return millionths <= 1_000_000n ? millionths : undefined;
}

/** Returns `percent` (in millionths) of `money`, rounded half up to a minor unit. */
export function percentOf(money: Money, percent: bigint): Money {
  return { currency: money.currency, minor: (money.minor * percent + 500_000n) / 1_000_000n };
}
