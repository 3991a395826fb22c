/** Provides Mantine's theme. The page frame uses no Mantine components, so each part that does is wrapped in this. */
import { MantineContext, MantineProvider } from '@mantine/core';
import { setNonce } from 'get-nonce';
import { type ReactNode, useContext } from 'react';
import { theme } from './theme.ts';

/** Styles that the components inject carry the response's nonce, as the CSP requires. */
const nonce = document.querySelector<HTMLElement>('script[nonce]')?.nonce ?? '';
setNonce(nonce);

export function Themed({ children }: { children: ReactNode }) {
  const isThemed = useContext(MantineContext) !== null;
  if (isThemed) return children;
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce} withCssVariables={false}>
      {children}
    </MantineProvider>
  );
}
