/**
 * Validates and composes CLABEs, the 18 digits of a Mexican account: bank 3, branch 3, account 11, check digit 1. STP's
 * accounts begin with 646 and mostly with 646180. The client's prefix and a number that the client chooses follow, up
 * to the check digit. Pure: the allocator decides which numbers are free.
 *
 * Confirmed by the public description of the standard, and against clabe-validator: the weights 3, 7, 1, each product
 * modulo 10. Not confirmed: whether STP assigns prefixes of one length only (clients show 10 and 12 digits).
 */
import { invariant } from '../../foundation/invariant.ts';

const LENGTH = 18;
const WEIGHTS = [3, 7, 1] as const;

/** Returns the check digit of the first 17 digits. */
export function clabeCheckDigit(digits: string): string {
  invariant(/^\d{17}$/.test(digits), 'CLABE without its check digit is not 17 digits');
  const sum = [...digits].reduce(
    (total, digit, index) => total + ((Number(digit) * (WEIGHTS[index % 3] ?? 0)) % 10),
    0,
  );
  return String((10 - (sum % 10)) % 10);
}

export function isClabe(text: string): boolean {
  return /^\d{18}$/.test(text) && clabeCheckDigit(text.slice(0, -1)) === text.slice(-1);
}

/** Returns the number of CLABEs that begin with `prefix` (6 to 16 digits). */
export function clabeCapacity(prefix: string): bigint {
  invariant(/^\d{6,16}$/.test(prefix), 'CLABE prefix is not 6 to 16 digits');
  return 10n ** BigInt(LENGTH - 1 - prefix.length);
}

/** Returns the CLABE of account `number` of `prefix`. Numbers count from 0 and are below the prefix's capacity. */
export function composeClabe(prefix: string, number: bigint): string {
  invariant(number >= 0n && number < clabeCapacity(prefix), "CLABE number exceeds the prefix's capacity");
  const digits = prefix + number.toString().padStart(LENGTH - 1 - prefix.length, '0');
  return digits + clabeCheckDigit(digits);
}
