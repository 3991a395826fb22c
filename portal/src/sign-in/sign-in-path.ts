/** The URLs of the pages before sign-in, and the redirect to the page that the user wanted. */

const PUBLIC_PATHS = ['/sign-in', '/sign-in/openid', '/join'] as const;
export type PublicPath = (typeof PUBLIC_PATHS)[number];

export const isPublicPath = (path: string): path is PublicPath => PUBLIC_PATHS.some((each) => each === path);

/** Returns the URL after sign-in. Only a path of these pages is accepted. Browsers drop tabs and line ends. */
export function pathAfterSignIn(back: string | undefined): string {
  return back && /^\/(?![/\\])[^\t\n\r]*$/.test(back) && !back.startsWith('/sign-in') ? back : '/';
}

/** Returns the sign-in URL that leads back to the current page. */
export function pathOfSignIn(): string {
  const { pathname, search } = window.location;
  return `/sign-in?back=${encodeURIComponent(pathname + search)}`;
}
