/** Shows the toasts about actions. */
import { Anchor, CloseButton, Group, Paper, Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { useWords } from '../../words/words.ts';
import { PageLink } from '../links/page-link.tsx';
import { closeToast, onToasts, shownToasts } from './toast-list.ts';

export function Toasts() {
  const words = useWords();
  const shown = useSyncExternalStore(onToasts, shownToasts);
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
            <CloseButton size="sm" onClick={() => closeToast(toast)} aria-label={words.close} />
          </Group>
        </Paper>
      ))}
    </div>
  );
}
