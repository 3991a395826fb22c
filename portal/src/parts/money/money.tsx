/**
 * An amount with its currency in grey. Amounts are decimal strings, with which the browser never computes in floating point.
 */
export function Money({ amount, currency, size }: { amount: string; currency: string; size?: string }) {
  return (
    <span className="money" style={size === undefined ? {} : { fontSize: size }}>
      {grouped(amount)} <span className="muted">{currency}</span>
    </span>
  );
}

/** Formats 1234567.89 as 1,234,567.89. */
export function grouped(amount: string): string {
  const [whole = '', fraction] = amount.split('.');
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? separated : `${separated}.${fraction}`;
}
