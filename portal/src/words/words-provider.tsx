/** Loads the texts of the person’s language and keeps their choice in this browser. */
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { en } from './en.ts';
import { firstLanguage, type Language, loadWords } from './translation.ts';
import { SpeechContext } from './words.ts';

const KEY = 'language';

export function ChosenLanguage({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(() => firstLanguage(localStorage.getItem(KEY), navigator.languages));
  const [words, setWords] = useState(language === 'en' ? en : null);
  useEffect(() => {
    let isCurrent = true;
    void loadWords(language).then((loaded) => {
      if (!isCurrent) return;
      document.documentElement.lang = language;
      setWords(loaded);
    });
    return () => {
      isCurrent = false;
    };
  }, [language]);
  const speech = useMemo(() => {
    const choose = (next: Language) => {
      localStorage.setItem(KEY, next);
      setLanguage(next);
    };
    return words && { language, words, choose };
  }, [language, words]);
  return speech === null ? null : <SpeechContext value={speech}>{children}</SpeechContext>;
}

/** The operator’s pages are in English, whatever the language of the person. */
export function InEnglish({ children }: { children: ReactNode }) {
  const speech = useMemo(() => ({ language: 'en' as const, words: en, choose: () => {} }), []);
  useEffect(() => {
    const before = document.documentElement.lang;
    document.documentElement.lang = 'en';
    return () => {
      document.documentElement.lang = before;
    };
  }, []);
  return <SpeechContext value={speech}>{children}</SpeechContext>;
}
