/** Checks merchants' own field names before an answer or the log repeats them. */

/** A merchant may send a card number or a key in place of a name. Texts that could be one do not match. */
const FIELD_NAME = /^(?!.*\d{5})[A-Za-z_][\w-]{0,30}$/;

/** Returns the name, or `body` if the text is unsafe to repeat. */
export function nameableField(name: string): string {
  return FIELD_NAME.test(name) ? name : 'body';
}
