import { IconFingerprint } from '@tabler/icons-react';
import { call } from '../api/client.ts';
import { pathAfterSignIn } from '../api/session.ts';
import { signInByPasskey } from '../api/step-up.ts';
import { useDoorWords } from '../words/words.ts';
import { type DoorAct, useDoorAct } from './door-act.ts';
import { DoorButton, DoorForm, type DoorProps, Doorway, Field, PasswordField, Problem } from './doorway.tsx';

export function SignInPage({ enter }: DoorProps) {
  const words = useDoorWords();
  const act = useDoorAct(words.signIn.failed);
  const { isBusy, message, attempt } = act;
  const back = new URLSearchParams(window.location.search).get('back') ?? undefined;
  const signIn = (way: () => Promise<unknown>) =>
    attempt(async () => {
      await way();
      enter(pathAfterSignIn(back));
    });
  return (
    <Doorway title={words.signIn.title}>
      <DoorButton isBusy={isBusy} onClick={() => void signIn(signInByPasskey)}>
        <IconFingerprint size={18} />
        {words.signIn.passkey}
      </DoorButton>
      <p className="door-or">{words.signIn.or}</p>
      <DoorForm
        act={(field) => {
          const [email, code] = [field('email').trim(), field('code').trim()];
          return signIn(() => call('signIn.password', { body: { email, password: field('password'), code } }));
        }}
      >
        <Email />
        <PasswordField name="password" label={words.signIn.password} autoComplete="current-password" required />
        <Field
          name="code"
          label={words.code}
          inputMode="numeric"
          pattern="[0-9]{6}"
          maxLength={6}
          autoComplete="one-time-code"
          required
        />
        <Problem text={message} />
        <DoorButton type="submit" look="outline" isBusy={isBusy}>
          {words.signIn.submit}
        </DoorButton>
      </DoorForm>
      <OtherWays act={act} signIn={signIn} />
    </Doorway>
  );
}

function Email() {
  const { signIn } = useDoorWords();
  return <Field name="email" type="email" label={signIn.email} autoComplete="username" required />;
}

interface OtherWaysProps {
  readonly act: DoorAct;
  readonly signIn: (way: () => Promise<unknown>) => Promise<void>;
}

/** The other ways to sign in: a recovery code, or the organisation’s provider. */
function OtherWays({ act: { isBusy, attempt }, signIn: signInBy }: OtherWaysProps) {
  const { signIn, enter } = useDoorWords();
  const byProvider = async () => window.location.assign((await call('signIn.openid')).url);
  return (
    <details>
      <summary>{enter.other}</summary>
      <div className="door-form">
        <DoorButton look="outline" isBusy={isBusy} onClick={() => void attempt(byProvider)}>
          {signIn.openid}
        </DoorButton>
        <DoorForm
          act={(field) => {
            const [email, code] = [field('email').trim(), field('code').trim()];
            return signInBy(() => call('signIn.recovery', { body: { email, code } }));
          }}
        >
          <Email />
          <Field
            name="code"
            label={enter.recovery}
            hint={enter.recoveryHint}
            autoComplete="off"
            maxLength={40}
            required
          />
          <DoorButton type="submit" look="outline" isBusy={isBusy}>
            {enter.recoverySubmit}
          </DoorButton>
        </DoorForm>
      </div>
    </details>
  );
}
