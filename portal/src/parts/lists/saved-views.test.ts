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
  it('a saved view is shown only in the list that it was saved for', () => {
    const kept = storage();
    writeViews(kept, '/payouts', [LATE]);
    assert.deepEqual(readViews(kept, '/payouts'), [LATE]);
    assert.deepEqual(readViews(kept, '/deposits'), []);
  });

  it('a saved view replaces an earlier view of the same name', () => {
    const late = { name: 'late', search: { rail: 'acme-bank' } };
    assert.deepEqual(withView([LATE], late), [late]);
  });

  it('a list keeps at most twelve saved views and drops the oldest', () => {
    const many = Array.from({ length: 13 }, (_, index) => ({ name: `view ${index}`, search: {} }));
    const views = many.reduce(withView, [] as ReturnType<typeof withView>);
    assert.deepEqual([views.length, views[0]?.name], [12, 'view 1']);
  });

  it('a saved view can be removed', () => {
    const views = withView([LATE], { name: 'early', search: {} });
    assert.deepEqual(withoutView(views, 'early'), [LATE]);
  });

  it('a browser storage with unreadable content yields no saved views', () => {
    for (const text of ['{', '{}', '[1, {"name": 5}]']) {
      const kept = storage();
      kept.setItem('views /payouts', text);
      assert.deepEqual(readViews(kept, '/payouts'), [], text);
    }
  });
});
