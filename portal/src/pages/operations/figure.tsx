/** One number with its name. */
import { Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface FigureProps {
  readonly name: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
  /** True if the figure needs attention. */
  readonly isLate?: boolean;
}

export function Figure({ name, value, note, isLate = false }: FigureProps) {
  return (
    <Paper withBorder p="md">
      <p className="small muted">{name}</p>
      <Text fw={600} fz="xl" {...(isLate ? { className: 'late' } : {})}>
        {value}
      </Text>
      {note === undefined ? null : (
        <Text size="xs" className="muted" component="div">
          {note}
        </Text>
      )}
    </Paper>
  );
}
