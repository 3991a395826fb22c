/** The tax number of a person in Brazil: eleven digits, of which the last two check the others. */

/** What has to follow `digits`: they are weighed with 2 for the last and one more for each before it, modulo 11. */
function checkDigit(digits: string): number {
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (digits.length + 1 - at), 0);
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}

/** Without points and dash. One digit eleven times over has the right check digits, and is nobody's. */
export function isCpf(text: string): boolean {
  if (!/^\d{11}$/.test(text) || /^(\d)\1{10}$/.test(text)) return false;
  return Number(text[9]) === checkDigit(text.slice(0, 9)) && Number(text[10]) === checkDigit(text.slice(0, 10));
}
