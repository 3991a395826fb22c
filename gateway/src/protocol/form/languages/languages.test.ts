import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SAMPLES, sampleContext } from '../../../../test/browser/page-samples.ts';
import { testDeposit } from '../../../../test/support/deposits/test-deposit.ts';
import { merchantNamed } from '../../../../test/support/merchants/merchant-named.ts';
import { renderPage } from '../pages/render-page.ts';
import { writeReceiptEmail } from '../receipt-email.ts';
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

/** Words that other languages share with English. */
const SAME: ReadonlySet<string> = new Set(['Test', 'Error', 'Problem', 'Date', 'Transaction']);

/** Names that stay the same in every language. */
const NAMES = /Interac|e-Transfer|Pix|BIC|CPF|CVV|QR|name@example\.com|⟨\d⟩/g;

const LIVE = { eventsUrl: '/events', versionUrl: '/version' };

describe('the browser’s language', () => {
  it('Accept-Language selects the preferred available language in any region, otherwise English', () => {
    const cases: readonly [header: string | undefined, language: string][] = [
      ['uk-UA,uk;q=0.9,en-US;q=0.8,en;q=0.7', 'uk'],
      ['ru-RU, ru;q=0.9, kk;q=0.8, en;q=0.7', 'kk'],
      ['en;q=0.3, KK-Cyrl-KZ ; q=0.5', 'kk'],
      ['en, uk', 'en'],
      ['uk;q=0, kk;q=0.000', 'en'],
      ['it, *', 'en'],
      ['pt-PT, en;q=0.5', 'pt-BR'],
      ['es-419', 'es-MX'],
      ['fr-CA, en-CA;q=0.9', 'fr'],
      ['constructor, de;q=0.1', 'de'],
      ['ukr, ua', 'en'],
      ['uk;q=, kk;q=2, <script>', 'en'],
      ['', 'en'],
      [undefined, 'en'],
    ];
    for (const [header, language] of cases) assert.equal(acceptedLanguage(header), language, header);
  });
});

describe('the language of the payer’s country', () => {
  it('the country selects the language if the form has none of the browser’s languages', () => {
    const cases = { MX: 'es-MX', br: 'pt-BR', AT: 'de', PL: 'pl', FR: 'fr', UA: 'uk', KZ: 'kk', IE: 'en', '': 'en' };
    for (const [country, language] of Object.entries(cases)) assert.equal(acceptedLanguage('it, *', country), language);
    assert.equal(acceptedLanguage('en', 'MX'), 'en');
  });
});

describe('the languages of the form', () => {
  for (const language of PAGE_LANGUAGES) {
    const leaves = leavesOf(catalogueOf(language));

    it(`the form’s language ${language} has exactly the same strings as English`, () => {
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

    it(`the form’s strings in ${language} include every value`, () => {
      for (const [path, leaf] of leaves) {
        if (typeof leaf !== 'function' || 'forms' in leaf) continue;
        for (let value = 1; value <= leaf.length; value++) assert.ok(textsOf(leaf)[0]?.includes(`⟨${value}⟩`), path);
      }
    });
  }

  for (const language of PAGE_LANGUAGES.filter((one) => !['en', 'uk', 'kk'].includes(one))) {
    it(`the form’s strings in ${language} differ from English`, () => {
      const given = leavesOf(english);
      for (const [path, leaf] of leavesOf(catalogueOf(language))) {
        const [text, other] = [leaf, given.get(path) ?? ''].map((each) =>
          textsOf(each).join(' ').replace(NAMES, '').trim(),
        );
        const isSaid = /\p{L}/u.test(text ?? '') && !SAME.has(text ?? '');
        if (isSaid) assert.notEqual(text, other, path);
      }
    });
  }

  for (const language of ['uk', 'kk'] as const) {
    it(`the form’s strings in ${language} contain no English`, () => {
      for (const [path, leaf] of leavesOf(catalogueOf(language))) {
        for (const text of textsOf(leaf)) assert.doesNotMatch(text.replace(NAMES, ''), /[A-Za-z]/, `${path}: ${text}`);
      }
    });
  }

  it('the form’s strings in French never begin a line with punctuation', () => {
    for (const [path, leaf] of leavesOf(catalogueOf('fr')))
      for (const text of textsOf(leaf)) assert.doesNotMatch(text, / [:;?!»]|« /, path);
  });

  it('every string of the form appears on some page or in the email receipt', () => {
    const shown = Object.values(SAMPLES).map((view) =>
      renderPage(view, sampleContext({ language: 'en', live: view.kind === 'waiting' ? LIVE : null })),
    );
    const settings = merchantNamed('M1').settings;
    const deposit = testDeposit({ state: 'success', paymentType: 'card', finishedAt: 0 });
    const address = { email: '', language: 'en', timeZone: '', isSigned: true } as const;
    const paid = { deposit, attempts: [] };
    const { subject, text } = writeReceiptEmail({ state: 'active', name: 'Shop', settings }, paid, address, new Set());
    const all = [...shown, subject, text]
      .join('\n')
      .replaceAll('&#39;', "'")
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
    for (const [path, leaf] of leavesOf(english)) {
      const pieces = textsOf(leaf).map((text) => text.split(/⟨\d⟩|#/).filter((piece) => piece.trim()));
      const isShown = pieces.some((parts) => parts.every((piece) => all.includes(piece)));
      assert.ok(isShown, `${path}: ${textsOf(leaf)[0]}`);
    }
  });

  it('the lang parameter selects the form’s language, and ua means Ukrainian', () => {
    const chosen = ['en', 'ua', 'uk', 'kk', 'pt-BR', 'es', 'EN', 'ru', '', 'constructor'].map(readLanguage);
    const none = Array(4).fill(undefined);
    assert.deepEqual(chosen, ['en', 'uk', 'uk', 'kk', 'pt-BR', 'es-MX', ...none]);
  });
});
