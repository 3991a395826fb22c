/** Gives the components of Mantine their theme. The frame of the pages has none of them, so each part that has them is inside. */
import { MantineContext, MantineProvider } from '@mantine/core';
import { setNonce } from 'get-nonce';
import { type ReactNode, useContext } from 'react';
import { theme } from './theme.ts';

/** Styles that the components write carry the nonce of the response, as the content security policy demands. */
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
