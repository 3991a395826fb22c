/** A link that looks like the buttons next to it. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { toRoute } from './address.ts';
import type { PagePath } from './paths.ts';

/** `name`: the accessible name, where the label does not distinguish the links. */
export function ButtonLink({ to, name, children }: { to: PagePath; name: string; children: ReactNode }) {
  return (
    <Button component={Link} to={toRoute(to)} variant="default" size="compact-sm" flex="none" aria-label={name}>
      {children}
    </Button>
  );
}
