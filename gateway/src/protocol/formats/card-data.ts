/** Formats of card data, in payouts and on the payment page alike. Nothing here keeps, shows or alters any of it. */
import cardValidator from 'card-validator';
import type { Instant } from '../../foundation/clock.ts';

/** The check digit of card numbers; false for text that is not all digits. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let fromRight = 0; fromRight < digits.length; fromRight += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - fromRight) - 48;
    if (digit < 0 || digit > 9) return false;
    const doubled = fromRight % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return digits.length > 0 && sum % 10 === 0;
}

/** Digits of the right count, whatever their check digit says. */
export function isCardShaped(text: string): boolean {
  return /^\d{12,19}$/.test(text);
}

export function isCardNumber(text: string): boolean {
  return isCardShaped(text) && passesLuhn(text);
}

/** `visa`, `mastercard` and so on by the first digits; undefined for none or several. */
export function cardNetwork(cardNumber: string): string | undefined {
  return cardValidator.number(cardNumber).card?.type;
}

/** `mm/yy`, good until the last moment of its month, UTC. */
export function isFutureExpiry(text: string, now: Instant): boolean {
  const match = /^(0[1-9]|1[0-2])\/(\d{2})$/.exec(text);
  if (!match) return false;
  // Months count from zero, so this is the first moment of the month after.
  return now < Date.UTC(2000 + Number(match[2]), Number(match[1]), 1);
}
