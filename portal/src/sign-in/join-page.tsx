/** The page of a single-use link. Its secret is in the fragment (#), which a browser never sends. */
import { useState } from 'react';
import { type Answer, call } from '../api/client.ts';
import { acceptLink, signInByPasskey } from '../api/step-up.ts';
import { usePromise } from '../api/use-promise.ts';
import { Loading } from '../parts/loading/loading.tsx';
import { Moment } from '../parts/time/moment.tsx';
import type { SignInWords } from '../words/en/sign-in.ts';
import { useSignInWords } from '../words/words.ts';
import {
  Again,
  Problem,
  PublicButton,
  PublicField,
  PublicForm,
  PublicPage,
  type PublicPageProps,
} from './public-page.tsx';
import { useSubmission } from './submission.ts';

type Link = Answer<'links.show'>;

interface AcceptProps extends PublicPageProps {
  readonly link: Link;
}

const secretOfLink = () => window.location.hash.slice(1);
const readLink = () => call('links.show', { body: { secret: secretOfLink() } });
/** Resolves to null if the visitor is not signed in. */
const readSession = () => call('session.show').catch(() => null);

export function JoinPage({ enter }: PublicPageProps) {
  const { join } = useSignInWords();
  const read = usePromise(readLink);
  const link = read && 'data' in read ? read.data : null;
  return (
    <PublicPage title={link?.purpose === 'reset' ? join.reset : join.title}>
      {link ? <Accept link={link} enter={enter} /> : read ? null : <Loading />}
      {read && 'error' in read ? read.error.problem ? <Problem text={join.invalid} /> : <Again /> : null}
    </PublicPage>
  );
}

/** A signed-in user joins with their existing credentials. Any other user creates a passkey. */
function Accept({ link, enter }: AcceptProps) {
  const read = usePromise(readSession);
  const [signedIn, setSignedIn] = useState<Answer<'session.show'> | null>(null);
  const session = signedIn ?? (read && 'data' in read ? read.data : null);
  if (!read) return <Loading />;
  if (session && link.purpose !== 'reset') return <Join link={link} person={session.person} enter={enter} />;
  return (
    <>
      <AcceptForm link={link} enter={enter} />
      {link.purpose === 'reset' ? null : <SignInFirst onDone={setSignedIn} />}
    </>
  );
}

function SignInFirst({ onDone }: { onDone: (session: Answer<'session.show'>) => void }) {
  const words = useSignInWords();
  const { isBusy, message, attempt } = useSubmission(words.passkeyCancelled);
  const signIn = async () => {
    await signInByPasskey();
    onDone(await call('session.show'));
  };
  return (
    <>
      <Problem text={message} />
      <PublicButton look="quiet" isBusy={isBusy} onClick={() => void attempt(signIn)}>
        {words.enter.signInFirst}
      </PublicButton>
    </>
  );
}

function Join({ link, person, enter }: AcceptProps & { person: Answer<'session.show'>['person'] }) {
  const words = useSignInWords();
  const { isBusy, message, attempt } = useSubmission(words.join.invalid);
  const accept = async () => {
    const { merchantId } = await call('links.join', { body: { secret: secretOfLink() } });
    await call('session.switch', { body: { merchantId } });
    enter('/');
  };
  return (
    <div className="public-form">
      <Invited link={link} words={words} />
      <p>
        {person.name} · {person.email}
      </p>
      <p className="muted">{words.enter.known}</p>
      <Problem text={message} />
      <PublicButton isBusy={isBusy} onClick={() => void attempt(accept)}>
        {words.enter.join}
      </PublicButton>
    </div>
  );
}

function Invited({ link: { role, merchantId }, words }: { link: Link; words: SignInWords }) {
  if (role === null) return null;
  return <p>{words.join.invited(words.roleNames[role] ?? role, merchantId ?? words.operator)}</p>;
}

function AcceptForm({ link, enter }: AcceptProps) {
  const words = useSignInWords();
  const { isBusy, message, attempt } = useSubmission(words.passkeyCancelled);
  return (
    <PublicForm
      act={(field) => {
        const email = link.email === null ? field('email').trim() : undefined;
        return attempt(async () => {
          await acceptLink(secretOfLink(), field('name').trim(), email, field('device').trim());
          enter('/');
        });
      }}
    >
      <Invited link={link} words={words} />
      <p className="muted">
        {words.join.until} <Moment at={link.expiresAt} />
      </p>
      <PublicField name="name" label={words.join.name} autoComplete="name" required maxLength={100} />
      {link.email === null ? (
        <PublicField name="email" type="email" label={words.signIn.email} autoComplete="username" required />
      ) : null}
      <PublicField name="device" label={words.join.device} required maxLength={100} />
      <Problem text={message} />
      <PublicButton type="submit" isBusy={isBusy}>
        {words.join.submit}
      </PublicButton>
    </PublicForm>
  );
}
