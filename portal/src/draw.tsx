/** Draws pages. Every visitor needs React, so that it is loaded before anybody knows whose pages they are. */
import { type ComponentType, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { OwnSession } from './api/session.ts';

export interface AppProps {
  /** As it was just read. Absent: it was not read, or nobody is signed in. */
  readonly session?: OwnSession;
}

export function draw(root: HTMLElement, App: ComponentType<AppProps>, session: OwnSession | undefined): void {
  createRoot(root).render(
    <StrictMode>
      <App {...(session ? { session } : {})} />
    </StrictMode>,
  );
}
