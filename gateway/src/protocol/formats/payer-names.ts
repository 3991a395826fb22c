/**
 * The format of payers' names (decision 9). It accepts all Latin letters, so that José and Muñoz can pay, with spaces,
 * hyphens and apostrophes between them. It must not change a name; a rail transliterates if needed.
 */

/** The maximum length is in code points. */
interface NameRule {
  readonly maxLength: number;
  /** If true, only the letters A to Z in either case are allowed (the setting `strict_names`). */
  readonly strict: boolean;
}

/** A letter may be a base letter with combining marks. */
const LETTERS = String.raw`[\p{Script=Latin}&&\p{L}][[\p{Script=Latin}&&\p{L}]\u0300-\u036f]*`;
const LATIN_NAME = new RegExp(`^${LETTERS}(?:[ '’\\-]+${LETTERS})*$`, 'v');
const STRICT_NAME = /^[A-Za-z]+$/;

export function isPayerName(text: string, { maxLength, strict }: NameRule): boolean {
  // A code point has at most two code units, so the characters of a far too long text need not be counted.
  if (text.length > maxLength * 2 || [...text].length > maxLength) return false;
  return strict ? STRICT_NAME.test(text) : LATIN_NAME.test(text);
}
