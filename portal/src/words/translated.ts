/** The type of a translation: any subset of the strings, in the same structure. */
type Text = string | ((...values: never[]) => string);

/** An untranslated string stays English. */
export type Translated<Node> = {
  readonly [Name in keyof Node]?: Node[Name] extends Text ? Node[Name] : Translated<Node[Name]>;
};

export function laidOver<Node extends object>(base: Node, over: Translated<Node>): Node {
  const entries = Object.entries(base).map(([name, text]) => {
    const other = (over as Readonly<Record<string, unknown>>)[name];
    if (other === undefined) return [name, text];
    return [name, typeof text === 'object' ? laidOver(text as object, other as object) : other];
  });
  // The English strings of some lists, such as roles, are in the contract.
  return { ...over, ...Object.fromEntries(entries) } as Node;
}
