/** The addresses of the pages before a session, and the way from them to the page that the user wanted. */

const PUBLIC_PATHS = ['/sign-in', '/sign-in/openid', '/join'] as const;
export type PublicPath = (typeof PUBLIC_PATHS)[number];

export const isPublicPath = (path: string): path is PublicPath => PUBLIC_PATHS.some((each) => each === path);

/**
 * Returns the address after the sign-in. Only a path of these pages counts: a link cannot lead elsewhere. Browsers drop tabs
 * and line ends.
 */
export function pathAfterSignIn(back: string | undefined): string {
  return back && /^\/(?![/\\])[^\t\n\r]*$/.test(back) && !back.startsWith('/sign-in') ? back : '/';
}

/** Returns the sign-in that leads back to the page of the browser. */
export function pathOfSignIn(): string {
  const { pathname, search } = window.location;
  return `/sign-in?back=${encodeURIComponent(pathname + search)}`;
}
