/** The frame of every page of a signed-in person: the menu, the search, the person. */
import { toRoute, useOpenPage } from '../parts/links/address.ts';
import './shell.css';
import { ActionIcon, Alert, Burger, Button, Group, Text, useMantineColorScheme } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSunMoon } from '@tabler/icons-react';
import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { loadPagesAhead } from '../after-first-page.ts';
import { call } from '../api/client.ts';
import { useLivePages } from '../api/live.ts';
import { readAhead, useReading } from '../api/queries.ts';
import { SessionContext, useMay, useSession } from '../api/session.ts';
import { loadWithStyles } from '../load-with-styles.ts';
import { Toasts } from '../parts/acts/toasts.tsx';
import { settingsPath } from '../parts/links/paths.ts';
import { Exports } from '../parts/lists/exports.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Shown } from '../parts/states.tsx';
import { pathOfSignIn } from '../sign-in/sign-in-path.ts';
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

/**
 * The session may end at any time, and another tab may begin one of another person or team. A new load of the page forgets
 * everything that the browser has read.
 */
export function SignedInShell() {
  const session = useReading('session.show');
  const openPage = useOpenPage();
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
  }, [isRecovering, openPage]);
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
  const may = useMay();
  const [isOpen, menu] = useDisclosure(false);
  const [isHelpOpen, help] = useDisclosure(false);
  // Layouts differ in whether the sign needs Shift.
  useHotkeys([
    ['?', help.open],
    ['shift+?', help.open],
  ]);
  useLivePages(may('events:read'));
  const router = useRouter();
  const [paths] = useState(useMenu().map(({ to }) => to));
  useEffect(() => {
    // The end of a session must find its dialog in the browser.
    const load = () => loadPagesAhead(router, paths).then(loadEndedSession);
    void load().catch(() => {});
  }, [router, paths]);
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
        <Outlet />
      </main>
      <div className="corner">
        <Toasts />
        <Exports />
      </div>
      {isHelpOpen ? (
        <Suspense>
          <KeyHelp close={help.close} />
        </Suspense>
      ) : null}
    </div>
  );
}

function Header({ isOpen, toggle }: { isOpen: boolean; toggle: () => void }) {
  const words = useWords();
  const { toggleColorScheme } = useMantineColorScheme();
  return (
    <Group h="100%" px="md" justify="space-between" gap="xs">
      <Group gap="xs" wrap="nowrap">
        <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={words.menu} />
        <Whose />
      </Group>
      <SearchBox />
      <Group gap="xs" wrap="nowrap">
        <ActionIcon variant="subtle" onClick={toggleColorScheme} aria-label={words.theme}>
          <IconSunMoon size={18} />
        </ActionIcon>
        <PersonMenu />
      </Group>
    </Group>
  );
}

/** The merchant by its name, and whether it is still in test. */
function Whose() {
  const words = useWords();
  const { merchantId } = useSession();
  const isReadable = useMay()('merchants:read') && merchantId !== null;
  const merchant = useReading('merchants.show', { params: { merchantId: merchantId ?? '' } }, isReadable).data;
  return (
    <>
      <Text fw={600} truncate maw={220} title={merchantId ?? undefined}>
        {merchantId === null ? words.operator : merchant?.name || merchantId}
      </Text>
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

const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

function Navigation({ close }: { close: () => void }) {
  const { navigation } = useWords();
  return (
    <div className="navigation">
      {useMenu().map(({ to, search = {}, label, list, icon: Icon }) => (
        <Link
          key={to}
          to={toRoute(to)}
          search={search as never}
          activeOptions={{ exact: to === '/', includeSearch: false }}
          onClick={close}
          {...(list ? { onPointerEnter: () => readAhead(list), onFocus: () => readAhead(list) } : {})}
        >
          <Icon size={18} stroke={1.6} />
          {navigation[label]}
        </Link>
      ))}
      <small className="muted">
        {navigation.timeZone}: {ZONE}
      </small>
    </div>
  );
}

/** A person of the operator sees the pages of a merchant. */
function Viewing() {
  const { viewing } = useWords();
  const { isViewing, merchantId } = useSession();
  if (!isViewing || merchantId === null) return null;
  const back = () => leave(() => call('session.switch', { body: { merchantId: null } }), settingsPath(merchantId));
  return (
    <Alert color="orange" variant="light" mb="md" role="status">
      <Group justify="space-between">
        <Text size="sm">{viewing.banner(merchantId)}</Text>
        <Button size="xs" variant="default" onClick={() => void back()}>
          {viewing.leave}
        </Button>
      </Group>
    </Alert>
  );
}

/** After a change of page, the keyboard and the screen reader begin at its content. */
function FocusOnArrival() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const first = useRef(path);
  useEffect(() => {
    if (first.current !== path) document.getElementById('content')?.focus({ preventScroll: true });
    first.current = path;
  }, [path]);
  return null;
}
