/** A dialog with a title. The keyboard stays inside it until it closes. */
import { CloseButton, Group, Modal, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useWords } from '../words/words.ts';

interface DialogProps {
  readonly isOpen: boolean;
  readonly title: string;
  readonly close: () => void;
  readonly children: ReactNode;
}

export function Dialog({ isOpen, title, close, children }: DialogProps) {
  const words = useWords();
  const id = useId();
  return (
    <Modal opened={isOpen} onClose={close} withCloseButton={false} aria-labelledby={id} centered>
      <Group justify="space-between" mb="md" wrap="nowrap" align="flex-start">
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        <CloseButton onClick={close} aria-label={words.close} />
      </Group>
      {children}
    </Modal>
  );
}
