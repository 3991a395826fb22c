import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isStillUsed } from './old-keys.ts';

const key = (change: object) => ({
  purpose: 'api' as const,
  createdAt: '2026-11-14T06:00:00.000Z',
  validUntil: '2026-11-29T15:00:00.000Z',
  lastUsedAt: '2026-11-28T15:10:00.000Z',
  ...change,
});
const current = key({ createdAt: '2026-11-28T15:00:00.000Z', validUntil: null });
const ofForm = key({ purpose: 'form', createdAt: '2026-11-28T15:20:00.000Z', validUntil: null });

describe('the use of an old key', () => {
  it('an old key is still used if it signed after the newest key of its purpose was created', () => {
    assert.equal(isStillUsed(key({}), [current, ofForm]), true);
    assert.equal(isStillUsed(key({ lastUsedAt: '2026-11-28T14:59:00.000Z' }), [current, ofForm]), false);
    assert.equal(isStillUsed(key({ lastUsedAt: null }), [current]), false);
  });

  it('the request log does not mark a current key as an old key', () => {
    assert.equal(isStillUsed(current, [current]), null);
  });
});
