/** Writes a statement as a file in one of its formats, in chunks, with the signature at its end. */
import type { Statement } from '../../domain/statements/compose-statement.ts';
import type { StatementLine } from '../../domain/statements/statement.ts';
import type { StatementFile } from '../../domain/statements/statement-file.ts';
import {
  newHash,
  type StatementFormat,
  type StatementSigner,
  signManifest,
} from '../../domain/statements/statement-seal.ts';
import { writeCsv } from './statement-as-csv.ts';
import { writePdf } from './statement-as-pdf.ts';
import { writeXlsx } from './statement-as-xlsx.ts';
import { beginOf, contentOf, manifestOf, viewLine } from './statement-content.ts';

const CONTENT_TYPES: Readonly<Record<StatementFormat, string>> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
};

/** `signer` is null if the period is not closed. The file then has no signature. */
export function writeStatement(
  statement: Statement,
  format: StatementFormat,
  signer: StatementSigner | null,
): StatementFile {
  const { merchantId, currency, from, until } = statement.head;
  const day = (instant: number) => new Date(instant).toISOString().slice(0, 10);
  return {
    name: `statement-${merchantId}-${currency}-${day(from)}-${day(until - 1)}.${format}`,
    contentType: CONTENT_TYPES[format],
    pieces: format === 'json' ? writeJson(statement, signer) : writeSealed(statement, format, signer),
  };
}

async function* writeJson(statement: Statement, signer: StatementSigner | null): AsyncIterable<Buffer> {
  const content = newHash();
  yield Buffer.from('{"statement":');
  for await (const piece of contentOf(statement)) {
    content.update(piece);
    yield Buffer.from(piece);
  }
  const manifest = manifestOf(statement.head, 'json', content.digest('hex'), null);
  yield Buffer.from(`,"signature":${JSON.stringify(signer && signManifest(signer, manifest))}}\n`);
}

const WRITERS = {
  csv: { write: writeCsv, trailer: (seal: string) => `signature,${seal}\r\n` },
  pdf: { write: writePdf, trailer: (seal: string) => `%statement-signature ${seal}\n` },
  xlsx: { write: writeXlsx, trailer: (seal: string) => seal },
} as const;

async function* writeSealed(
  statement: Statement,
  format: Exclude<StatementFormat, 'json'>,
  signer: StatementSigner | null,
): AsyncIterable<Buffer> {
  const { head } = statement;
  const { write, trailer } = WRITERS[format];
  const [content, file] = [newHash(), newHash()];
  const counted = { head, lines: () => hashed(statement, content) };
  // The last piece is written late: it contains two hashes, or in an archive the length of the comment that contains them.
  let last: Buffer | undefined;
  for await (const piece of write(counted)) {
    file.update(piece);
    if (last) yield last;
    last = piece;
  }
  content.update(']}');
  if (!last) return;
  if (!signer) {
    yield last;
    return;
  }
  const seal = Buffer.from(
    trailer(signManifest(signer, manifestOf(head, format, content.digest('hex'), file.digest('hex')))),
  );
  if (format === 'xlsx') last.writeUInt16LE(seal.length, last.length - 2);
  yield last;
  yield seal;
}

/** The lines, while `content` hashes what `contentOf` would give. */
async function* hashed({ head, lines }: Statement, content: ReturnType<typeof newHash>): AsyncIterable<StatementLine> {
  content.update(beginOf(head));
  let separator = '';
  for await (const line of lines()) {
    content.update(separator + JSON.stringify(viewLine(head.currency, line)));
    separator = ',';
    yield line;
  }
}
