/** A password with an authenticator app, the alternative to a passkey. */
import { Anchor, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Answer, call } from '../../api/client.ts';
import { useReading } from '../../api/queries.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import { useWords } from '../../words/words.ts';
import { QrCode } from './qr-code.tsx';

export function PasswordPanel() {
  const { account } = useWords();
  const changedAt = useReading('credentials.show').data?.passwordChangedAt ?? null;
  return (
    <Panel title={account.passwordTitle}>
      <Group justify="space-between" align="flex-start">
        <Text size="sm">
          {changedAt === null ? (
            account.noPassword
          ) : (
            <>
              {account.passwordSince} <Moment at={changedAt} />
            </>
          )}
        </Text>
        <Group gap="xs">
          <SetPassword />
          {changedAt === null ? null : (
            <ActButton
              act="password.remove"
              params={{}}
              label={account.removePassword}
              text={account.removePasswordText}
              button={{ size: 'xs' }}
            />
          )}
        </Group>
      </Group>
    </Panel>
  );
}

/** Shows the app's secret first, because the action needs one of its codes. */
function SetPassword() {
  const { account } = useWords();
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
          {account.setPassword}
        </Button>
      </>
    );
  return (
    <Stack gap="xs" maw={420}>
      <Text size="sm">{account.appSecret}</Text>
      <QrCode text={app.link} label={account.appPicture} />
      <Code block className="code">
        {app.secret}
      </Code>
      <Anchor size="sm" href={app.link}>
        {account.openApp}
      </Anchor>
      <ActButton
        act="password.set"
        params={{}}
        label={account.setPassword}
        text={account.newPasswordHint}
        fields={[
          { name: 'password', label: account.newPassword, type: 'password', isRequired: true },
          { name: 'code', label: account.appCode, isRequired: true },
        ]}
        bodyOf={({ password = '', code = '' }) => ({ challengeId: app.challengeId, password, code })}
        button={{ size: 'xs' }}
        onDone={() => setApp(null)}
      />
    </Stack>
  );
}
