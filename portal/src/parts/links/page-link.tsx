/** A link to another page by its address. A list has many links, and would check each link of the router at every change. */
import type { ReactNode } from 'react';
import { linkTo } from './address.ts';
import type { PagePath } from './paths.ts';

export function PageLink({ to, children }: { to: PagePath; children: ReactNode }) {
  // An identifier has hyphens, at which a browser would break it.
  const isShort = typeof children === 'string' && children.length <= 20;
  return (
    <a href={to} className={isShort ? 'unbroken' : undefined} {...linkTo(to)}>
      {children}
    </a>
  );
}
