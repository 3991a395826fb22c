/** The signed-in person. */
import { createContext, useContext } from 'react';
import type { Permission } from '../../../gateway/contract/permissions.ts';
import type { Answer } from './client.ts';

export type OwnSession = Answer<'session.show'>;

export const SessionContext = createContext<OwnSession | null>(null);

/** Throws outside of the pages of signed-in people. */
export function useSession(): OwnSession {
  const session = useContext(SessionContext);
  if (!session) throw new Error('This page needs a session');
  return session;
}

export function useMay(): (permission: Permission) => boolean {
  const { permissions } = useSession();
  return (permission) => permissions.includes(permission);
}

/** The address after the sign-in. Only a path of these pages counts: a link cannot lead elsewhere. Browsers drop tabs and line ends. */
export function pathAfterSignIn(back: string | undefined): string {
  return back && /^\/(?![/\\])[^\t\n\r]*$/.test(back) && !back.startsWith('/sign-in') ? back : '/';
}

/** The sign-in that leads back to the page of the browser. */
export function pathOfSignIn(): string {
  const { pathname, search } = window.location;
  return `/sign-in?back=${encodeURIComponent(pathname + search)}`;
}
