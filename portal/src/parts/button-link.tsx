/** A link that looks like the buttons beside it. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** `name`: what a screen reader says of it, where its label alone does not tell links apart. */
export function ButtonLink({ to, name, children }: { to: string; name: string; children: ReactNode }) {
  return (
    <Button component={Link} to={to as never} variant="default" size="compact-sm" flex="none" aria-label={name}>
      {children}
    </Button>
  );
}
