/** For tests only: runs payouts with magic amounts at any provider to their final state, and compares them with a table. */
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { ManualClock } from '../manual-clock.ts';
import { aWhile, eachOf, eventually } from './inbox-under-test.ts';
import { heldFor } from './simulator-under-test.ts';

/** A payout with a magic amount, at a provider that was started only for it. */
export interface Play {
  readonly clock: ManualClock;
  /** Sends the payout and resolves to a short form of the response. Rejects if no response arrives. */
  readonly send: () => Promise<unknown>;
  /** Resolves to the provider's book entries about the payout, oldest first. */
  readonly book: () => Promise<readonly unknown[]>;
  /** Returns the notifications so far. */
  readonly notified: () => readonly unknown[];
}

interface Course {
  /** The response, or `never` if none arrived. */
  readonly answered: unknown;
  readonly book: string;
  /** The notifications before any late one, in order of first arrival, such as `paid` or `paid ×2`. */
  readonly notified: string;
  readonly late: string;
  /** The notifications before the response. */
  readonly notifiedFirst: readonly unknown[];
}

/** Pauses within which every event happens that is not late. */
const SOON_MS = [200, 1_000, 1_000, 1_000, 2_000, 2_000];
const LATE_MS = 20_000;

export async function playOut(play: Play): Promise<Course> {
  const { clock, send, book, notified } = play;
  const answered = await answerOrNever(clock, send());
  const notifiedFirst = notified();
  await quiet(play);
  for (const ms of SOON_MS) {
    clock.advance(ms);
    await quiet(play);
  }
  const soon = notified();
  clock.advance(LATE_MS);
  await quiet(play);
  const late = counted(notified().slice(soon.length));
  return { answered, book: (await book()).join(', '), notified: counted(soon), late, notifiedFirst };
}

/** The provider drops a held request when it closes. */
async function answerOrNever(clock: ManualClock, sending: Promise<unknown>): Promise<unknown> {
  const answers: unknown[] = [];
  sending.then(
    (answer) => answers.push(answer),
    () => answers.push('never'),
  );
  await eventually('a response, or none', () => answers.length > 0 || heldFor(clock) !== undefined);
  return answers.length > 0 ? answers[0] : 'never';
}

/** Waits until two consecutive checks find no new notification or book entry, because a busy machine is slow. */
async function quiet({ notified, book }: Play): Promise<void> {
  const seen = async () => notified().length + (await book()).length;
  for (let [before, calm] = [await seen(), 0]; calm < 2; ) {
    await aWhile();
    const now = await seen();
    calm = now === before ? calm + 1 : 0;
    before = now;
  }
}

function counted(notified: readonly unknown[]): string {
  const counts = [...new Set(notified)].map((each) => {
    const times = notified.filter((one) => one === each).length;
    return times === 1 ? each : `${each} ×${times}`;
  });
  return counts.join(', ');
}

export type Row = readonly [cents: string, answered: unknown, book: string, notified?: string, late?: string];

/** Defines one test that runs all rows concurrently. It fails if a row of the table is missing. */
export function testCourses(
  rows: readonly Row[],
  table: Readonly<Record<string, unknown>>,
  start: (t: TestContext, amount: string) => Promise<Play>,
): void {
  it('each magic amount has the outcome of its row in the table', async (t) => {
    const play = async ([cents, answered, book, notified = '', late = '']: Row) => {
      const { notifiedFirst: _, ...course } = await playOut(await start(t, `10.${cents}`));
      assert.deepEqual(course, { answered, book, notified, late });
    };
    await Promise.all(rows.map((row) => eachOf([row], play)));
    assert.deepEqual(
      rows.map(([cents]) => cents),
      Object.keys(table),
    );
  });
}

/** Returns the book entries in a response of the control surface. */
export function entriesOf({ body }: { readonly body: Readonly<Record<string, unknown>> }) {
  return body['entries'] as readonly Readonly<Record<string, unknown>>[];
}
