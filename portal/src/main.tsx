/** The entry of the pages. */
import '@fontsource-variable/inter';
import './mantine.css';
import '@mantine/notifications/styles.css';
import './styles.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries.ts';
import { router } from './router.tsx';
import { theme } from './theme.ts';
import { ChosenLanguage } from './words/words-provider.tsx';

/** Styles that the components write carry the nonce of the answer, as the content security policy demands. */
const nonce = document.querySelector<HTMLElement>('script[nonce]')?.nonce ?? '';
setNonce(nonce);

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
        <Notifications position="bottom-right" />
        <QueryClientProvider client={queryClient}>
          <ChosenLanguage>
            <RouterProvider router={router} />
          </ChosenLanguage>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
