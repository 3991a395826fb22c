import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError, Proposed } from '../../api/api-error.ts';
import { type BulkItem, workThrough } from './bulk-work.ts';

const items = (names: string): BulkItem<string>[] =>
  [...names].map((item) => ({ item, key: `key-${item}`, state: 'waiting', note: '' }));

async function run(all: readonly BulkItem<string>[], perform: (item: string, key: string) => Promise<unknown>) {
  const results = new Map(all.map((each) => [each.item, each]));
  for await (const each of workThrough(all, perform, new AbortController().signal)) results.set(each.item, each);
  return [...results.values()];
}

const problem = (status: number) => new ApiError({ status, detail: 'no' } as never);

describe('an action on each item of a list', () => {
  it('bulk work continues after a rejected item', async () => {
    const results = await run(items('abcd'), async (item) => {
      if (item === 'a') throw problem(422);
      if (item === 'b') throw new Proposed('P1');
      if (item === 'c') throw new ApiError(null);
    });
    assert.deepEqual(
      results.map(({ state, note }) => `${state} ${note}`),
      ['rejected no', 'proposed P1', 'unknown The gateway did not respond.', 'done '],
    );
  });

  it('bulk work repeats only the actions without a response, each with the key of its first attempt', async () => {
    const first = await run(items('ab'), async (item) => {
      if (item === 'b') throw new ApiError(null);
    });
    const keys: string[] = [];
    const second = await run(first, async (_, key) => keys.push(key));
    assert.deepEqual([keys, second.map(({ state }) => state)], [['key-b'], ['done', 'done']]);
  });

  it('bulk work does not begin another action after its cancellation', async () => {
    const stop = new AbortController();
    const done: string[] = [];
    const perform = async (item: string) => {
      done.push(item);
      stop.abort();
    };
    for await (const _ of workThrough(items('abc'), perform, stop.signal));
    assert.deepEqual(done, ['a']);
  });
});
