/** The heading of a page, which is also the title of its tab. `isPart`: the page already has one. */
import { Title } from '@mantine/core';
import type { ReactNode } from 'react';

export const PageTitle = ({ children, isPart = false }: { children: ReactNode; isPart?: boolean }) => (
  <Title order={isPart ? 2 : 1} size={isPart ? 'h5' : 'h3'}>
    {children}
  </Title>
);
