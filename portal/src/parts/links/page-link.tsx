/** A link to another page by its address. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { toRoute } from './address.ts';
import type { PagePath } from './paths.ts';

export function PageLink({ to, children }: { to: PagePath; children: ReactNode }) {
  return <Link to={toRoute(to)}>{children}</Link>;
}
