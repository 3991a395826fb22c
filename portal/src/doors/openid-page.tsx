/** Where the provider of the operator’s organisation sends the browser back. */
import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ApiError } from '../../api/api-error.ts';
import { type Answer, call } from '../../api/client.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { Loading } from '../../parts/states.tsx';
import { Doorway } from '../../shell/doorway.tsx';
import { useWords } from '../../words/words.ts';

export default function OpenIdPage() {
  const { enter, signIn } = useWords();
  const entered = useQuery<Answer<'signIn.openidReturn'>, ApiError>({
    queryKey: ['signIn.openidReturn'],
    queryFn: async () => {
      const answer = await call('signIn.openidReturn', { body: { query: window.location.search.slice(1) } });
      window.location.replace('/');
      return answer;
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Doorway title={enter.returned}>
      {entered.error ? (
        <>
          <Alert color="red" variant="light" role="alert">
            {entered.error.message}
          </Alert>
          <PageLink to="/sign-in">{signIn.title}</PageLink>
        </>
      ) : (
        <Loading />
      )}
    </Doorway>
  );
}
