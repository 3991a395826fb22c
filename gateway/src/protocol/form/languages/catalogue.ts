/** The shape of a language's texts: that of the English ones, text for text. */
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
