/**
 * Names of payers (decisions, Requests: "only Latin letters and digits"): letters of the Latin script, so that José and
 * Muñoz can pay, with a space, hyphen or apostrophe between them. A name is taken as it is; transliterating is the
 * rail's business.
 */

/** In code points, after which a name is refused. */
export interface NameRule {
  readonly maxLength: number;
  /** The letters A to Z alone, in either case (the setting `strict_names`). */
  readonly strict: boolean;
}

/** A letter may be written as its base and a combining mark. */
const LETTERS = String.raw`[\p{Script=Latin}&&\p{L}][[\p{Script=Latin}&&\p{L}]\u0300-\u036f]*`;
const LATIN_NAME = new RegExp(`^${LETTERS}(?:[ '’\\-]+${LETTERS})*$`, 'v');
const STRICT_NAME = /^[A-Za-z]+$/;

export function isPayerName(text: string, { maxLength, strict }: NameRule): boolean {
  // A code point is at most two units, so a text that is far too long is not counted through.
  if (text.length > maxLength * 2 || [...text].length > maxLength) return false;
  return strict ? STRICT_NAME.test(text) : LATIN_NAME.test(text);
}
