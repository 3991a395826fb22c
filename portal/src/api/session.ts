/** The signed-in user. */
import { createContext, useContext } from 'react';
import type { Permission } from '../../../gateway/contract/permissions.ts';
import type { Answer } from './client.ts';

export type OwnSession = Answer<'session.show'>;

export const SessionContext = createContext<OwnSession | null>(null);

/** Throws outside the pages of signed-in users. */
export function useSession(): OwnSession {
  const session = useContext(SessionContext);
  if (!session) throw new Error('This page needs a session');
  return session;
}

export function useMay(): (permission: Permission) => boolean {
  const { permissions } = useSession();
  return (permission) => permissions.includes(permission);
}
