/**
 * Handles a session that ends while its user is working. The user signs in again on top of the page, which keeps the entered
 * text. Until then, the page is hidden from others.
 */
import { Alert, Anchor, Button, Modal, Stack, Text } from '@mantine/core';
import { makeAllStale } from '../api/queries.ts';
import { signInByPasskey } from '../api/step-up.ts';
import { Themed } from '../look/themed.tsx';
import { useSubmission } from '../sign-in/submission.ts';
import { useWords } from '../words/words.ts';

const OPAQUE = { backgroundOpacity: 1, color: 'var(--mantine-color-body)' };
/** Above the dialog in which the user was typing. */
const ABOVE_DIALOGS = 1_000;
/** Escape would also close that dialog. */
const KEEPS_DIALOGS = { 'data-mantine-stop-propagation': 'true' };

export function EndedSession() {
  const { endedSession: texts, signIn } = useWords();
  const { isBusy, message, attempt } = useSubmission(signIn.failed);
  const again = () => attempt(() => signInByPasskey().then(makeAllStale));
  return (
    <Themed>
      <Modal opened onClose={() => {}} withCloseButton={false} centered overlayProps={OPAQUE} zIndex={ABOVE_DIALOGS}>
        <Stack>
          <Modal.Title>{texts.title}</Modal.Title>
          <Text size="sm">{texts.text}</Text>
          {message === null ? null : (
            <Alert color="red" variant="light" role="alert">
              {message}
            </Alert>
          )}
          <Button onClick={() => void again()} loading={isBusy} {...KEEPS_DIALOGS}>
            {signIn.passkey}
          </Button>
          <Anchor href="/sign-in" target="_blank" rel="noopener" size="sm" {...KEEPS_DIALOGS}>
            {texts.otherWay}
          </Anchor>
        </Stack>
      </Modal>
    </Themed>
  );
}
