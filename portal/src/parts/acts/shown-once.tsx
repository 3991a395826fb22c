/** A secret that the gateway has just created, and never shows again. */
import { Alert, Button, Code, CopyButton, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../../words/words.ts';

export function ShownOnce({ title, secret, children }: { title: string; secret: string; children?: ReactNode }) {
  const words = useWords();
  return (
    <Alert color="orange" variant="light" title={title} role="alert">
      <Code block className="code">
        {secret}
      </Code>
      <Group mt="xs" gap="sm">
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button size="xs" variant="default" onClick={copy}>
              {copied ? words.copied : words.copy}
            </Button>
          )}
        </CopyButton>
        {children}
      </Group>
    </Alert>
  );
}
