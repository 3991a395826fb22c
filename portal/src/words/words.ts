/** The texts of the pages in the language of the person. */
import { createContext, useContext } from 'react';
import { en, type Words } from './en.ts';
import type { Language } from './translation.ts';

interface Speech {
  readonly language: Language;
  readonly words: Words;
  readonly choose: (language: Language) => void;
}

export const SpeechContext = createContext<Speech>({ language: 'en', words: en, choose: () => {} });

export const useWords = (): Words => useContext(SpeechContext).words;

/** The language of the pages, and how to choose another. */
export const useSpeech = (): Speech => useContext(SpeechContext);
