import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SAMPLES, sampleContext } from '../../../../test/browser/page-samples.ts';
import { renderPage } from '../pages/render-page.ts';
import { english } from './english.ts';
import { acceptedLanguage, catalogueOf, PAGE_LANGUAGES, readLanguage } from './languages.ts';

type Leaf = string | ((...values: never[]) => string);

/** Every text of a catalogue by its path. Functions receive values that mark themselves in the text. */
function leavesOf(texts: object, path = ''): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  for (const [key, value] of Object.entries(texts) as [string, Leaf | object][]) {
    const here = path ? `${path}.${key}` : key;
    if (typeof value === 'object') for (const [name, leaf] of leavesOf(value, here)) leaves.set(name, leaf);
    else leaves.set(here, value);
  }
  return leaves;
}

function textsOf(leaf: Leaf): string[] {
  if (typeof leaf === 'string') return [leaf];
  if ('forms' in leaf) return Object.values(leaf.forms as Record<string, string>);
  return [(leaf as (...values: string[]) => string)('⟨1⟩', '⟨2⟩')];
}

/** Names that stay the same in every language. */
const NAMES = /Interac|e-Transfer|Pix|BIC|CPF|QR|name@example\.com|⟨\d⟩/g;

describe('the browser’s language', () => {
  it('Accept-Language selects the preferred available language in any region, else English', () => {
    const cases: readonly [header: string | undefined, language: string][] = [
      ['uk-UA,uk;q=0.9,en-US;q=0.8,en;q=0.7', 'uk'],
      ['ru-RU, ru;q=0.9, kk;q=0.8, en;q=0.7', 'kk'],
      ['en;q=0.3, KK-Cyrl-KZ ; q=0.5', 'kk'],
      ['en, uk', 'en'],
      ['uk;q=0, kk;q=0.000', 'en'],
      ['de, *', 'en'],
      ['ukr, ua', 'en'],
      ['uk;q=, kk;q=2, <script>', 'en'],
      ['', 'en'],
      [undefined, 'en'],
    ];
    for (const [header, language] of cases) assert.equal(acceptedLanguage(header), language, header);
  });
});

describe('the languages of the form', () => {
  for (const language of PAGE_LANGUAGES) {
    const leaves = leavesOf(catalogueOf(language));

    it(`the form’s language ${language} has exactly the texts of English`, () => {
      assert.deepEqual([...leaves.keys()], [...leavesOf(english).keys()]);
      for (const [path, leaf] of leavesOf(english)) {
        const given = textsOf(leaf).every((text) => text === '');
        for (const text of textsOf(leaves.get(path) ?? '')) assert.equal(text === '', given, path);
      }
    });

    it(`the form’s language ${language} has exactly the plural forms that it needs`, () => {
      const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
      for (const [path, leaf] of leaves) {
        if (typeof leaf === 'function' && 'forms' in leaf) {
          assert.deepEqual(Object.keys(leaf.forms as object).toSorted(), needed, path);
          for (const text of textsOf(leaf)) assert.match(text, /#/, path);
        }
      }
    });

    it(`the form’s texts in ${language} include every value`, () => {
      for (const [path, leaf] of leaves) {
        if (typeof leaf !== 'function' || 'forms' in leaf) continue;
        for (let value = 1; value <= leaf.length; value++) assert.ok(textsOf(leaf)[0]?.includes(`⟨${value}⟩`), path);
      }
    });
  }

  for (const language of PAGE_LANGUAGES.filter((one) => one !== 'en')) {
    it(`the form’s texts in ${language} contain no English`, () => {
      for (const [path, leaf] of leavesOf(catalogueOf(language))) {
        for (const text of textsOf(leaf)) assert.doesNotMatch(text.replace(NAMES, ''), /[A-Za-z]/, `${path}: ${text}`);
      }
    });
  }

  it('every text of the form is shown on some page', () => {
    const shown = Object.values(SAMPLES).map((view) => renderPage(view, sampleContext({ language: 'en' })));
    const all = shown.join('\n').replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
    for (const [path, leaf] of leavesOf(english)) {
      const pieces = textsOf(leaf).map((text) => text.split(/⟨\d⟩|#/).filter((piece) => piece.trim()));
      const isShown = pieces.some((parts) => parts.every((piece) => all.includes(piece)));
      assert.ok(isShown, `${path}: ${textsOf(leaf)[0]}`);
    }
  });

  it('the lang parameter selects the form’s language, and ua means Ukrainian', () => {
    const chosen = ['en', 'ua', 'uk', 'kk', 'EN', 'ru', '', 'constructor'].map(readLanguage);
    assert.deepEqual(chosen, ['en', 'uk', 'uk', 'kk', undefined, undefined, undefined, undefined]);
  });
});
