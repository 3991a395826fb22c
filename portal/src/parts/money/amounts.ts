/** Sums and differences of decimal amounts, without floating point. */

/** Returns the sum of amounts in one currency, with the digits of the longest fraction. */
export function sumOf(amounts: readonly string[]): string {
  const digits = Math.max(0, ...amounts.map((amount) => amount.split('.')[1]?.length ?? 0));
  const total = amounts.reduce((sum, amount) => sum + minorOf(amount, digits), 0n);
  const text = (total < 0n ? -total : total).toString().padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  return `${total < 0n ? '-' : ''}${whole}${digits > 0 ? `.${text.slice(-digits)}` : ''}`;
}

/** Returns the signed difference, or null for equal amounts. */
export function changeOf(before: string, after: string): string | null {
  const difference = sumOf([after, before.startsWith('-') ? before.slice(1) : `-${before}`]);
  if (/^[0.]+$/.test(difference)) return null;
  return difference.startsWith('-') ? difference.replace('-', '−') : `+${difference}`;
}

function minorOf(amount: string, digits: number): bigint {
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.');
  const minor = BigInt(whole + fraction.padEnd(digits, '0'));
  return amount.startsWith('-') ? -minor : minor;
}
