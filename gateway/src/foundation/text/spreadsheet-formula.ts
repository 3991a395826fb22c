/**
 * Recognises the positions at which a spreadsheet would begin a formula. Spreadsheets drop leading blanks and newlines, and
 * treat the full-width signs of East Asian keyboards like the ASCII signs. If they separate cells by semicolons, as in most of
 * Europe, the quotes of RFC 4180 do not protect: a semicolon or a newline within a cell begins another cell.
 */
const FORMULA_START = /^(?=\s*[=+\-@＝＋－＠]|[\t\r\n])|[;\t\r\n](?=[\s"]*[=+\-@＝＋－＠])/g;

/** Puts an apostrophe before each such position, which makes it text. */
export function asText(cell: string): string {
  return cell.replace(FORMULA_START, "$&'");
}

/** Returns the text without the characters that could begin a formula. */
export function withoutFormulaStart(cell: string): string {
  return cell.replace(/(^|[;\t\r\n]"*)[\s=+\-@＝＋－＠]+/g, '$1');
}
