/** The pages of signed-in users. */
import './look/styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient, reading } from './api/queries.ts';
import { SignedInShell } from './shell/shell.tsx';
import type { AppProps } from './start/draw.tsx';
import { english } from './words/en/loaded-english.ts';
import { loadWords } from './words/translation.ts';
import { PagesSpeech } from './words/words.ts';
import { ChosenLanguage } from './words/words-provider.tsx';

export function App({ session }: AppProps) {
  useState(() => session && queryClient.setQueryData(reading('session.show').queryKey, session));
  return (
    <QueryClientProvider client={queryClient}>
      <ChosenLanguage english={english} load={loadWords} Speech={PagesSpeech}>
        <SignedInShell />
      </ChosenLanguage>
    </QueryClientProvider>
  );
}
