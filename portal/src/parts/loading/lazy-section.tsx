/** A part of a page whose data is read when the user opens it. */
import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';

export function LazySection({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <Text size="sm" component="span">
          {summary}
        </Text>
      </summary>
      {isOpen ? children : null}
    </details>
  );
}
