/** The sign-in page: passkey, password with a code, or the operator's identity provider. */
import { IconFingerprint } from '@tabler/icons-react';
import { call } from '../api/client.ts';
import { signInByPasskey } from '../api/step-up.ts';
import { useSignInWords } from '../words/words.ts';
import {
  PasswordField,
  Problem,
  PublicButton,
  PublicField,
  PublicForm,
  PublicPage,
  type PublicPageProps,
} from './public-page.tsx';
import { pathAfterSignIn } from './sign-in-path.ts';
import { type Submission, useSubmission } from './submission.ts';

export function SignInPage({ enter }: PublicPageProps) {
  const words = useSignInWords();
  const act = useSubmission(words.signIn.failed);
  const { isBusy, message, attempt } = act;
  const back = new URLSearchParams(window.location.search).get('back') ?? undefined;
  const signIn = (way: () => Promise<unknown>) =>
    attempt(async () => {
      await way();
      enter(pathAfterSignIn(back));
    });
  return (
    <PublicPage title={words.signIn.title}>
      <PublicButton isBusy={isBusy} onClick={() => void signIn(signInByPasskey)}>
        <IconFingerprint size={18} />
        {words.signIn.passkey}
      </PublicButton>
      <p className="public-or">{words.signIn.or}</p>
      <PublicForm
        act={(field) => {
          const [email, code] = [field('email').trim(), field('code').trim()];
          return signIn(() => call('signIn.password', { body: { email, password: field('password'), code } }));
        }}
      >
        <Email />
        <PasswordField name="password" label={words.signIn.password} autoComplete="current-password" required />
        <PublicField
          name="code"
          label={words.code}
          inputMode="numeric"
          pattern="[0-9]{6}"
          maxLength={6}
          autoComplete="one-time-code"
          required
        />
        <Problem text={message} />
        <PublicButton type="submit" look="outline" isBusy={isBusy}>
          {words.signIn.submit}
        </PublicButton>
      </PublicForm>
      <OtherWays act={act} signIn={signIn} />
    </PublicPage>
  );
}

function Email() {
  const { signIn } = useSignInWords();
  return <PublicField name="email" type="email" label={signIn.email} autoComplete="username" required />;
}

interface OtherWaysProps {
  readonly act: Submission;
  readonly signIn: (way: () => Promise<unknown>) => Promise<void>;
}

/** Further ways to sign in: a recovery code, or the organisation’s provider. */
function OtherWays({ act: { isBusy, attempt }, signIn: signInBy }: OtherWaysProps) {
  const { signIn, enter } = useSignInWords();
  const byProvider = async () => window.location.assign((await call('signIn.openid')).url);
  return (
    <details>
      <summary>{enter.other}</summary>
      <div className="public-form">
        <PublicButton look="outline" isBusy={isBusy} onClick={() => void attempt(byProvider)}>
          {signIn.openid}
        </PublicButton>
        <PublicForm
          act={(field) => {
            const [email, code] = [field('email').trim(), field('code').trim()];
            return signInBy(() => call('signIn.recovery', { body: { email, code } }));
          }}
        >
          <Email />
          <PublicField
            name="code"
            label={enter.recovery}
            hint={enter.recoveryHint}
            autoComplete="off"
            maxLength={40}
            required
          />
          <PublicButton type="submit" look="outline" isBusy={isBusy}>
            {enter.recoverySubmit}
          </PublicButton>
        </PublicForm>
      </div>
    </details>
  );
}
