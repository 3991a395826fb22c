/** Loads the texts of the person’s language and keeps their choice in this browser. */
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { DoorWords } from './en/doors.ts';
import { firstLanguage, type Language } from './languages.ts';
import { SpeechContext } from './words.ts';

const KEY = 'language';

interface ChosenLanguageProps {
  readonly english: DoorWords;
  readonly load: (language: Language) => Promise<DoorWords>;
  readonly children: ReactNode;
}

export function ChosenLanguage({ english, load, children }: ChosenLanguageProps) {
  const [language, setLanguage] = useState(() => firstLanguage(localStorage.getItem(KEY), navigator.languages));
  const [words, setWords] = useState(language === 'en' ? english : null);
  useEffect(() => {
    let isCurrent = true;
    void load(language).then((loaded) => {
      if (!isCurrent) return;
      document.documentElement.lang = language;
      setWords(loaded);
    });
    return () => {
      isCurrent = false;
    };
  }, [language, load]);
  const speech = useMemo(() => {
    const choose = (next: Language) => {
      localStorage.setItem(KEY, next);
      setLanguage(next);
    };
    return words && { language, words, choose };
  }, [language, words]);
  return speech === null ? null : <SpeechContext value={speech}>{children}</SpeechContext>;
}
