/** The frame of the pages outside of the shell: signing in, and accepting a link. */
import { Center, Paper, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export function Doorway({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="xl" w="100%" maw={400}>
        <Stack>
          <Title order={1} size="h3">
            {title}
          </Title>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}
