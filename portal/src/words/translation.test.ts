import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MERCHANT_ROLES } from '../../../gateway/contract/permissions.ts';
import { WAIT_REASONS } from '../../../gateway/contract/texts/wait-reasons.ts';
import {
  MERCHANT_SETTINGS,
  PER_CURRENCY_SETTINGS,
  PER_METHOD_SETTINGS,
} from '../../../gateway/src/domain/merchants/merchant-settings.ts';
import { en } from './en/en.ts';
import { firstLanguage, type Language } from './languages.ts';
import { loadWords } from './translation.ts';

/** The sections of merchant pages. Operator users read English. */
const SECTIONS = [
  'navigation',
  'subjects',
  'keys',
  'searchMatched',
  'signIn',
  'join',
  'home',
  'payouts',
  'deposits',
  'callbacks',
  'balances',
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
  'historyReasons',
] as const;
/** The same in every language. */
const INTERNATIONAL = new Set(['searchMatched.uuid', 'deposits.uuid', 'team.roleMeanings', 'settings.settingMeanings']);

const OF_OPERATORS = new Set(
  ['inbox', 'held', 'merchants', 'rails', 'routes', 'differences', 'operations', 'ledger'].map(
    (name) => `navigation.${name}`,
  ),
);

type Node = Readonly<Record<string, unknown>>;

function untranslated(english: Node, other: Node, path = ''): string[] {
  return Object.entries(english).flatMap(([name, text]) => {
    const at = `${path}${name}`;
    if (INTERNATIONAL.has(at) || OF_OPERATORS.has(at)) return [];
    if (typeof text === 'object') return untranslated(text as Node, other[name] as Node, `${at}.`);
    return other[name] === text ? [at] : [];
  });
}

describe('the languages of the pages', () => {
  for (const language of ['uk', 'kk'] satisfies Language[]) {
    it(`every string of the merchant pages is translated to ${language}`, async () => {
      const words: Node = await loadWords(language);
      const sections = (of: Node) => Object.fromEntries(SECTIONS.map((section) => [section, of[section]]));
      assert.deepEqual(untranslated(sections(en), sections(words)), []);
    });
  }

  it('each reason of waiting is translated to every language but English', async () => {
    for (const language of ['uk', 'kk'] satisfies Language[]) {
      const { payment } = await loadWords(language);
      assert.deepEqual(Object.keys(payment.reasons).sort(), [...WAIT_REASONS].sort());
    }
  });

  it('every merchant role and setting is translated into every language', async () => {
    const settings = [MERCHANT_SETTINGS, PER_METHOD_SETTINGS, PER_CURRENCY_SETTINGS].flatMap((each) =>
      Object.keys(each),
    );
    for (const language of ['uk', 'kk'] satisfies Language[]) {
      const { team, settings: words } = await loadWords(language);
      assert.deepEqual(Object.keys(words.settingMeanings).sort(), settings.sort());
      assert.deepEqual(Object.keys(team.roleMeanings).sort(), Object.keys(MERCHANT_ROLES).sort());
    }
  });

  it('the portal prefers the user’s language to the browser’s', () => {
    assert.equal(firstLanguage('kk', ['uk']), 'kk');
    assert.equal(firstLanguage(null, ['fr-CA', 'uk-UA', 'kk']), 'uk');
    assert.equal(firstLanguage('toString', ['fr']), 'en');
    assert.equal(firstLanguage(null, []), 'en');
  });
});
