/** Saved views of lists, by path of the list. They are stored in the browser, because they are one user’s habit at one desk. */

export interface View {
  readonly name: string;
  readonly search: Readonly<Record<string, string>>;
}

type Kept = Pick<Storage, 'getItem' | 'setItem'>;

const MOST = 12;
const keyOf = (path: string) => `views ${path}`;

/** An unreadable entry counts as none. */
export function readViews(kept: Kept, path: string): readonly View[] {
  try {
    const views: unknown = JSON.parse(kept.getItem(keyOf(path)) ?? '[]');
    return Array.isArray(views) ? views.filter(isView) : [];
  } catch {
    return [];
  }
}

export function writeViews(kept: Kept, path: string, views: readonly View[]): void {
  kept.setItem(keyOf(path), JSON.stringify(views));
}

/** Replaces a view of the same name. Beyond the limit, the oldest view is removed. */
export function withView(views: readonly View[], view: View): readonly View[] {
  return [...withoutView(views, view.name), view].slice(-MOST);
}

export function withoutView(views: readonly View[], name: string): readonly View[] {
  return views.filter((view) => view.name !== name);
}

function isView(value: unknown): value is View {
  if (typeof value !== 'object' || value === null) return false;
  const { name, search } = value as Partial<View>;
  return typeof name === 'string' && typeof search === 'object' && search !== null;
}
