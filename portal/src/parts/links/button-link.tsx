/** A link that looks like the buttons next to it. */
import type { ReactNode } from 'react';
import { linkTo } from './address.ts';
import type { PagePath } from './paths.ts';

/** `name` is the accessible name, if the label does not distinguish the links. */
export function ButtonLink({ to, name, children }: { to: PagePath; name: string; children: ReactNode }) {
  return (
    <a href={to} className="button" data-look="default" data-size="compact-sm" aria-label={name} {...linkTo(to)}>
      {children}
    </a>
  );
}
