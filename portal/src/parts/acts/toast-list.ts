/** The visible toasts about actions. A toast with a link stays until the user closes it. */
import type { PagePath } from '../links/paths.ts';

interface Toast {
  readonly text: string;
  readonly link?: { readonly to: PagePath; readonly text: string };
}

const SHOWN_MS = 4_000;

let toasts: readonly Toast[] = [];
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export const closeToast = (toast: Toast) => set(toasts.filter((each) => each !== toast));

export function showToast(toast: Toast): void {
  set([...toasts, toast]);
  if (!toast.link) setTimeout(() => closeToast(toast), SHOWN_MS);
}

export function onToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const shownToasts = () => toasts;
