import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { contrastOf, type Scheme, type ThemeColours, themeColours } from './brand-theme.ts';

const PANELS: Readonly<Record<Scheme, readonly string[]>> = {
  light: ['#ffffff', '#f3f2ee'],
  dark: ['#182120', '#0e1413'],
};

/** Each text of the page with its background. */
function pairsOf(colours: ThemeColours, scheme: Scheme): readonly (readonly [string, string])[] {
  return [
    ...[...PANELS[scheme], colours.tint].map((behind) => [colours.accent, behind] as const),
    [colours['accent-strong'], colours.tint],
    [colours['on-accent'], colours.accent],
    [colours['on-accent'], colours['accent-strong']],
    [colours['on-summary'], colours['summary-mark']],
    ...[colours.summary, colours['summary-end']].flatMap((behind) =>
      [colours['on-summary'], colours['on-summary-quiet']].map((text) => [text, behind] as const),
    ),
  ];
}

describe('the colours from a merchant’s colour', () => {
  it('all text on the payer’s page has a contrast of 4.5 : 1 in light and dark, whatever colour the merchant sets', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), fc.constantFrom<Scheme>('light', 'dark'), (value, scheme) => {
        const colours = themeColours(`#${value.toString(16).padStart(6, '0')}`, scheme);
        for (const [text, behind] of pairsOf(colours, scheme))
          assert.ok(contrastOf(text, behind) >= 4.5, `${text} on ${behind}`);
      }),
      { numRuns: 2_000, seed: 20 },
    );
  });

  it('the payer’s page keeps a merchant’s colour unchanged where it is readable', () => {
    assert.equal(themeColours('#0b5c56', 'light').accent, '#0b5c56');
    assert.equal(themeColours('#0b5c56', 'light').summary, '#0b5c56');
    assert.equal(themeColours('#ffd400', 'light').summary, '#ffd400');
    assert.equal(themeColours('#ffd400', 'light')['on-summary'], '#101615');
    assert.equal(themeColours('#ffd400', 'dark').accent, '#ffd400');
  });

  it('the contrast of two colours equals the WCAG contrast ratio', () => {
    assert.equal(contrastOf('#ffffff', '#000000'), 21);
    assert.equal(contrastOf('#777777', '#ffffff').toFixed(2), '4.48');
  });
});
