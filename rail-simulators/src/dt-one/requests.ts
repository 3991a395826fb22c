/** Parses a client's transaction request and checks it as far as possible without the book. */
import { asFields, type Fields } from '../kernel/fields.ts';
import type { ErrorCode } from './errors.ts';
import { PRODUCTS, type Product, RANGE } from './products.ts';

export interface TransactionRequest {
  readonly externalId: string;
  readonly product: Product;
  /** The amount for the recipient, in tiyn. */
  readonly tiyn: number;
  readonly mobileNumber: string;
  readonly isConfirmed: boolean;
  /** If empty, DT One sends no callbacks. */
  readonly callbackUrl: string;
}

export function isMobileNumber(value: unknown): value is string {
  return typeof value === 'string' && /^\+[1-9]\d{6,14}$/.test(value);
}

export function readRequest(body: unknown): TransactionRequest | ErrorCode {
  const fields = asFields(body);
  const { external_id: externalId, product_id, auto_confirm = false, callback_url = '' } = fields;
  if (typeof externalId !== 'string' || !/^(?=.*\S).{1,40}$/.test(externalId)) return 1000400;
  if (typeof auto_confirm !== 'boolean' || typeof callback_url !== 'string') return 1000400;
  const product = PRODUCTS.find(({ id }) => id === product_id);
  if (product === undefined) return Number.isInteger(product_id) ? 1003001 : 1000400;
  const tiyn = readAmount(fields);
  if (typeof tiyn !== 'object') return tiyn;
  const mobileNumber = asFields(fields['credit_party_identifier'])['mobile_number'];
  if (!isMobileNumber(mobileNumber)) return 1005003;
  return { externalId, product, ...tiyn, mobileNumber, isConfirmed: auto_confirm, callbackUrl: callback_url };
}

/** Reads the amount of a ranged product. Only the recipient's amount may state it. */
function readAmount({ calculation_mode, destination }: Fields): { readonly tiyn: number } | ErrorCode {
  const { unit_type, unit, amount } = asFields(destination);
  if (calculation_mode !== 'DESTINATION_AMOUNT' || typeof amount !== 'number') return 1000400;
  if (unit_type !== 'CURRENCY' || unit !== 'KZT') return 1003003;
  const tiyn = Math.round(amount * 100);
  return tiyn / 100 === amount && tiyn >= RANGE.least && tiyn <= RANGE.most ? { tiyn } : 1003002;
}
