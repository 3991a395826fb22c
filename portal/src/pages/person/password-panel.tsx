/** A password with an authenticator app: the other way to sign in. */
import { Anchor, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Answer, call } from '../../api/client.ts';
import { useReading } from '../../api/queries.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { Panel } from '../../parts/details.tsx';
import { Moment } from '../../parts/moment.tsx';
import { useWords } from '../../words/words.ts';
import { QrCode } from './qr-code.tsx';

export function PasswordPanel() {
  const { enter } = useWords();
  const changedAt = useReading('credentials.show').data?.passwordChangedAt ?? null;
  return (
    <Panel title={enter.passwordTitle}>
      <Group justify="space-between" align="flex-start">
        <Text size="sm">
          {changedAt === null ? (
            enter.noPassword
          ) : (
            <>
              {enter.passwordSince} <Moment at={changedAt} />
            </>
          )}
        </Text>
        <Group gap="xs">
          <SetPassword />
          {changedAt === null ? null : (
            <ActButton
              act="password.remove"
              params={{}}
              label={enter.removePassword}
              text={enter.removePasswordText}
              button={{ size: 'xs' }}
            />
          )}
        </Group>
      </Group>
    </Panel>
  );
}

/** The secret of the app comes first, because the act needs one of its codes. */
function SetPassword() {
  const { enter } = useWords();
  const [app, setApp] = useState<Answer<'password.challenge'> | null>(null);
  const [message, setMessage] = useState<string | null>(null);
  const begin = () => call('password.challenge').then(setApp, (error: Error) => setMessage(error.message));
  if (app === null)
    return (
      <>
        {message === null ? null : (
          <Text size="sm" c="red" role="alert">
            {message}
          </Text>
        )}
        <Button size="xs" variant="default" onClick={() => void begin()}>
          {enter.setPassword}
        </Button>
      </>
    );
  return (
    <Stack gap="xs" maw={420}>
      <Text size="sm">{enter.appSecret}</Text>
      <QrCode text={app.link} label={enter.appPicture} />
      <Code block className="code">
        {app.secret}
      </Code>
      <Anchor size="sm" href={app.link}>
        {enter.openApp}
      </Anchor>
      <ActButton
        act="password.set"
        params={{}}
        label={enter.setPassword}
        text={enter.newPasswordHint}
        fields={[
          { name: 'password', label: enter.newPassword, type: 'password', isRequired: true },
          { name: 'code', label: enter.appCode, isRequired: true },
        ]}
        bodyOf={({ password = '', code = '' }) => ({ challengeId: app.challengeId, password, code })}
        button={{ size: 'xs' }}
        onDone={() => setApp(null)}
      />
    </Stack>
  );
}
