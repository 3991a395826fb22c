import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { en } from './en/en.ts';
import { EN_SIGN_IN } from './en/sign-in.ts';
import { PagesSpeech, SignInSpeech, useSignInWords, useWords } from './words.ts';

const chosen = { language: 'en', choose: () => {} } as const;
const SharedPart = () => useSignInWords().again;
const PageTitle = () => useWords().payouts.title;

describe('the texts of the pages', () => {
  it('a page after the sign-in loads its strings and those of the sign-in page', () => {
    const page = createElement(
      PagesSpeech,
      { speech: { ...chosen, words: en } },
      createElement(PageTitle),
      createElement(SharedPart),
    );
    assert.equal(renderToStaticMarkup(page), `${en.payouts.title}${en.again}`);
  });

  it('rendering a part on the sign-in page throws if it needs strings of the other pages', () => {
    const signIn = (part: () => string) =>
      renderToStaticMarkup(
        createElement(SignInSpeech, { speech: { ...chosen, words: EN_SIGN_IN } }, createElement(part)),
      );
    assert.equal(signIn(SharedPart), EN_SIGN_IN.again);
    assert.throws(() => signIn(PageTitle), /inside WordsProvider/);
  });
});
