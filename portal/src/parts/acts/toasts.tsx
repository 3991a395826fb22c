/** Short messages about actions. A message with a link stays until the person closes it. */
import { Anchor, CloseButton, Group, Paper, Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { useWords } from '../../words/words.ts';
import { PageLink } from '../links/page-link.tsx';
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

const close = (toast: Toast) => set(toasts.filter((each) => each !== toast));

export function showToast(toast: Toast): void {
  set([...toasts, toast]);
  if (!toast.link) setTimeout(() => close(toast), SHOWN_MS);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts() {
  const words = useWords();
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div role="status">
      {shown.map((toast, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a toast has no other identity
        <Paper key={place} className="toast" withBorder p="xs" shadow="sm">
          <Group gap="xs" justify="space-between" wrap="nowrap">
            <div>
              <Text size="sm">{toast.text}</Text>
              {toast.link ? (
                <Anchor component="span" size="sm">
                  <PageLink to={toast.link.to}>{toast.link.text}</PageLink>
                </Anchor>
              ) : null}
            </div>
            <CloseButton size="sm" onClick={() => close(toast)} aria-label={words.close} />
          </Group>
        </Paper>
      ))}
    </div>
  );
}
