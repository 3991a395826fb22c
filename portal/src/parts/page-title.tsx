/** The heading of a page, which is also the title of its tab. */
import { Title } from '@mantine/core';
import type { ReactNode } from 'react';

export const PageTitle = ({ children }: { children: ReactNode }) => (
  <Title order={1} size="h3">
    {children}
  </Title>
);
