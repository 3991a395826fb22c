import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readViews, withoutView, withView, writeViews } from './saved-views.ts';

function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
  };
}

const LATE = { name: 'late', search: { state: 'pending' } };

describe('the saved views of a list', () => {
  it('saved views are kept for their own list, and a view of the same name is replaced', () => {
    const kept = storage();
    writeViews(kept, '/payouts', withView([LATE], { name: 'late', search: { rail: 'acme-bank' } }));
    assert.deepEqual(readViews(kept, '/payouts'), [{ name: 'late', search: { rail: 'acme-bank' } }]);
    assert.deepEqual(readViews(kept, '/deposits'), []);
  });

  it('saved views are at most twelve, and one can be removed', () => {
    const many = Array.from({ length: 13 }, (_, index) => ({ name: `view ${index}`, search: {} }));
    const views = many.reduce(withView, [] as ReturnType<typeof withView>);
    assert.deepEqual([views.length, views[0]?.name], [12, 'view 1']);
    assert.equal(withoutView(views, 'view 5').length, 11);
  });

  it('a storage that holds something else has no saved views', () => {
    for (const text of ['{', '{}', '[1, {"name": 5}]']) {
      const kept = storage();
      kept.setItem('views /payouts', text);
      assert.deepEqual(readViews(kept, '/payouts'), [], text);
    }
  });
});
