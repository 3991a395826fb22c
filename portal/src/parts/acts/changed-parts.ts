/** The differences between two objects, part by part, for users who decide about the change. */

export interface ChangedPart {
  /** The path of the part, such as `items.0.act`. */
  readonly path: string;
  /** Null if the object lacks the part. */
  readonly before: string | null;
  readonly after: string | null;
}

export function changedParts(before: unknown, after: unknown): readonly ChangedPart[] {
  const [old, new_] = [leavesOf(before), leavesOf(after)];
  return [...new Set([...old.keys(), ...new_.keys()])]
    .map((path) => ({ path, before: old.get(path) ?? null, after: new_.get(path) ?? null }))
    .filter((part) => part.before !== part.after);
}

function leavesOf(value: unknown, path = ''): Map<string, string> {
  if (value === null || value === undefined) return new Map();
  if (typeof value !== 'object') return new Map([[path, String(value)]]);
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  return new Map(Object.entries(value).flatMap(([name, part]) => [...leavesOf(part, at(name))]));
}
