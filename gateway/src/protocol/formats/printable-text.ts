/**
 * Free text that people read: names of goods, notes (decisions, Requests: "any printable text"). Markup is text like any
 * other, for whoever shows it to escape. What can't be seen is refused: controls, line ends, and the marks that turn the
 * direction of what stands beside them, with which a name of goods could rewrite the amount next to it.
 */

/** The two invisible ones join and part letters in Indic and Persian words, and make up emoji. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\u200c\u200d]+$/u;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

export function isPrintableText(text: string): boolean {
  return PRINTABLE.test(text) && VISIBLE.test(text);
}
