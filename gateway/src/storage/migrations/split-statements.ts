/**
 * The statements of a file of SQL, one by one: a cluster passes on to its nodes what it was sent, and refuses several
 * at once. Knows what a semicolon may hide in: quotes, dollar quotes, comments. Nothing more of SQL.
 */

const PIECES = /'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|;|[^;'"$/-]+|[\s\S]/g;
const COMMENT = /^(?:--|\/\*)/;

/** Without their semicolons and comments. */
export function splitStatements(sql: string): string[] {
  const statements = [''];
  for (const [piece] of sql.matchAll(PIECES)) {
    if (piece === ';') statements.push('');
    else if (!COMMENT.test(piece)) statements.push((statements.pop() ?? '') + piece);
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '');
}
