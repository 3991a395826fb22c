import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changedParts } from './changed-parts.ts';

describe('the preview of a changed rule', () => {
  it('the preview of a changed rule shows only changed, new and removed parts', () => {
    const before = { items: [{ act: 'funds.credit', above: '10.00', merchantId: null }], name: 'Shop' };
    const after = { items: [{ act: 'funds.credit', above: '20.00' }, { act: 'keys.rotate' }], name: 'Shop' };
    assert.deepEqual(changedParts(before, after), [
      { path: 'items.0.above', before: '10.00', after: '20.00' },
      { path: 'items.1.act', before: null, after: 'keys.rotate' },
    ]);
    assert.deepEqual(changedParts(null, { on: false }), [{ path: 'on', before: null, after: 'false' }]);
  });
});
