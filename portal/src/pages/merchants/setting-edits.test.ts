import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { editsOf } from './setting-edits.ts';

describe('the changes in an edit of a merchant', () => {
  it('the edit history lists the fields and settings that differ in an audit entry', () => {
    const before = { name: 'Shop', siteUrl: null, settings: { form_sign: 'off', default_lang: 'kk' } };
    const after = {
      name: 'Shop',
      siteUrl: 'https://shop.example',
      settings: { form_sign: 'required', check_inn: 'on' },
    };
    assert.deepEqual(editsOf({ before, after }), [
      { name: 'siteUrl', before: null, after: 'https://shop.example', undo: { siteUrl: null } },
      { name: 'form_sign', before: 'off', after: 'required', undo: { settings: { form_sign: 'off' } } },
      { name: 'default_lang', before: 'kk', after: null, undo: { settings: { default_lang: 'kk' } } },
      { name: 'check_inn', before: null, after: 'on', undo: { settings: { check_inn: null } } },
    ]);
  });

  it('the edit history is empty for an audit entry without the earlier values', () => {
    for (const detail of [null, {}, { before: null, after: { name: 'Shop' } }]) assert.deepEqual(editsOf(detail), []);
  });
});
