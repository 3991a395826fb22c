/** The type of a language's texts. Each language must have the same texts as English. */
import type { english } from './english.ts';
import type { PluralText } from './plural.ts';

type TextsLike<Texts> = {
  readonly [Key in keyof Texts]: Texts[Key] extends string
    ? string
    : Texts[Key] extends PluralText
      ? PluralText
      : Texts[Key] extends (...values: infer Values) => string
        ? (...values: Values) => string
        : TextsLike<Texts[Key]>;
};

export type Catalogue = TextsLike<typeof english>;
