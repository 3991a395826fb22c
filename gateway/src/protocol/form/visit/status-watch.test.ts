import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as soon } from 'node:timers/promises';
import { createManualClock } from '../../../foundation/clock.ts';
import { createStatusWatch, type Watched } from './status-watch.ts';

const LISTENER = { send: () => {}, beat: () => {}, end: () => {} };

describe('a watch over many pages', () => {
  it('the status watch limits concurrent lookups, and serves every page in turn', async () => {
    const asked: string[] = [];
    const answers: ((found: Watched) => void)[] = [];
    const watch = createStatusWatch({
      clock: createManualClock(0),
      look(token) {
        asked.push(token);
        return new Promise((answer) => void answers.push(answer));
      },
      onLookFailed: (error) => assert.fail(String(error)),
    });
    const sent: string[] = [];
    const tokens = Array.from({ length: 40 }, (_, index) => `page ${index}`);
    for (const token of tokens) watch.watch(token, { ...LISTENER, send: () => void sent.push(token) });
    for (let answered = 0; answered < tokens.length; answered += 1) {
      await soon();
      assert.ok(asked.length - answered <= 2, `${asked.length - answered} concurrent questions`);
      answers[answered]?.({ version: 'v', isLive: true, payment: null });
    }
    await soon();
    assert.deepEqual([asked, sent], [tokens, tokens]);
    watch.close();
  });

  it('the status watch continues with other pages after a failed lookup', async () => {
    const failed: unknown[] = [];
    const sent: string[] = [];
    const watch = createStatusWatch({
      clock: createManualClock(0),
      look: async (token) => {
        if (token.length === 1) throw new Error(token);
        return { version: 'v', isLive: true, payment: null };
      },
      onLookFailed: (error) => void failed.push(error),
    });
    for (const token of ['a', 'b', 'c', 'it']) watch.watch(token, { ...LISTENER, send: () => void sent.push(token) });
    for (let turns = 0; turns < 10; turns += 1) await soon();
    assert.deepEqual([failed.length, sent], [3, ['it']]);
    watch.close();
  });
});
