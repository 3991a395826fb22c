/** Names of fields that a merchant made up, before one is repeated in an answer and in the log. */

/** A card number or a key may stand where a name belongs: what could be one is no name. */
const FIELD_NAME = /^(?!.*\d{5})[A-Za-z_][\w-]{0,30}$/;

/** The name, or `body` for what is better not repeated. */
export function nameableField(name: string): string {
  return FIELD_NAME.test(name) ? name : 'body';
}
