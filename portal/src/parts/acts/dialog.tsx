/** A dialog with a title. The keyboard stays inside it until it closes. */
import { CloseButton, Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../../words/words.ts';

interface DialogProps {
  readonly isOpen: boolean;
  readonly title: string;
  readonly close: () => void;
  /** True if it must be wide enough for tables. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

export function Dialog({ isOpen, title, close, isWide = false, children }: DialogProps) {
  const words = useWords();
  // The component derives the dialog's name only from Modal.Title. Its own header would be a second banner landmark.
  return (
    <Modal opened={isOpen} onClose={close} withCloseButton={false} centered size={isWide ? 'xl' : 'md'}>
      <Group justify="space-between" mb="md" wrap="nowrap" align="flex-start">
        <Modal.Title>{title}</Modal.Title>
        <CloseButton onClick={close} aria-label={words.close} />
      </Group>
      {children}
    </Modal>
  );
}
