/** Where the provider of the operator’s organisation sends the browser back. */
import { call } from '../api/client.ts';
import { Loading } from '../parts/loading/loading.tsx';
import { useDoorWords } from '../words/words.ts';
import { useRead } from './door-act.ts';
import { Doorway, Problem } from './doorway.tsx';

async function signInByAnswer(): Promise<void> {
  await call('signIn.openidReturn', { body: { query: window.location.search.slice(1) } });
  window.location.replace('/');
}

export function OpenIdPage() {
  const { enter, signIn } = useDoorWords();
  const entered = useRead(signInByAnswer);
  return (
    <Doorway title={enter.returned}>
      {entered && 'error' in entered ? (
        <>
          <Problem text={entered.error.message} />
          <a href="/sign-in">{signIn.title}</a>
        </>
      ) : (
        <Loading />
      )}
    </Doorway>
  );
}
