/** The check digit of a CLABE, a Mexican account number of 18 digits. */

const WEIGHTS = [3, 7, 1] as const;

/** Returns the CLABE that begins with these 17 digits. */
export function withCheckDigit(digits: string): string {
  const sum = [...digits].reduce(
    (total, digit, index) => total + ((Number(digit) * (WEIGHTS[index % 3] ?? 0)) % 10),
    0,
  );
  return digits + String((10 - (sum % 10)) % 10);
}

export function isClabe(text: string): boolean {
  return /^\d{18}$/.test(text) && withCheckDigit(text.slice(0, -1)) === text;
}
