/** The operator’s pages are in English, whatever the user's language. */
import { type ReactNode, useEffect, useMemo } from 'react';
import { english } from './en/loaded-english.ts';
import { PagesSpeech } from './words.ts';

export function InEnglish({ children }: { children: ReactNode }) {
  const speech = useMemo(() => ({ language: 'en' as const, words: english, choose: () => {} }), []);
  useEffect(() => {
    const before = document.documentElement.lang;
    document.documentElement.lang = 'en';
    return () => {
      document.documentElement.lang = before;
    };
  }, []);
  return <PagesSpeech speech={speech}>{children}</PagesSpeech>;
}
