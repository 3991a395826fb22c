/** The views of a list that the user has saved in this browser: named filters. A link to a view also works for colleagues. */
import { ActionIcon, Button, Group, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useWords } from '../../words/words.ts';
import { setFilters } from '../links/address.ts';
import { readViews, type View, withoutView, withView, writeViews } from './saved-views.ts';

interface SavedViewsProps {
  readonly search: Readonly<Record<string, unknown>>;
  /** Rendered after the views. */
  readonly children: ReactNode;
}

export function SavedViews({ search, children }: SavedViewsProps) {
  const words = useWords();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [views, setViews] = useState(() => readViews(localStorage, path));
  const isFiltered = Object.keys(search).length > 0;
  const keep = (next: readonly View[]) => {
    writeViews(localStorage, path, next);
    setViews(next);
  };
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('view') ?? '').trim();
    if (name === '') return;
    const texts = Object.fromEntries(Object.entries(search).map(([key, value]) => [key, String(value)]));
    keep(withView(views, { name, search: texts }));
    event.currentTarget.reset();
  };
  if (views.length === 0 && !isFiltered) return null;
  return (
    <Group gap="xs" mt="xs" role="group" aria-label={words.savedViews}>
      {views.map((view) => (
        <Group key={view.name} gap={2}>
          <Button size="compact-xs" variant="light" onClick={() => setFilters(view.search)}>
            {view.name}
          </Button>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            aria-label={`${words.removeView}: ${view.name}`}
            onClick={() => keep(withoutView(views, view.name))}
          >
            <IconX size={12} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      {isFiltered ? (
        <form onSubmit={save}>
          <Group gap={4}>
            <TextInput
              size="xs"
              name="view"
              aria-label={words.nameView}
              placeholder={words.nameView}
              maxLength={40}
              w={170}
            />
            <Button type="submit" size="xs" variant="subtle">
              {words.saveView}
            </Button>
          </Group>
        </form>
      ) : null}
      {children}
    </Group>
  );
}
