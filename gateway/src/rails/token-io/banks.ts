/**
 * Reads the banks that a payer may choose. Pure.
 *
 * Confirmed by Token.io's OpenAPI document of Banks v2: the URL, its filters, `page`, `perPage` of 200, the fields of a bank,
 * several countries of one bank; `paging` with `totalCount`. The descriptions of its two other fields are swapped, so the code
 * ignores them. Confirmed by Token.io's own clients of the previous version: pages count from 1. Not confirmed: that a page
 * after the last is empty.
 */
import type { PayerBank } from '../../domain/payments/payment-rail.ts';
import { type Fields, readPlainObject, shownTextOf } from '../kit/provider-json.ts';
import type { Account } from './protocol.ts';
import { fieldsOf, listOf, textsOf } from './read-fields.ts';

export const BANKS_PATH = '/v2/banks';
export const FIRST_PAGE = 1;
const PER_PAGE = '200';

/** Selects banks that support a single payment by our kind of transfer. */
export function banksQuery(page: number, { localInstrument }: Account): string {
  return new URLSearchParams({
    page: String(page),
    perPage: PER_PAGE,
    sort: 'NAME',
    supportedLocalInstruments: localInstrument,
    supportsSinglePayment: 'true',
  }).toString();
}

interface BankPage {
  readonly banks: readonly ListedBank[];
  /** The count over all pages. 0 if Token.io omits it. */
  readonly totalCount: number;
}

interface ListedBank {
  readonly bankId: string;
  /** Contains one row for each country. */
  readonly rows: readonly PayerBank[];
}

/** Returns undefined if the body is not a page of banks. Entries that cannot be banks are omitted. */
export function readBankPage(body: Buffer): BankPage | undefined {
  const answer = readPlainObject(body);
  if (!answer || !Array.isArray(answer['banks'])) return undefined;
  const total = fieldsOf(answer, 'paging')?.['totalCount'];
  return {
    banks: listOf(answer, 'banks').flatMap((fields) => bankOf(fields) ?? []),
    totalCount: typeof total === 'number' && Number.isSafeInteger(total) ? total : 0,
  };
}

const BANK_ID = /^[A-Za-z0-9._:-]{1,64}$/;
const COUNTRY = /^[A-Z]{2}$/;
const BIC = /^[A-Z0-9]{8}(?:[A-Z0-9]{3})?$/;

function bankOf(fields: Fields): ListedBank | undefined {
  const [bankId, name, bic] = [shownTextOf(fields, 'id'), shownTextOf(fields, 'name'), shownTextOf(fields, 'bic')];
  const countries = [...new Set(textsOf(fields, 'countries'))].filter((country) => COUNTRY.test(country));
  if (!BANK_ID.test(bankId) || name === '' || countries.length === 0) return undefined;
  const rows = countries.map((country) => ({ bankId, name, country, bic: BIC.test(bic) ? bic : '' }));
  return { bankId, rows };
}
