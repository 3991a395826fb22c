/** The page of a single-use link. Its secret is behind the #, which a browser never sends. */
import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { type Answer, call } from '../../api/client.ts';
import { queryClient, useReading } from '../../api/queries.ts';
import { acceptLink, signInByPasskey } from '../../api/step-up.ts';
import { Moment } from '../../parts/moment.tsx';
import { Loading, Shown } from '../../parts/states.tsx';
import { Doorway } from '../../shell/doorway.tsx';
import { useWords } from '../../words/words.ts';

export default function JoinPage() {
  const { join } = useWords();
  const secret = window.location.hash.slice(1);
  const link = useQuery<Answer<'links.show'>, ApiError>({
    queryKey: ['links.show'],
    queryFn: () => call('links.show', { body: { secret } }),
    retry: false,
  });
  return (
    <Doorway title={link.data?.purpose === 'reset' ? join.reset : join.title}>
      {link.error?.problem ? (
        <Alert color="red" variant="light" role="alert">
          {join.invalid}
        </Alert>
      ) : (
        <Shown of={link}>{(shown) => <Accept link={shown} secret={secret} />}</Shown>
      )}
    </Doorway>
  );
}

/** A signed-in person joins with their credentials; another one creates a passkey. */
function Accept({ link, secret }: { link: Answer<'links.show'>; secret: string }) {
  const { join, enter, operator, passkeyCancelled } = useWords();
  const session = useReading('session.show');
  const [message, setMessage] = useState<string | null>(null);
  const signIn = async () => {
    await signInByPasskey().catch(() => setMessage(passkeyCancelled));
    await session.refetch();
  };
  if (session.isPending) return <Loading />;
  if (!session.data || link.purpose === 'reset')
    return (
      <>
        <Problem text={message} />
        <AcceptForm link={link} secret={secret} />
        {link.purpose === 'reset' ? null : (
          <Button variant="subtle" size="xs" onClick={() => void signIn()}>
            {enter.signInFirst}
          </Button>
        )}
      </>
    );
  const accept = async () => {
    try {
      const { merchantId } = await call('links.join', { body: { secret } });
      await call('session.switch', { body: { merchantId } });
      window.location.assign('/');
    } catch (error) {
      setMessage(error instanceof ApiError ? error.message : join.invalid);
    }
  };
  return (
    <Stack gap="sm">
      {link.role === null ? null : (
        <Text size="sm">{join.invited(link.role, link.merchantId ?? operator.toLowerCase())}</Text>
      )}
      <Text size="sm">
        {session.data.person.name} · {session.data.person.email}
      </Text>
      <Text size="sm" className="muted">
        {enter.known}
      </Text>
      <Problem text={message} />
      <Button onClick={() => void accept()}>{enter.join}</Button>
    </Stack>
  );
}

function Problem({ text }: { text: string | null }) {
  return text === null ? null : (
    <Alert color="red" variant="light" role="alert">
      {text}
    </Alert>
  );
}

function AcceptForm({ link, secret }: { link: Answer<'links.show'>; secret: string }) {
  const words = useWords();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  const accept = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const field = (name: string) => String(data.get(name) ?? '').trim();
    setBusy(true);
    setMessage(null);
    try {
      await acceptLink(secret, field('name'), link.email === null ? field('email') : undefined, field('device'));
      queryClient.clear();
      await navigate({ to: '/' });
    } catch (error) {
      setMessage(error instanceof ApiError ? error.message : words.passkeyCancelled);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void accept(event)}>
      <Stack gap="sm">
        {link.role === null ? null : (
          <Text size="sm">{words.join.invited(link.role, link.merchantId ?? words.operator.toLowerCase())}</Text>
        )}
        <Text size="xs" className="muted">
          {words.join.until} <Moment at={link.expiresAt} />
        </Text>
        <TextInput name="name" label={words.join.name} autoComplete="name" required maxLength={100} />
        {link.email === null ? (
          <TextInput name="email" type="email" label={words.signIn.email} autoComplete="username" required />
        ) : null}
        <TextInput name="device" label={words.join.device} required maxLength={100} />
        <Problem text={message} />
        <Button type="submit" loading={isBusy}>
          {words.join.submit}
        </Button>
      </Stack>
    </form>
  );
}
