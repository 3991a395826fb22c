/** Renders pages. Every visitor needs React, so it loads before the portal knows whose pages to show. */
import { type ComponentType, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { OwnSession } from '../api/session.ts';

export interface AppProps {
  /** The session that the portal has just read. Undefined if it read none, or if the visitor is not signed in. */
  readonly session?: OwnSession;
}

export function draw(root: HTMLElement, App: ComponentType<AppProps>, session: OwnSession | undefined): void {
  createRoot(root).render(
    <StrictMode>
      <App {...(session ? { session } : {})} />
    </StrictMode>,
  );
}
