/** The frame of every page of a signed-in user: the menu, the search and the user menu. */
import './shell.css';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSunMoon } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { call } from '../api/client.ts';
import { readAhead, useReading } from '../api/queries.ts';
import { SessionContext, useMay, useSession } from '../api/session.ts';
import { toggleColorScheme } from '../look/color-scheme.ts';
import { FirstPage } from '../pages/home/first-page.tsx';
import { Button, IconButton, Notice } from '../parts/elements/elements.tsx';
import { StateBadge } from '../parts/elements/state-badge.tsx';
import { linkTo, openPage, routeBy, usePlace } from '../parts/links/address.ts';
import { type PagePath, settingsPath } from '../parts/links/paths.ts';
import { Loading } from '../parts/loading/loading.tsx';
import { Refused, Shown } from '../parts/loading/shown.tsx';
import { pathOfSignIn } from '../sign-in/sign-in-path.ts';
import { firstPageShown, loadPagesAhead } from '../start/after-first-page.ts';
import { loadedPages, loadPages } from '../start/load-pages.ts';
import { loadWithStyles } from '../start/load-with-styles.ts';
import { InEnglish } from '../words/in-english.tsx';
import { useWords } from '../words/words.ts';
import { leave } from './leave.ts';
import { MENU } from './navigation.ts';
import { PersonMenu } from './person-menu.tsx';
import { SearchBox } from './search-box.tsx';

const loadEndedSession = () =>
  loadWithStyles(async () => ({ default: (await import('./ended-session.tsx')).EndedSession }));
const EndedSession = lazy(loadEndedSession);
const KeyHelp = lazy(() => loadWithStyles(() => import('./key-help.tsx')));

routeBy(async () => (await loadPages()).router);

/**
 * The session may end at any time, and another tab may start a session of another user or team. Reloading the page then
 * discards everything that the browser has read.
 */
export function SignedInShell() {
  const session = useReading('session.show');
  const own = session.data;
  const hasEnded = session.error?.status === 401;
  const wasNeverThere = hasEnded && own === undefined;
  const isRecovering = own?.way === 'recovery';
  const whose = own && [own.person.personId, own.merchantId, own.isViewing].join(' ');
  const first = useRef(whose);
  useEffect(() => {
    first.current ??= whose;
    if (whose !== first.current) window.location.assign('/');
  }, [whose]);
  useEffect(() => {
    if (wasNeverThere) window.location.replace(pathOfSignIn());
  }, [wasNeverThere]);
  useEffect(() => {
    if (isRecovering) openPage('/account', { replace: true });
  }, [isRecovering]);
  if (wasNeverThere) return null;
  const shell = (
    <>
      <Shell />
      {hasEnded ? (
        <Suspense>
          <EndedSession />
        </Suspense>
      ) : null}
    </>
  );
  return (
    <Shown of={session} isPage>
      {(current) => (
        <SessionContext value={current}>
          {current.merchantId === null ? <InEnglish>{shell}</InEnglish> : shell}
        </SessionContext>
      )}
    </Shown>
  );
}

function Shell() {
  const words = useWords();
  const [isOpen, menu] = useDisclosure(false);
  const [isHelpOpen, help] = useDisclosure(false);
  // Keyboard layouts differ in whether the character needs Shift.
  useHotkeys([
    ['?', help.open],
    ['shift+?', help.open],
  ]);
  return (
    <div className="frame">
      <a className="skip" href="#content">
        {words.skip}
      </a>
      <header>
        <Header isOpen={isOpen} toggle={menu.toggle} />
      </header>
      <nav aria-label={words.menu} data-open={isOpen}>
        <Navigation close={menu.close} />
      </nav>
      <main id="content" tabIndex={-1}>
        <FocusOnArrival />
        <Viewing />
        <Pages />
      </main>
      {isHelpOpen ? (
        <Suspense>
          <KeyHelp close={help.close} />
        </Suspense>
      ) : null}
    </div>
  );
}

/** The first page, and the pages that load after it. */
function Pages() {
  const { failed } = useWords();
  const isFirst = usePlace().first !== null;
  const [pages, setPages] = useState(loadedPages);
  const [hasFailed, setFailed] = useState(false);
  const paths = useRef(useMenu().map(({ to }) => to));
  useEffect(() => {
    const show = async () => {
      if (isFirst) await firstPageShown();
      setPages(await loadPages());
    };
    show().catch(() => setFailed(true));
  }, [isFirst]);
  useEffect(() => {
    // Load ahead the dialog for an expired session, which must already be in the browser then.
    const loadAhead = async () => pages && loadPagesAhead(pages.router, paths.current).then(loadEndedSession);
    void loadAhead().catch(() => {});
  }, [pages]);
  return (
    <>
      {isFirst ? <FirstPage /> : null}
      {pages ? <pages.Pages router={pages.router} /> : null}
      {isFirst || pages ? null : hasFailed ? <Refused text={failed} isPage /> : <Loading />}
    </>
  );
}

function Header({ isOpen, toggle }: { isOpen: boolean; toggle: () => void }) {
  const words = useWords();
  return (
    <div className="row apart head">
      <div className="row">
        <button
          type="button"
          className="burger"
          data-open={isOpen}
          onClick={toggle}
          aria-label={words.menu}
          aria-expanded={isOpen}
        >
          <i />
        </button>
        <Whose />
      </div>
      <SearchBox />
      <div className="row">
        <IconButton onClick={toggleColorScheme} aria-label={words.theme}>
          <IconSunMoon size={18} />
        </IconButton>
        <PersonMenu />
      </div>
    </div>
  );
}

/** The merchant's name, and whether it is still in test mode. */
function Whose() {
  const words = useWords();
  const { merchantId } = useSession();
  const isReadable = useMay()('merchants:read') && merchantId !== null;
  const merchant = useReading('merchants.show', { params: { merchantId: merchantId ?? '' } }, isReadable).data;
  return (
    <>
      <p className="whose" title={merchantId ?? undefined}>
        {merchantId === null ? words.operator : merchant?.name || merchantId}
      </p>
      {merchant && merchant.state !== 'active' ? <StateBadge state={merchant.state} /> : null}
    </>
  );
}

function useMenu() {
  const may = useMay();
  const whose = useSession().merchantId === null ? 'operator' : 'merchant';
  return MENU.filter(
    ({ permission, only }) => (permission === null || may(permission)) && (only === undefined || only === whose),
  );
}

/** Browsers use the old spelling of this time zone. */
const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone.replace('Europe/Kiev', 'Europe/Kyiv');

function Navigation({ close }: { close: () => void }) {
  const { navigation } = useWords();
  const { pathname } = usePlace();
  return (
    <div className="navigation">
      {useMenu().map(({ to, search, label, list, icon: Icon }) => {
        const isCurrent = pathname === to || (to !== '/' && pathname.startsWith(`${to}/`));
        const path = (search ? `${to}?${new URLSearchParams(search)}` : to) as PagePath;
        const onNear = () => (list ? readAhead(list) : undefined);
        return (
          <a
            key={to}
            href={path}
            aria-current={isCurrent ? 'page' : undefined}
            {...linkTo(path, { onNear, onOpen: close })}
          >
            <Icon size={18} stroke={1.6} />
            {navigation[label]}
          </a>
        );
      })}
      <small className="muted">
        {navigation.timeZone}: {ZONE}
      </small>
    </div>
  );
}

/** Shown while an operator user views a merchant's pages. */
function Viewing() {
  const { viewing } = useWords();
  const { isViewing, merchantId } = useSession();
  if (!isViewing || merchantId === null) return null;
  const back = () => leave(() => call('session.switch', { body: { merchantId: null } }), settingsPath(merchantId));
  return (
    <Notice color="orange" role="status">
      <div className="row apart">
        <p className="small">{viewing.banner(merchantId)}</p>
        <Button size="xs" onClick={() => void back()}>
          {viewing.leave}
        </Button>
      </div>
    </Notice>
  );
}

/** After navigation, the keyboard and the screen reader continue at the page's content. */
function FocusOnArrival() {
  const path = usePlace().pathname;
  const first = useRef(path);
  useEffect(() => {
    if (first.current !== path) document.getElementById('content')?.focus({ preventScroll: true });
    first.current = path;
  }, [path]);
  return null;
}
