/**
 * Which cells a spreadsheet takes for a formula. It drops blanks and line breaks in front, and reads the full-width signs of
 * East Asian keyboards as the usual ones.
 */
const FORMULA_START = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

export function beginsFormula(cell: string): boolean {
  return FORMULA_START.test(cell);
}

/** The same text from its first character that begins no formula. */
export function withoutFormulaStart(cell: string): string {
  return cell.replace(/^[\s=+\-@＝＋－＠]+/, '');
}
