/** Loads the pages behind the first page, with the router and the component library, which the first page does without. */
import { loadWithStyles } from './load-with-styles.ts';

export const importPages = () => loadWithStyles(() => import('../router.tsx'));

interface LoadedPages {
  readonly router: ReturnType<typeof import('../router.tsx').createPages>;
  readonly Pages: typeof import('../router.tsx').Pages;
}

let loading: Promise<LoadedPages> | undefined;
let loaded: LoadedPages | undefined;

async function startPages(): Promise<LoadedPages> {
  const { createPages, Pages } = await importPages();
  loaded = { router: createPages(), Pages };
  return loaded;
}

/** Undefined: they are not loaded yet. */
export const loadedPages = (): LoadedPages | undefined => loaded;

/** Loads them once. After a failure, a link loads its page entirely. */
export function loadPages(): Promise<LoadedPages> {
  loading ??= startPages();
  return loading;
}
