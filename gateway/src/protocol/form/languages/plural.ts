/** Texts that depend on a number, in their language's plural forms. `#` is replaced by the number. */

/**
 * Returns a function that formats a count. `forms` has one text per plural category of the language, as Intl.PluralRules
 * defines them. A test checks that the forms are complete.
 */
export function plural<Category extends Intl.LDMLPluralRule>(
  language: string,
  forms: Readonly<Record<Category | 'other', string>>,
): PluralText {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const texts: Readonly<Partial<Record<string, string>>> = forms;
  const text = (count: number) => (texts[rules.select(count)] ?? forms.other).replace('#', numbers.format(count));
  return Object.assign(text, { forms: texts });
}

export interface PluralText {
  (count: number): string;
  /** The texts by plural category, for the script that counts on the page. */
  readonly forms: Readonly<Partial<Record<string, string>>>;
}
