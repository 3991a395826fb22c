/** The shape of a translation: any part of the texts, in the same places. */
type Text = string | ((...values: never[]) => string);

/** A text that is not translated stays English. */
export type Translated<Node> = {
  readonly [Name in keyof Node]?: Node[Name] extends Text ? Node[Name] : Translated<Node[Name]>;
};
