/** Loads the strings of the user’s language and keeps their choice in this browser. */
import { type ComponentType, type ReactNode, useEffect, useMemo, useState } from 'react';
import { type Language, preferredLanguage, rememberLanguage } from './languages.ts';
import type { SpeechProps } from './words.ts';

interface ChosenLanguageProps<Texts> {
  readonly english: Texts;
  readonly load: (language: Language) => Promise<Texts>;
  readonly Speech: ComponentType<SpeechProps<Texts>>;
  readonly children: ReactNode;
}

export function ChosenLanguage<Texts>({ english, load, Speech, children }: ChosenLanguageProps<Texts>) {
  const [language, setLanguage] = useState(preferredLanguage);
  const [words, setWords] = useState<Texts | null>(language === 'en' ? english : null);
  useEffect(() => {
    let isCurrent = true;
    void load(language).then((loaded) => {
      if (!isCurrent) return;
      document.documentElement.lang = language;
      setWords(() => loaded);
    });
    return () => {
      isCurrent = false;
    };
  }, [language, load]);
  const speech = useMemo(() => {
    const choose = (next: Language) => {
      rememberLanguage(next);
      setLanguage(next);
    };
    return words && { language, words, choose };
  }, [language, words]);
  return speech === null ? null : <Speech speech={speech}>{children}</Speech>;
}
