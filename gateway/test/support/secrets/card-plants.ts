/**
 * Card numbers that a test puts into fields for other values, and the search for them everywhere the gateway writes: its
 * tables, its log and PostgreSQL's write-ahead log.
 */
import assert from 'node:assert/strict';
import type { RunningGateway } from '../gateway/running-gateway.ts';
import { dumpTables } from './hiding-places.ts';

/** Notations in which a user or a program may put a card number into a wrong field. */
export const NOTATIONS: Readonly<Record<string, (card: string) => string>> = {
  alone: (card) => card,
  'in groups': (card) => card.replace(/(\d{4})(?=\d)/g, '$1 '),
  'as a street': (card) => `Street 12, ${card}`,
  'as an email address': (card) => `jo${card}@example.com`,
  'as a page': (card) => `https://shop.example/paid/${card}?card=${card}`,
};

export type Notation = (typeof ALL_NOTATIONS)[number];
export const ALL_NOTATIONS = Object.entries(NOTATIONS);

export interface CardPlants {
  /** Returns a unique card number. `name` is the field and notation in which it is sent. */
  cardFor(name: string): string;
  /**
   * Returns the names of the planted cards in the text. A masked card does not match, because it has asterisks after its first
   * six digits.
   */
  plantedIn(text: string): string[];
  /** Returns the plain number and one other notation, in rotation; in the full run all notations. */
  someNotations(): readonly Notation[];
}

/** `first` is the first six digits of a Visa card, which no other test of the run uses. */
export function createCardPlants(first: string): CardPlants {
  const planted = new Map<string, string>();
  const inGroups = new RegExp(`${first.slice(0, 4)}[ -]?${first.slice(4)}\\d{2}(?:[ -]?\\d{4}){2}`, 'g');
  let turn = 0;
  return {
    cardFor(name) {
      const digits = `${first}${String(100_000_000 + planted.size * 7919)}`;
      const sum = [...digits].reverse().reduce((total, digit, at) => {
        const value = Number(digit) * (at % 2 === 0 ? 2 : 1);
        return total + (value > 9 ? value - 9 : value);
      }, 0);
      const card = digits + String((10 - (sum % 10)) % 10);
      planted.set(card, name);
      return card;
    },
    plantedIn(text) {
      const found = [...text.matchAll(inGroups)];
      return [...new Set(found.map(([card]) => planted.get(card.replace(/[ -]/g, '')) ?? 'an unknown place'))];
    },
    someNotations() {
      const [alone, ...others] = ALL_NOTATIONS;
      const other = others[turn++ % others.length];
      return process.env['TEST_FULL'] || !alone || !other ? ALL_NOTATIONS : [alone, other];
    },
  };
}

/** Returns the current WAL file, from which a later search starts. */
export async function currentWalFile({ database }: RunningGateway): Promise<string> {
  const { rows } = await database.pool.query('select pg_walfile_name(pg_current_wal_lsn()) as file');
  return rows[0].file;
}

/** Decides by name whether a planted card may be found. */
type Exempt = (name: string) => boolean;
const NEVER: Exempt = () => false;

export async function assertNotInTables(
  { database }: RunningGateway,
  plants: CardPlants,
  isExempt: Exempt = NEVER,
): Promise<void> {
  const dumps = [...(await dumpTables(database.pool))];
  const found = dumps.flatMap(([table, dump]) => foundIn(dump, plants, isExempt).map((name) => `${table}: ${name}`));
  assert.deepEqual(found, []);
}

export function assertNotInLog({ log }: RunningGateway, plants: CardPlants, isExempt: Exempt = NEVER): void {
  assert.deepEqual(foundIn(log.join('\n'), plants, isExempt), []);
}

interface WalSearch {
  /** The first WAL file. */
  readonly from: string;
  /** A string among these writes, which proves that the search read their part of the WAL. */
  readonly written: string;
  readonly except?: Exempt;
}

export async function assertNotInWal(
  { database: { pool } }: RunningGateway,
  plants: CardPlants,
  { from, written, except = NEVER }: WalSearch,
): Promise<void> {
  const { rows: files } = await pool.query<{ name: string }>(
    'select name from pg_ls_waldir() where name >= $1 and length(name) = 24 order by name',
    [from],
  );
  let isRead = false;
  for (const { name } of files) {
    // Binary, because text would be hexadecimal and twice as long.
    const query = { text: 'select pg_read_binary_file($1) as bytes', values: [`pg_wal/${name}`], binary: true };
    const { rows } = await pool.query(query);
    const text = (rows[0].bytes as Buffer).toString('latin1');
    isRead ||= text.includes(written);
    assert.deepEqual(foundIn(text, plants, except), [], name);
  }
  assert.ok(isRead, 'the test read the write-ahead log of these writes');
}

function foundIn(text: string, { plantedIn }: CardPlants, isExempt: Exempt): string[] {
  return plantedIn(text).filter((name) => !isExempt(name));
}
