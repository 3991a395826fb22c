/** The page to which the operator’s OpenID Connect provider redirects the browser. */
import { call } from '../api/client.ts';
import { usePromise } from '../api/use-promise.ts';
import { Loading } from '../parts/loading/loading.tsx';
import { useSignInWords } from '../words/words.ts';
import { Problem, PublicPage } from './public-page.tsx';

async function signInByAnswer(): Promise<void> {
  await call('signIn.openidReturn', { body: { query: window.location.search.slice(1) } });
  window.location.replace('/');
}

export function OpenIdPage() {
  const { enter, signIn } = useSignInWords();
  const entered = usePromise(signInByAnswer);
  return (
    <PublicPage title={enter.returned}>
      {entered && 'error' in entered ? (
        <>
          <Problem text={entered.error.message} />
          <a href="/sign-in">{signIn.title}</a>
        </>
      ) : (
        <Loading />
      )}
    </PublicPage>
  );
}
