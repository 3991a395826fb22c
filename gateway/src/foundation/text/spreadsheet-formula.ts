/**
 * Recognises the places at which a spreadsheet would begin a formula. Spreadsheets drop leading blanks and line breaks, and treat
 * the full-width signs of East Asian keyboards like the ASCII ones. Where they separate cells by semicolons, as in most of
 * Europe, the quotes of RFC 4180 protect nothing: a semicolon or a line break within a cell begins another cell.
 */
const FORMULA_START = /^(?=\s*[=+\-@＝＋－＠]|[\t\r\n])|[;\t\r\n](?=[\s"]*[=+\-@＝＋－＠])/g;

/** An apostrophe before each such place makes it text. */
export function asText(cell: string): string {
  return cell.replace(FORMULA_START, "$&'");
}

/** Returns the text without the characters that could begin a formula. */
export function withoutFormulaStart(cell: string): string {
  return cell.replace(/(^|[;\t\r\n]"*)[\s=+\-@＝＋－＠]+/g, '$1');
}
