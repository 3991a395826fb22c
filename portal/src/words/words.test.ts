import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { EN_DOORS } from './en/doors.ts';
import { en } from './en/en.ts';
import { DoorSpeech, PagesSpeech, useDoorWords, useWords } from './words.ts';

const chosen = { language: 'en', choose: () => {} } as const;
const SharedPart = () => useDoorWords().again;
const PageTitle = () => useWords().payouts.title;

describe('the texts of the pages', () => {
  it('a page of a session finds its own texts and those of the sign-in', () => {
    const page = createElement(
      PagesSpeech,
      { speech: { ...chosen, words: en } },
      createElement(PageTitle),
      createElement(SharedPart),
    );
    assert.equal(renderToStaticMarkup(page), `${en.payouts.title}${en.again}`);
  });

  it('the sign-in rejects a part that needs the texts of the pages', () => {
    const signIn = (part: () => string) =>
      renderToStaticMarkup(createElement(DoorSpeech, { speech: { ...chosen, words: EN_DOORS } }, createElement(part)));
    assert.equal(signIn(SharedPart), EN_DOORS.again);
    assert.throws(() => signIn(PageTitle), /needs a language/);
  });
});
