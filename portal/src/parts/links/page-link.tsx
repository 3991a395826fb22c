/** A link to another page by its address. A list has many links, and would check each link of the router at every change. */
import { useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import { toRoute, useOpenPage } from './address.ts';
import type { PagePath } from './paths.ts';

export function PageLink({ to, children }: { to: PagePath; children: ReactNode }) {
  const openPage = useOpenPage();
  const router = useRouter();
  const preload = () => void router.preloadRoute({ to: toRoute(to) }).catch(() => {});
  const open = (event: MouseEvent) => {
    // The browser opens another tab or window.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    openPage(to);
  };
  // An identifier has hyphens, at which a browser would break it.
  const isShort = typeof children === 'string' && children.length <= 20;
  return (
    <a href={to} className={isShort ? 'unbroken' : undefined} onClick={open} onPointerEnter={preload} onFocus={preload}>
      {children}
    </a>
  );
}
