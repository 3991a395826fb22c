import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findBanks } from './find-banks.ts';
import { foldName, LETTERS, SPELLINGS } from './fold-name.ts';

const NAMES = ['Stadtsparkasse München', 'Commerzbank', 'PrivatBank', 'Crédit Agricole', 'Łódzki Bank', 'Íslandsbanki'];
const bank = (name: string, country = 'DE', bankId = name) => ({ bankId, name, country, bic: '' });

const found = (search: string) =>
  findBanks(
    NAMES.map((name) => bank(name)),
    search,
    '',
  ).groups.flatMap(({ banks }) => banks.map(({ name }) => name));

describe('the search for a bank', () => {
  it('a payer finds a bank by each common spelling of its name', () => {
    const searches: Record<string, readonly string[]> = {
      'Stadtsparkasse München': ['muenchen', 'münchen', 'munchen', 'MÜNCHEN', 'мюнхен', 'sparkasse munch'],
      Commerzbank: ['комерцбанк', 'komerz', 'commerz'],
      PrivatBank: ['приват', 'ПриватБанк', 'privat bank'.replace(' ', '')],
      'Crédit Agricole': ['credit agricole', 'agricole credit', 'кредит'],
      'Łódzki Bank': ['lodzki', 'łódzki'],
      Íslandsbanki: ['islands', 'ісландс'],
    };
    for (const [name, texts] of Object.entries(searches))
      for (const text of texts) assert.ok(found(text).includes(name), text);
    assert.deepEqual(found('nothing'), []);
  });

  it('a search for any part of a bank’s displayed name finds the bank', () => {
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), (name) => {
        for (const word of name.split(' ')) assert.ok(found(word).includes(name), word);
      }),
    );
  });

  it('folding a string twice gives the same result as folding it once', () => {
    const fold = (text: string) => foldName(text, LETTERS, SPELLINGS);
    const isStable = (text: string) => assert.equal(fold(fold(text)), fold(text));
    for (const text of ['KG', 'kkh', 'Qh', "a'e"]) isStable(text);
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), isStable));
  });

  it('banks are grouped by country with the payer’s first, and a bank of several countries appears once', () => {
    const banks = [bank('A', 'FI'), bank('B', 'DE'), bank('C', 'AT'), bank('B', 'FI')];
    const { groups } = findBanks(banks, '', 'fi');
    assert.deepEqual(
      groups.map(({ country, banks: shown }) => [country, ...shown.map(({ name }) => name)]),
      [
        ['FI', 'A', 'B'],
        ['AT', 'C'],
      ],
    );
  });

  it('a list above the limit shows its first banks and the number of the others', () => {
    const many = Array.from({ length: 251 }, (_, index) => bank(`Bank ${index}`));
    const { groups, moreBanks } = findBanks(many, '', 'DE');
    assert.deepEqual([groups[0]?.banks.length, moreBanks], [250, 1]);
  });
});
