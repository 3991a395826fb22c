import { Alert, Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { pathAfterSignIn } from '../../api/session.ts';
import { signInByPasskey } from '../../api/step-up.ts';
import { Doorway } from '../../shell/doorway.tsx';
import { useWords } from '../../words/words.ts';

export default function SignInPage() {
  const words = useWords();
  const { isBusy, message, attempt } = useSignIn();
  const byPassword = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const field = (name: string) => String(data.get(name) ?? '').trim();
    void attempt(() =>
      call('signIn.password', {
        body: { email: field('email'), password: String(data.get('password')), code: field('code') },
      }),
    );
  };
  return (
    <Doorway title={words.signIn.title}>
      <Button
        leftSection={<IconFingerprint size={18} />}
        loading={isBusy}
        onClick={() => void attempt(signInByPasskey)}
        fullWidth
      >
        {words.signIn.passkey}
      </Button>
      <Divider label={words.signIn.or} />
      <form onSubmit={byPassword}>
        <Stack gap="sm">
          <TextInput name="email" type="email" label={words.signIn.email} autoComplete="username" required />
          <PasswordInput name="password" label={words.signIn.password} autoComplete="current-password" required />
          <TextInput
            name="code"
            label={words.code}
            inputMode="numeric"
            pattern="[0-9]{6}"
            maxLength={6}
            autoComplete="one-time-code"
            required
          />
          {message === null ? null : (
            <Alert color="red" variant="light" role="alert">
              {message}
            </Alert>
          )}
          <Button type="submit" variant="default" loading={isBusy}>
            {words.signIn.submit}
          </Button>
        </Stack>
      </form>
      <OtherWays isBusy={isBusy} attempt={attempt} />
    </Doorway>
  );
}

/** The other ways to sign in: a recovery code, or the organisation’s provider. */
function OtherWays({ isBusy, attempt }: Omit<ReturnType<typeof useSignIn>, 'message'>) {
  const { signIn, enter } = useWords();
  const byRecovery = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const field = (name: string) => String(data.get(name) ?? '').trim();
    void attempt(() => call('signIn.recovery', { body: { email: field('email'), code: field('code') } }));
  };
  const byProvider = async () => window.location.assign((await call('signIn.openid')).url);
  return (
    <details>
      <summary>{enter.other}</summary>
      <Stack gap="sm" mt="sm">
        <Button variant="default" loading={isBusy} onClick={() => void attempt(byProvider, null)}>
          {signIn.openid}
        </Button>
        <form onSubmit={byRecovery}>
          <Stack gap="sm">
            <TextInput name="email" type="email" label={signIn.email} autoComplete="username" required />
            <TextInput
              name="code"
              label={enter.recovery}
              description={enter.recoveryHint}
              autoComplete="off"
              maxLength={40}
              required
            />
            <Button type="submit" variant="default" loading={isBusy}>
              {enter.recoverySubmit}
            </Button>
          </Stack>
        </form>
      </Stack>
    </details>
  );
}

function useSignIn() {
  const words = useWords();
  const navigate = useNavigate();
  const { back } = useSearch({ strict: false }) as { back?: string };
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  /** `next` null: the browser goes to another site. */
  const attempt = async (signIn: () => Promise<unknown>, next: string | null = pathAfterSignIn(back)) => {
    setBusy(true);
    setMessage(null);
    try {
      await signIn();
      queryClient.clear();
      if (next !== null) await navigate({ to: next as never });
    } catch (error) {
      setMessage(error instanceof ApiError ? error.message : words.signIn.failed);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, message, attempt };
}
