/**
 * The way in. A visitor sees a page before a session at once, and the other pages are loaded while they type. A signed-in
 * person goes straight to the page of the address.
 */
import { type ComponentType, useEffect, useState } from 'react';
import type { PageRoot } from '../../../gateway/contract/portal-page.ts';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { type OwnSession, pathOfSignIn } from '../api/session.ts';
import { Loading } from '../parts/loading/loading.tsx';
import { useDoorWords } from '../words/words.ts';
import { useRead } from './door-act.ts';
import { Again, type DoorProps, Doorway } from './doorway.tsx';
import { JoinPage } from './join-page.tsx';
import { OpenIdPage } from './openid-page.tsx';
import { SignInPage } from './sign-in-page.tsx';

type Door = ComponentType<DoorProps>;

const DOORS: Readonly<Record<string, Door>> = {
  '/sign-in': SignInPage,
  '/sign-in/openid': OpenIdPage,
  '/join': JoinPage,
} satisfies Partial<Record<`/${PageRoot}` | `/${PageRoot}/${string}`, Door>>;

type Place =
  | { readonly at: 'gate' }
  | { readonly at: 'door'; readonly door: Door }
  /** `session` undefined: it was not read yet. */
  | { readonly at: 'pages'; readonly session?: OwnSession };

const importPages = () => import('../app.tsx');

export function Entrance() {
  const { failed } = useDoorWords();
  const [place, enter] = usePlace();
  const pages = useRead(importPages);
  const loaded = pages && 'data' in pages ? pages.data : undefined;
  useEffect(() => {
    if (place.at === 'door') void loaded?.preload().catch(() => {});
  }, [place.at, loaded]);
  if (place.at === 'door') return <place.door enter={enter} />;
  if (pages && 'error' in pages)
    return (
      <Doorway title={failed}>
        <Again />
      </Doorway>
    );
  return loaded && place.at === 'pages' ? <loaded.App {...place} /> : <Loading />;
}

function usePlace(): readonly [Place, (path: string) => void] {
  const [place, setPlace] = useState<Place>(() => {
    const door = DOORS[window.location.pathname];
    return door ? { at: 'door', door } : { at: 'gate' };
  });
  useEffect(() => {
    if (place.at !== 'gate') return;
    call('session.show').then(
      (session) => setPlace({ at: 'pages', session }),
      (error: unknown) => {
        // The pages show any other failure themselves.
        if (!(error instanceof ApiError) || error.status !== 401) return setPlace({ at: 'pages' });
        window.history.replaceState(null, '', pathOfSignIn());
        setPlace({ at: 'door', door: SignInPage });
      },
    );
  }, [place.at]);
  const enter = (path: string) => {
    window.history.replaceState(null, '', path);
    setPlace({ at: 'pages' });
  };
  return [place, enter];
}
