/** A link to another page by its address. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export function PageLink({ to, children }: { to: string; children: ReactNode }) {
  return <Link to={to as never}>{children}</Link>;
}
