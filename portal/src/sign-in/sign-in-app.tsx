/**
 * The entry of the pages. A visitor sees a page before a session at once, and the other pages are loaded while they type. A signed-in
 * person goes straight to the page of the address.
 */
import { type ComponentType, useEffect, useState } from 'react';
import type { PageRoot } from '../../../gateway/contract/portal-page.ts';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { type OwnSession, pathOfSignIn } from '../api/session.ts';
import { useRead } from '../api/use-read.ts';
import { Loading } from '../parts/loading/loading.tsx';
import { useSignInWords } from '../words/words.ts';
import { JoinPage } from './join-page.tsx';
import { OpenIdPage } from './openid-page.tsx';
import { Again, PublicPage, type PublicPageProps } from './public-page.tsx';
import { SignInPage } from './sign-in-page.tsx';

type Page = ComponentType<PublicPageProps>;

const PAGES: Readonly<Record<string, Page>> = {
  '/sign-in': SignInPage,
  '/sign-in/openid': OpenIdPage,
  '/join': JoinPage,
} satisfies Partial<Record<`/${PageRoot}` | `/${PageRoot}/${string}`, Page>>;

type Place =
  | { readonly at: 'unknown' }
  | { readonly at: 'public'; readonly Page: Page }
  /** `session` undefined: it was not read yet. */
  | { readonly at: 'pages'; readonly session?: OwnSession };

const importPages = () => import('../app.tsx');

export function SignInApp() {
  const { failed } = useSignInWords();
  const [place, enter] = usePlace();
  const pages = useRead(importPages);
  const loaded = pages && 'data' in pages ? pages.data : undefined;
  useEffect(() => {
    if (place.at === 'public') void loaded?.preload().catch(() => {});
  }, [place.at, loaded]);
  if (place.at === 'public') return <place.Page enter={enter} />;
  if (pages && 'error' in pages)
    return (
      <PublicPage title={failed}>
        <Again />
      </PublicPage>
    );
  return loaded && place.at === 'pages' ? <loaded.App {...place} /> : <Loading />;
}

function usePlace(): readonly [Place, (path: string) => void] {
  const [place, setPlace] = useState<Place>(() => {
    const Page = PAGES[window.location.pathname];
    return Page ? { at: 'public', Page } : { at: 'unknown' };
  });
  useEffect(() => {
    if (place.at !== 'unknown') return;
    call('session.show').then(
      (session) => setPlace({ at: 'pages', session }),
      (error: unknown) => {
        // The pages show any other failure themselves.
        if (!(error instanceof ApiError) || error.status !== 401) return setPlace({ at: 'pages' });
        window.history.replaceState(null, '', pathOfSignIn());
        setPlace({ at: 'public', Page: SignInPage });
      },
    );
  }, [place.at]);
  const enter = (path: string) => {
    window.history.replaceState(null, '', path);
    setPlace({ at: 'pages' });
  };
  return [place, enter];
}
