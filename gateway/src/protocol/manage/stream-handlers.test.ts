import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { it } from 'node:test';
import { createManualClock } from '../../foundation/clock.ts';
import { createStreamHandlers } from './stream-handlers.ts';

it('a team has at most four open exports, and may begin the next when one ends', async () => {
  const none = async () => assert.fail('nothing is read before the client reads');
  const acts = { begin: none, end: none, list: none };
  const unread = {} as never;
  const { handlers } = createStreamHandlers({
    lists: unread,
    events: unread,
    actorNames: unread,
    acts,
    clock: createManualClock(0),
    onInternalError: () => {},
  });
  const opened: Readable[] = [];
  const reply = { header: () => reply, send: (lines: Readable) => opened.push(lines) };
  const start = (list: string, merchantId: string | null) =>
    handlers.get(`${list}.export`)?.({
      query: {},
      request: { id: 'R1', ip: '' },
      reply,
      authenticate: none,
      caller: { actor: { kind: 'token', id: 'T1', name: 'slow' }, merchantId, permissions: null },
    } as never);
  for (const list of ['payouts', 'deposits', 'payouts', 'callbacks'])
    assert.equal(await start(list, 'M1'), undefined, list);
  assert.equal((await start('payouts', 'M1'))?.code, 'too-many-requests');
  assert.equal(await start('payouts', 'M2'), undefined);
  const [first] = opened;
  assert.ok(first);
  const closed = once(first, 'close');
  first.destroy();
  await closed;
  assert.equal(await start('payouts', 'M1'), undefined);
});
