import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { en } from './en.ts';
import { firstLanguage, type Language, loadWords } from './translation.ts';

/** The sections of merchants' pages. The operator's people read English. */
const SECTIONS = [
  ...(['keys', 'searchMatched', 'signIn', 'join', 'home', 'payouts', 'deposits', 'callbacks', 'balances'] as const),
  ...([
    'policies',
    'newPayout',
    'batches',
    'settings',
    'developers',
    'rehearsal',
    'team',
    'audit',
    'account',
    'payment',
    'proposals',
    'charts',
    'bulk',
    'exports',
    'movements',
    'viewing',
    'enter',
    'tokens',
  ] as const),
] as const;
/** The same in every language. */
const INTERNATIONAL = new Set(['searchMatched.uuid', 'deposits.uuid', 'team.roleMeanings']);

type Node = Readonly<Record<string, unknown>>;

function untranslated(english: Node, other: Node, path = ''): string[] {
  return Object.entries(english).flatMap(([name, text]) => {
    const at = `${path}${name}`;
    if (INTERNATIONAL.has(at)) return [];
    if (typeof text === 'object') return untranslated(text as Node, other[name] as Node, `${at}.`);
    return other[name] === text ? [at] : [];
  });
}

describe('the languages of the pages', () => {
  for (const language of ['uk', 'kk'] satisfies Language[]) {
    it(`every text of a merchant’s pages is translated to ${language}`, async () => {
      const words: Node = await loadWords(language);
      const sections = (of: Node) => Object.fromEntries(SECTIONS.map((section) => [section, of[section]]));
      assert.deepEqual(untranslated(sections(en), sections(words)), []);
    });
  }

  it('the first language is the choice of the person, else the first of the browser that there is, else English', () => {
    assert.equal(firstLanguage('kk', ['uk']), 'kk');
    assert.equal(firstLanguage(null, ['fr-CA', 'uk-UA', 'kk']), 'uk');
    assert.equal(firstLanguage('toString', ['fr']), 'en');
    assert.equal(firstLanguage(null, []), 'en');
  });
});
