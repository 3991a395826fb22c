/**
 * The format of free text such as item names and notes (decisions, Requests: "any printable text"). It accepts
 * markup, so each page must escape it. It rejects control characters, line ends and direction marks. With those, an
 * item name could visually rewrite the amount beside it.
 */

/** The two invisible characters join and separate letters in Indic and Persian words, and build emoji. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\u200c\u200d]+$/u;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

export function isPrintableText(text: string): boolean {
  return PRINTABLE.test(text) && VISIBLE.test(text);
}
