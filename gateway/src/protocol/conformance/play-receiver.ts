/** Runs every check against a receiver, one after another, and reads its book at the end. */
import type { ConformanceRequest, ConformanceResult } from '../../domain/conformance/conformance.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Random } from '../../foundation/random.ts';
import { BOOK_CHECKS } from './book-checks.ts';
import { type Check, missingFor, NEEDS } from './check.ts';
import { GENUINE_CHECKS } from './genuine-checks.ts';
import { HOSTILE_CHECKS } from './hostile-checks.ts';
import { type BookEntry, type Fault, faultOfEntry, openReceiver } from './receiver.ts';

const CHECKS: readonly Check[] = [...GENUINE_CHECKS, ...HOSTILE_CHECKS, ...BOOK_CHECKS];

/** The checks that a run may report. */
export const KNOWN_CHECKS = CHECKS.map(({ name, needs = [] }) => ({
  name,
  isRequired: needs.every((need) => need === 'book'),
}));

interface Played {
  readonly check: Check;
  readonly missing: string | undefined;
  readonly fault: Fault;
  readonly entries: readonly BookEntry[];
}

const LOOK_AGAIN_MS = 50;

/** Rejects when the book cannot be read. */
export async function playReceiver(
  asked: ConformanceRequest,
  clock: Clock,
  random: Random,
): Promise<readonly ConformanceResult[]> {
  await asked.readBook?.();
  const run = random.uuid().slice(0, 8);
  const entries: BookEntry[] = [];
  const receiver = openReceiver(asked, clock, run, entries);
  const played: Played[] = [];
  for (const check of CHECKS) {
    const need = missingFor(check, asked);
    const missing = receiver.isUnreachable() ? 'nothing listens at the URL' : need && `needs ${NEEDS[need]}`;
    const before = entries.length;
    const fault = missing === undefined ? await check.run(receiver) : undefined;
    played.push({ check, missing, fault, entries: entries.slice(before) });
  }
  const book = asked.readBook && (await settledBook(asked.readBook, asked.settleMs, entries, clock));
  return played.map((one) => resultOf(one, book));
}

/** Returns the book once it is correct, at the latest after the permitted time. A second line that comes later would be a fault. */
async function settledBook(
  read: () => Promise<string>,
  settleMs: number,
  entries: readonly BookEntry[],
  clock: Clock,
): Promise<string> {
  const until = clock.now() + settleMs;
  let book = await read();
  while (clock.now() < until && entries.some((entry) => faultOfEntry(entry, book) !== undefined)) {
    await clock.sleep(LOOK_AGAIN_MS);
    book = await read();
  }
  await clock.sleep(LOOK_AGAIN_MS);
  return read();
}

function resultOf({ check, missing, fault, entries }: Played, book: string | null): ConformanceResult {
  const { name, plays, remedy } = check;
  if (missing !== undefined) return { name, plays, state: 'not_examined', found: missing, remedy: '' };
  const inBook = book === null ? [] : entries.map((entry) => faultOfEntry(entry, book));
  const found = fault ?? inBook.find((one) => one !== undefined);
  if (found === undefined) return { name, plays, state: 'passed', found: '', remedy: '' };
  return { name, plays, state: 'failed', found, remedy };
}
