/** The strings of the pages in the user's language. Before sign-in, a page has only the strings of `SignInWords`. */
import { type Context, createContext, createElement, type ReactNode, useContext } from 'react';
import type { Words } from './en/en.ts';
import type { SignInWords } from './en/sign-in.ts';
import type { Language } from './languages.ts';

export interface Speech<Texts> {
  readonly language: Language;
  readonly words: Texts;
  readonly choose: (language: Language) => void;
}

export interface SpeechProps<Texts> {
  readonly speech: Speech<Texts>;
  readonly children?: ReactNode;
}

const SignInContext = createContext<Speech<SignInWords> | null>(null);
const PagesContext = createContext<Speech<Words> | null>(null);

/** Provides the strings of the pages before sign-in. */
export const SignInSpeech = ({ speech, children }: SpeechProps<SignInWords>) =>
  createElement(SignInContext, { value: speech }, children);

/** Provides the strings of signed-in users' pages, and of the parts that these share with the pages before sign-in. */
export const PagesSpeech = ({ speech, children }: SpeechProps<Words>) =>
  createElement(PagesContext, { value: speech }, createElement(SignInSpeech, { speech }, children));

function useSpeechOf<Texts>(context: Context<Speech<Texts> | null>): Speech<Texts> {
  const speech = useContext(context);
  if (!speech) throw new Error('This component must be rendered inside WordsProvider, on a page that loads its texts.');
  return speech;
}

/** Returns the language of the pages, and a function to choose another. Throws outside `ChosenLanguage`. */
export const useSignInSpeech = (): Speech<SignInWords> => useSpeechOf(SignInContext);

export const useSignInWords = (): SignInWords => useSignInSpeech().words;

/** Throws before sign-in. */
export const useSpeech = (): Speech<Words> => useSpeechOf(PagesContext);

export const useWords = (): Words => useSpeech().words;

/** Translates the names of the gateway’s components and of the operator. Returns other names unchanged. */
export function actorName({ actors }: Words['payment'], { name, kind = '' }: { name: string; kind?: string }): string {
  return actors[name] ?? (name || kind);
}
