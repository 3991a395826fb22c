/** The pages before sign-in. A visitor sees one immediately, and the other pages load while they type. */
import { type ComponentType, useEffect, useState } from 'react';
import { usePromise } from '../api/use-promise.ts';
import { loadHome, loadInbox } from '../pages/home/load-first-page.ts';
import { Loading } from '../parts/loading/loading.tsx';
import { EN_SIGN_IN } from '../words/en/sign-in.ts';
import { loadSignInWords } from '../words/sign-in-translation.ts';
import { SignInSpeech, useSignInWords } from '../words/words.ts';
import { ChosenLanguage } from '../words/words-provider.tsx';
import { JoinPage } from './join-page.tsx';
import { OpenIdPage } from './openid-page.tsx';
import { Again, PublicPage, type PublicPageProps } from './public-page.tsx';
import { SignInPage } from './sign-in-page.tsx';
import { isPublicPath, type PublicPath } from './sign-in-path.ts';

const PAGES: Readonly<Record<PublicPath, ComponentType<PublicPageProps>>> = {
  '/sign-in': SignInPage,
  '/sign-in/openid': OpenIdPage,
  '/join': JoinPage,
};

/** Waits until the sign-in page is visible, so that it does not share a slow network. */
async function importApp() {
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return import('../app.tsx');
}

async function loadTheOthers(): Promise<void> {
  await Promise.all([loadHome(), loadInbox()]);
  const { importPages } = await import('../start/load-pages.ts');
  await importPages();
}

export function App() {
  return (
    <ChosenLanguage english={EN_SIGN_IN} load={loadSignInWords} Speech={SignInSpeech}>
      <PublicPages />
    </ChosenLanguage>
  );
}

function PublicPages() {
  const { failed } = useSignInWords();
  const [Page] = useState(() => {
    const path = window.location.pathname;
    return isPublicPath(path) ? PAGES[path] : SignInPage;
  });
  const [hasEntered, setEntered] = useState(false);
  const pages = usePromise(importApp);
  useEffect(() => {
    if (pages) void loadTheOthers().catch(() => {});
  }, [pages]);
  const enter = (path: string) => {
    window.history.replaceState(null, '', path);
    setEntered(true);
  };
  if (!hasEntered) return <Page enter={enter} />;
  if (!pages) return <Loading />;
  if ('data' in pages) return <pages.data.App />;
  return (
    <PublicPage title={failed}>
      <Again />
    </PublicPage>
  );
}
