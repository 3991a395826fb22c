/**
 * What the gateway sends to have a payout made: its shape, its checks, and what of it may be kept. The beneficiary
 * itself never leaves this file: the book gets a masked account and a digest of the masked content.
 */
import { hash } from 'node:crypto';

export interface PayoutInstruction {
  readonly reference: string;
  readonly method: number;
  readonly amount: string;
  readonly currency: string;
  readonly remittance: string;
  /** The account as the book may hold it. */
  readonly maskedAccount: string;
  /** Equal for equal instructions; tells a repeated reference from a reused one. */
  readonly contentDigest: string;
}

export type ParsedInstruction = { readonly instruction: PayoutInstruction } | { readonly invalidField: string };

/** The fourteen payout methods this bank stands in for, each with the one currency it pays in. */
export const currencyOfMethod: ReadonlyMap<number, string> = new Map([
  [1, 'UAH'],
  [8, 'USD'],
  [9, 'EUR'],
  [11, 'AZN'],
  [12, 'KZT'],
  [16, 'UAH'],
  [17, 'AZN'],
  [22, 'EUR'],
  [23, 'EUR'],
  [24, 'KZT'],
  [26, 'INR'],
  [34, 'UAH'],
  [92, 'CAD'],
  [93, 'EUR'],
]);

type Fields = Readonly<Record<string, unknown>>;

const matches = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value);
const isPositiveAmount = (value: unknown) => matches(/^\d{1,12}\.\d{2}$/)(value) && /[1-9]/.test(String(value));

const checks: readonly (readonly [field: string, holds: (fields: Fields) => boolean])[] = [
  ['reference', (fields) => matches(/^[A-Za-z0-9._:~-]{1,128}$/)(fields['reference'])],
  ['method', (fields) => currencyOfMethod.has(fields['method'] as number)],
  ['amount', (fields) => isPositiveAmount(fields['amount'])],
  ['currency', (fields) => fields['currency'] === currencyOfMethod.get(fields['method'] as number)],
  ['remittance', (fields) => matches(/^[\x20-\x7e]{1,140}$/)(fields['remittance'])],
  ['beneficiary', (fields) => isStringRecord(fields['beneficiary'])],
  ['beneficiary.account', (fields) => matches(/^\S.{0,127}$/)((fields['beneficiary'] as Fields)['account'])],
];

/** Checks the parsed JSON of a request; the first field at fault is named. Unknown fields are ignored. */
export function parsePayoutInstruction(value: unknown): ParsedInstruction {
  if (!isRecord(value)) return { invalidField: 'body' };
  const failed = checks.find(([, holds]) => !holds(value));
  if (failed !== undefined) return { invalidField: failed[0] };
  const { reference, amount, currency, remittance, method } = value as Readonly<Record<string, string>>;
  const beneficiary = value['beneficiary'] as Readonly<Record<string, string>>;
  const known = { reference, method: Number(method), amount, currency, remittance } as PayoutInstruction;
  return {
    instruction: {
      ...known,
      maskedAccount: maskAccount(beneficiary['account'] ?? ''),
      contentDigest: digestOf(known, beneficiary),
    },
  };
}

/** A card number keeps its first six and last four digits; any other account its last four characters. */
export function maskAccount(account: string): string {
  const compact = account.replace(/[ -]/g, '');
  const shown = /^\d{12,19}$/.test(compact) ? compact.slice(0, 6) : '';
  const end = compact.length > 8 ? compact.slice(-4) : '';
  return `${shown}****${end}`;
}

// The digest is taken over the masked beneficiary: a digest of a whole card number beside its first six and last four
// would give the rest away to anybody who tries them all.
function digestOf(known: PayoutInstruction, beneficiary: Readonly<Record<string, string>>): string {
  const masked = Object.keys(beneficiary)
    .sort()
    .map((field) => [field, maskCardNumber(beneficiary[field] ?? '')]);
  const content = [known.reference, known.method, known.amount, known.currency, known.remittance, masked];
  return hash('sha256', JSON.stringify(content), 'base64url');
}

function maskCardNumber(value: string): string {
  return /^\d[\d -]{11,}$/.test(value) ? maskAccount(value) : value;
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isStringRecord(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((entry) => typeof entry === 'string' && entry.length <= 512);
}
