/** A user's own account: passkeys, password, recovery codes and sessions. */
import { Alert, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { makeStale, useReading } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { confirmByPasskey, createPasskey, signInByPasskey } from '../../api/step-up.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { Shown } from '../../parts/loading/shown.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import { useWords } from '../../words/words.ts';
import { deviceName } from './device-name.ts';
import { PasswordPanel } from './password-panel.tsx';

export default function AccountPage() {
  const { account } = useWords();
  return (
    <Stack>
      <PageTitle>{account.title}</PageTitle>
      <Recovered />
      <Passkeys />
      <PasswordPanel />
      <RecoveryCodes />
      <Sessions />
    </Stack>
  );
}

function Recovered() {
  const { account } = useWords();
  return useSession().way === 'recovery' ? (
    <Alert color="orange" variant="light" role="status">
      {account.recovered}
    </Alert>
  ) : null;
}

function Passkeys() {
  const words = useWords();
  const credentials = useReading('credentials.show');
  return (
    <Panel title={words.account.passkeys}>
      <Shown of={credentials}>
        {({ passkeys, passwordChangedAt }) => (
          <Stack gap="xs">
            {passkeys.map(({ credentialId, name, createdAt }) => (
              <Group key={credentialId} justify="space-between">
                <Text size="sm">
                  {name} <span className="muted">· </span>
                  <span className="muted">
                    <Moment at={createdAt} />
                  </span>
                </Text>
                <ActButton
                  act="passkeys.remove"
                  params={{ credentialId }}
                  label={words.account.remove}
                  text={name}
                  button={{ size: 'compact-xs' }}
                />
              </Group>
            ))}
            <AddPasskey isFirst={passkeys.length === 0 && passwordChangedAt === null} />
          </Stack>
        )}
      </Shown>
    </Panel>
  );
}

/** `isFirst` is true if the user has no credential yet to confirm it with. */
function AddPasskey({ isFirst }: { isFirst: boolean }) {
  const words = useWords();
  const isRecovering = useSession().way === 'recovery';
  const [message, setMessage] = useState<string | null>(null);
  const add = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const name = String(new FormData(form).get('name') ?? '');
    setMessage(null);
    try {
      const challenge = await call('passkeys.challenge');
      const body = { challengeId: challenge.challengeId, attestation: await createPasskey(challenge), name };
      const proof = isFirst || isRecovering ? {} : { stepUp: await confirmByPasskey('passkeys.add', { body }) };
      await call('passkeys.add', { body, ...proof });
      form.reset();
      // A session opened with a recovery code becomes a session of the new passkey, with full permissions.
      if (isRecovering) {
        await signInByPasskey();
        window.location.assign('/');
      }
      makeStale(['credentials.']);
    } catch (error) {
      setMessage(error instanceof ApiError ? error.message : words.passkeyCancelled);
    }
  };
  return (
    <form onSubmit={(event) => void add(event)}>
      <Group align="flex-end" gap="xs">
        <TextInput size="xs" name="name" label={words.account.passkeyName} required maxLength={100} />
        <Button size="xs" type="submit" variant="default">
          {words.account.addPasskey}
        </Button>
      </Group>
      {message === null ? null : (
        <Alert color="red" variant="light" mt="xs" role="alert">
          {message}
        </Alert>
      )}
    </form>
  );
}

function RecoveryCodes() {
  const { account } = useWords();
  const credentials = useReading('credentials.show');
  const [codes, setCodes] = useState<readonly string[]>([]);
  return (
    <Panel title={account.recovery}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{account.recoveryLeft(credentials.data?.recoveryCodesLeft ?? 0)}</Text>
        <ActButton
          act="recoveryCodes.create"
          params={{}}
          label={account.createCodes}
          text={account.createCodesText}
          button={{ size: 'xs' }}
          onDone={(answer) => setCodes(answer.codes)}
        />
        {codes.length > 0 ? (
          <Alert color="orange" variant="light" title={account.codesShown}>
            <Code block>{codes.join('\n')}</Code>
          </Alert>
        ) : null}
      </Stack>
    </Panel>
  );
}

function Sessions() {
  const { account } = useWords();
  const sessions = useReading('sessions.list');
  return (
    <Panel title={account.sessions}>
      <Shown of={sessions}>
        {({ items }) => (
          <Stack gap="xs">
            {items.map(({ sessionId, isThis, address, userAgent, lastUsedAt }) => (
              <Group key={sessionId} justify="space-between" wrap="nowrap" align="flex-start">
                <Text size="sm">
                  {address} {isThis ? <span className="muted">({account.thisSession})</span> : null}
                  <br />
                  <span className="muted">
                    <Moment at={lastUsedAt} /> · <span title={userAgent}>{deviceName(userAgent)}</span>
                  </span>
                </Text>
                {isThis ? null : (
                  <ActButton
                    act="sessions.end"
                    params={{ sessionId }}
                    label={account.end}
                    text={address}
                    button={{ size: 'compact-xs' }}
                  />
                )}
              </Group>
            ))}
          </Stack>
        )}
      </Shown>
    </Panel>
  );
}
