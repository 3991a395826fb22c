/** The frame of every page of a signed-in person: the menu, the search, the person. */
import {
  ActionIcon,
  Alert,
  AppShell,
  Burger,
  Button,
  Group,
  Menu,
  Text,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSunMoon } from '@tabler/icons-react';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { call } from '../api/client.ts';
import { useLivePages } from '../api/live.ts';
import { useReading } from '../api/queries.ts';
import { pathOfSignIn, SessionContext, useMay, useSession } from '../api/session.ts';
import { Exports } from '../parts/lists/exports.tsx';
import { settingsPath } from '../parts/paths.ts';
import { StateBadge } from '../parts/state-badge.tsx';
import { Shown } from '../parts/states.tsx';
import { InEnglish } from '../words/in-english.tsx';
import { LANGUAGES, type Language } from '../words/languages.ts';
import { useSpeech, useWords } from '../words/words.ts';
import { EndedSession } from './ended-session.tsx';
import { KeyHelp } from './key-help.tsx';
import { MENU } from './navigation.ts';
import { SearchBox } from './search-box.tsx';

/**
 * The session may end at any time, and another tab may begin one of another person or team. A new load of the page forgets
 * everything that the browser has read.
 */
export function SignedInShell() {
  const session = useReading('session.show');
  const navigate = useNavigate();
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
    if (isRecovering) void navigate({ to: '/account' as never, replace: true });
  }, [isRecovering, navigate]);
  if (wasNeverThere) return null;
  const shell = (
    <>
      <Shell />
      {hasEnded ? <EndedSession /> : null}
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
  useHotkeys([['shift+/', help.open]]);
  useLivePages(may('events:read'));
  return (
    <AppShell
      header={{ height: { base: 104, sm: 56 } }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a className="skip" href="#content">
        {words.skip}
      </a>
      <AppShell.Header>
        <Header isOpen={isOpen} toggle={menu.toggle} />
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={words.menu}>
        <Navigation close={menu.close} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <FocusOnArrival />
        <Viewing />
        <Outlet />
      </AppShell.Main>
      <Exports />
      <KeyHelp isOpen={isHelpOpen} close={help.close} />
    </AppShell>
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
      <div className="search">
        <SearchBox />
      </div>
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

function Navigation({ close }: { close: () => void }) {
  const { navigation } = useWords();
  const may = useMay();
  const whose = useSession().merchantId === null ? 'operator' : 'merchant';
  const entries = MENU.filter(
    ({ permission, only }) => (permission === null || may(permission)) && (only === undefined || only === whose),
  );
  return (
    <div className="navigation">
      {entries.map(({ to, search = {}, label, icon: Icon }) => (
        <Link
          key={to}
          to={to as never}
          search={search as never}
          activeOptions={{ exact: to === '/', includeSearch: false }}
          onClick={close}
        >
          <Icon size={18} stroke={1.6} />
          {navigation[label]}
        </Link>
      ))}
    </div>
  );
}

function PersonMenu() {
  const {
    words: { navigation, operator, roleNames, language: title },
    language,
    choose,
  } = useSpeech();
  const { person, memberships, merchantId, isViewing } = useSession();
  const navigate = useNavigate();
  const others = isViewing ? [] : memberships.filter((each) => each.merchantId !== merchantId);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <UnstyledButton>
          <Text size="sm">{person.name}</Text>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{person.email}</Menu.Label>
        <Menu.Item onClick={() => void navigate({ to: '/account' as never })}>{navigation.account}</Menu.Item>
        {others.map(({ merchantId: other, role }) => (
          <Menu.Item
            key={other ?? ''}
            onClick={() => void leave(() => call('session.switch', { body: { merchantId: other } }), '/')}
          >
            {navigation.actFor} {other ?? operator} ({roleNames[role] ?? role})
          </Menu.Item>
        ))}
        {merchantId === null ? null : (
          <>
            <Menu.Label>{title}</Menu.Label>
            {Object.entries(LANGUAGES).map(([tag, name]) => (
              <Menu.Item
                key={tag}
                lang={tag}
                {...(tag === language ? { 'aria-current': true } : {})}
                onClick={() => choose(tag as Language)}
              >
                {name}
              </Menu.Item>
            ))}
            <Menu.Divider />
          </>
        )}
        <Menu.Item onClick={() => void leave(() => call('session.end'), '/sign-in')}>{navigation.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** A new load of the page forgets everything that the browser has read for the last team. */
async function leave(act: () => Promise<unknown>, to: string): Promise<void> {
  await act();
  window.location.assign(to);
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
