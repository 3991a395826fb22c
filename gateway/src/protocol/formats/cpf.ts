/** The CPF, the Brazilian tax number of a person: eleven digits, of which the last two are check digits. */

/** Returns the check digit after `digits`: weights rise from 2 at the last digit, modulo 11. */
function checkDigit(digits: string): number {
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (digits.length + 1 - at), 0);
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}

/** Expects no points or dash. Eleven equal digits pass the check, but are never assigned. */
export function isCpf(text: string): boolean {
  if (!/^\d{11}$/.test(text) || /^(\d)\1{10}$/.test(text)) return false;
  return Number(text[9]) === checkDigit(text.slice(0, 9)) && Number(text[10]) === checkDigit(text.slice(0, 10));
}
