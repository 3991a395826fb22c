import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CredentialEnded, whileAllowed } from './file-stream-limits.ts';

async function* pieces() {
  for (const text of ['a', 'b', 'c', 'd']) yield Buffer.from(text);
}

const CALLER = { actor: { kind: 'token', id: 'x', name: 'x' }, merchantId: null, permissions: null } as const;

it('a file stream stops within a second after its credential ends', async () => {
  let now = 0;
  const clock = { now: () => (now += 400) };
  const read: string[] = [];
  await assert.rejects(async () => {
    for await (const piece of whileAllowed(pieces(), clock, async () => undefined)) read.push(String(piece));
  }, CredentialEnded);
  assert.deepEqual(read, ['a', 'b']);
});

it('a file stream is complete if its credential stays valid', async () => {
  let now = 0;
  const clock = { now: () => (now += 5_000) };
  const read: string[] = [];
  for await (const piece of whileAllowed(pieces(), clock, async () => CALLER)) read.push(String(piece));
  assert.deepEqual(read, ['a', 'b', 'c', 'd']);
});
