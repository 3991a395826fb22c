/** Loads the pages behind the first page, with the router and the component library, which the first page does not need. */
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

/** Undefined until they have loaded. */
export const loadedPages = (): LoadedPages | undefined => loaded;

/** Loads them once. After a failure, a link causes a full page load. */
export function loadPages(): Promise<LoadedPages> {
  loading ??= startPages();
  return loading;
}
