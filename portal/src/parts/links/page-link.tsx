/** A plain link by URL. A list has many links, and the router would re-evaluate each of its own at every change. */
import type { ReactNode } from 'react';
import { linkTo } from './address.ts';
import type { PagePath } from './paths.ts';

export function PageLink({ to, children }: { to: PagePath; children: ReactNode }) {
  // A browser would break an identifier at its hyphens.
  const isShort = typeof children === 'string' && children.length <= 20;
  return (
    <a href={to} className={isShort ? 'unbroken' : undefined} {...linkTo(to)}>
      {children}
    </a>
  );
}
