/**
 * Recognises cells that a spreadsheet would execute as formulas. Spreadsheets drop leading blanks and line breaks, and
 * treat the full-width signs of East Asian keyboards like the ASCII ones.
 */
const FORMULA_START = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

export function beginsFormula(cell: string): boolean {
  return FORMULA_START.test(cell);
}

/** The text without its leading characters that could begin a formula. */
export function withoutFormulaStart(cell: string): string {
  return cell.replace(/^[\s=+\-@＝＋－＠]+/, '');
}
