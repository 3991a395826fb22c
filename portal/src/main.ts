/** The entry of the pages. It reads the session while React loads, and then loads only that user's pages. */
import 'virtual:theme.css';
import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/global.css';
import './look/base.css';
import './sign-in/sign-in.css';
import { SESSION_ELEMENT } from '../../gateway/contract/portal-page.ts';
import { ApiError } from './api/api-error.ts';
import { call, readEarly } from './api/client.ts';
import type { OwnSession } from './api/session.ts';
import { now } from './browser.ts';
import { followColorScheme } from './look/color-scheme.ts';
import { readHomeEarly } from './pages/home/home-reads.ts';
import { loadFirstPage } from './pages/home/load-first-page.ts';
import { readInboxEarly } from './pages/inbox/inbox-reads.ts';
import { followHeading } from './shell/tab-title.ts';
import { isPublicPath, pathOfSignIn } from './sign-in/sign-in-path.ts';
import { loadFont } from './start/after-first-page.ts';
import { DICTIONARIES } from './words/dictionaries.ts';
import { FAILURE } from './words/failure.ts';
import { preferredLanguage } from './words/languages.ts';

/** Two separate imports: for a conditional import, the bundler would load the files of both. */
const APPS = {
  ofVisitor: () => import('./sign-in/sign-in-app.tsx'),
  ofPerson: () => import('./app.tsx'),
};

async function showPages(root: HTMLElement): Promise<void> {
  const drawing = import('./start/draw.tsx');
  const session = isPublicPath(window.location.pathname) ? null : await readSession();
  const [{ draw }, { App }] = await Promise.all([
    drawing,
    APPS[session === null ? 'ofVisitor' : 'ofPerson'](),
    session ? loadParts(session) : undefined,
  ]);
  draw(root, App, session ?? undefined);
}

/** Resolves to null if the visitor is not signed in, and to undefined if there was no response. The pages then show why. */
async function readSession(): Promise<OwnSession | null | undefined> {
  const known = sessionInPage();
  const session = known === undefined ? await askForSession() : known;
  if (session === null) window.history.replaceState(null, '', pathOfSignIn());
  return session;
}

/** Returns the session that the gateway wrote into the page. Undefined if it was not checked, as after another site's link. */
function sessionInPage(): OwnSession | null | undefined {
  const text = document.getElementById(SESSION_ELEMENT)?.textContent ?? '';
  return text === '' ? undefined : (JSON.parse(text) as OwnSession | null);
}

async function askForSession(): Promise<OwnSession | null | undefined> {
  try {
    return await call('session.show');
  } catch (error) {
    return error instanceof ApiError && error.status === 401 ? null : undefined;
  }
}

/** Loads the parts in parallel that the pages would load one after another. */
function loadParts(session: OwnSession): Promise<unknown> {
  const language = session.merchantId === null ? 'en' : preferredLanguage();
  const isFirst = window.location.pathname === '/';
  if (isFirst && session.merchantId === null) readInboxEarly(session, readEarly);
  if (isFirst) readHomeEarly(session, now().getTime(), readEarly);
  return Promise.all([DICTIONARIES[language](), isFirst ? loadFirstPage(session) : import('./router.tsx')]);
}

/** Shows the error with plain elements, because no part of the pages was loaded. */
function showFailure(root: HTMLElement): void {
  const { failed, again } = FAILURE[preferredLanguage()];
  const button = document.createElement('button');
  button.className = 'public-button';
  button.textContent = again;
  button.addEventListener('click', () => window.location.reload());
  const box = document.createElement('div');
  box.append(Object.assign(document.createElement('h1'), { textContent: failed }), button);
  const page = Object.assign(document.createElement('main'), { className: 'public-page' });
  page.append(box);
  root.replaceChildren(page);
}

followColorScheme();
void loadFont().catch(() => {});
const root = document.getElementById('root');
if (root) {
  followHeading(root);
  showPages(root).catch(() => showFailure(root));
}
