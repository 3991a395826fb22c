/**
 * Splits an SQL file into its statements, because Citus forwards a query to its nodes and rejects several in one query. It
 * recognises the places that may hide a semicolon: quotes, dollar quotes and comments. It parses no other SQL.
 */

const PIECES = /'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|;|[^;'"$/-]+|[\s\S]/g;
const COMMENT = /^(?:--|\/\*)/;

/** The statements have no semicolons and no comments. */
export function splitStatements(sql: string): string[] {
  const statements = [''];
  for (const [piece] of sql.matchAll(PIECES)) {
    if (piece === ';') statements.push('');
    else if (!COMMENT.test(piece)) statements.push((statements.pop() ?? '') + piece);
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '');
}
