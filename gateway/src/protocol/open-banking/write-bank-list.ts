/** The bytes of the bank list, as JSON or CSV, each with its own entity tag (decision 28). */
import type { PayerBank } from '../../domain/payments/payment-rail.ts';
import { withoutFormulaStart } from '../../foundation/text/spreadsheet-formula.ts';
import { entityTagOf } from '../http/entity-tag.ts';

interface Representation {
  readonly contentType: string;
  readonly body: string;
  readonly entityTag: string;
}

/** The writers by the media type that a client accepts. The first is the default. */
const WRITERS = {
  'application/json': { contentType: 'application/json; charset=utf-8', write: writeJson },
  'text/csv': { contentType: 'text/csv; charset=utf-8; header=present', write: writeCsv },
} as const;

type BankListType = keyof typeof WRITERS;
export const BANK_LIST_TYPES: readonly [BankListType, BankListType] = ['application/json', 'text/csv'];

type RepresentBanks = (banks: readonly PayerBank[], country: string, type: BankListType) => Representation;

/**
 * Writes each representation once per list. A new array is a new list and replaces the old representations. `country`
 * is in upper case, or empty for all countries.
 */
export function createBankListWriter(): RepresentBanks {
  let writtenOf: readonly PayerBank[] = [];
  let written = new Map<string, Representation>();
  return (banks, country, type) => {
    if (banks !== writtenOf) {
      writtenOf = banks;
      written = new Map();
    }
    const key = `${type} ${country}`;
    const known = written.get(key);
    if (known) return known;
    const fresh = represent(country === '' ? banks : banks.filter((bank) => bank.country === country), type);
    written.set(key, fresh);
    return fresh;
  };
}

function represent(banks: readonly PayerBank[], type: BankListType): Representation {
  const { contentType, write } = WRITERS[type];
  const body = write(banks);
  return { contentType, body, entityTag: entityTagOf(body) };
}

function writeJson(banks: readonly PayerBank[]): string {
  return JSON.stringify({
    banks: banks.map(({ bankId, name, country, bic }) => ({ bank_id: bankId, name, country, bic })),
  });
}

/**
 * Follows RFC 4180: a header line, CRLF after every line, and quotes where needed. Bank names come from a third party, so this
 * function removes what could begin a formula. An added apostrophe would become part of the name. Ids stay unchanged, because
 * a changed id identifies no bank; their format allows at most a minus.
 */
function writeCsv(banks: readonly PayerBank[]): string {
  const lines = banks.map(({ bankId, name, country, bic }) => [bankId, withoutFormulaStart(name), country, bic]);
  return [['bank_id', 'name', 'country', 'bic'], ...lines].map((line) => `${line.map(quoted).join(',')}\r\n`).join('');
}

function quoted(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
