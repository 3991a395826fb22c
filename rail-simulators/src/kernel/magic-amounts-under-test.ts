/** For tests only: runs payouts of magic amounts to their ends at any provider, and compares them with a table. */
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { ManualClock } from '../manual-clock.ts';
import { aWhile, eachOf, eventually } from './inbox-under-test.ts';
import { heldFor } from './simulator-under-test.ts';

/** One payout of a magic amount at a provider that was started only for it. */
export interface Play {
  readonly clock: ManualClock;
  /** Sends the payout and resolves with a short form of the response. Rejects when no response comes. */
  readonly send: () => Promise<unknown>;
  /** The provider's book entries of the payout, oldest first. */
  readonly book: () => Promise<readonly unknown[]>;
  /** The notifications so far. */
  readonly notified: () => readonly unknown[];
}

interface Course {
  /** `never` where no response came. */
  readonly answered: unknown;
  readonly book: string;
  /** The notifications before any late one, in order of first arrival: `paid`, or `paid ×2`. */
  readonly notified: string;
  readonly late: string;
  /** The notifications before the response. */
  readonly notifiedFirst: readonly unknown[];
}

/** The pauses within which every event happens that is not late. */
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

/** The provider drops a request that it holds when it closes. */
async function answerOrNever(clock: ManualClock, sending: Promise<unknown>): Promise<unknown> {
  const answers: unknown[] = [];
  sending.then(
    (answer) => answers.push(answer),
    () => answers.push('never'),
  );
  await eventually('a response, or none', () => answers.length > 0 || heldFor(clock) !== undefined);
  return answers.length > 0 ? answers[0] : 'never';
}

/** Waits until two checks in a row find no new notification or book entry, because a busy machine is slow. */
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

/** Defines one test that runs all rows concurrently, and checks that each row of the table has one. */
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

/** Returns the entries of a control surface's book. */
export function entriesOf({ body }: { readonly body: Readonly<Record<string, unknown>> }) {
  return body['entries'] as readonly Readonly<Record<string, unknown>>[];
}
