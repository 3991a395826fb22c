/** The texts of the pages in the language of the person. Before a session, a page has those of `DoorWords` alone. */
import { createContext, useContext } from 'react';
import type { DoorWords } from './en/doors.ts';
import type { Words } from './en/en.ts';
import type { Language } from './languages.ts';

interface Speech<Texts> {
  readonly language: Language;
  readonly words: Texts;
  readonly choose: (language: Language) => void;
}

export const SpeechContext = createContext<Speech<DoorWords> | null>(null);

/** The language of the pages, and how to choose another. Throws outside of `ChosenLanguage`. */
export function useDoorSpeech(): Speech<DoorWords> {
  const speech = useContext(SpeechContext);
  if (!speech) throw new Error('This page needs a language');
  return speech;
}

export const useDoorWords = (): DoorWords => useDoorSpeech().words;

export const useSpeech = (): Speech<Words> => useDoorSpeech() as Speech<Words>;

export const useWords = (): Words => useSpeech().words;

/** The parts of the gateway and the operator in that language; anybody else as they are. */
export function actorName({ actors }: Words['payment'], { name, kind = '' }: { name: string; kind?: string }): string {
  return actors[name] ?? (name || kind);
}
