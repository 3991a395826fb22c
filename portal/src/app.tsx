/** The pages of signed-in people. */
import './mantine.css';
import './styles.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { useState } from 'react';
import { queryClient, reading } from './api/queries.ts';
import type { AppProps } from './draw.tsx';
import { createPages } from './router.tsx';
import { theme } from './theme.ts';
import { english } from './words/en/english.ts';
import { loadWords } from './words/translation.ts';
import { PagesSpeech } from './words/words.ts';
import { ChosenLanguage } from './words/words-provider.tsx';

/** Styles that the components write carry the nonce of the answer, as the content security policy demands. */
const nonce = document.querySelector<HTMLElement>('script[nonce]')?.nonce ?? '';
setNonce(nonce);

export function App({ session }: AppProps) {
  const [router] = useState(() => {
    if (session) queryClient.setQueryData(reading('session.show').queryKey, session);
    return createPages();
  });
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce} withCssVariables={false}>
      <QueryClientProvider client={queryClient}>
        <ChosenLanguage english={english} load={loadWords} Speech={PagesSpeech}>
          <RouterProvider router={router} />
        </ChosenLanguage>
      </QueryClientProvider>
    </MantineProvider>
  );
}
