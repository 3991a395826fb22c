/** Checks the signature inside a statement's file, without a gateway. Each format carries it at its end. */
import { createHash } from 'node:crypto';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { type ReadSeal, readSeal, type StatementManifest } from './statement-seal.ts';

export type VerifyFailure =
  /** The file has no signature: it is not a statement, or its period was not closed. */
  | 'unsigned'
  | 'unknown_key'
  | 'signature_wrong'
  /** The signature is authentic, but the file differs from the signed file. */
  | 'content_changed';

interface VerifiedStatement {
  readonly manifest: StatementManifest;
  readonly keyId: string;
}

/** The signature, with a check that it covers the rest of the file. */
interface SealedFile {
  readonly seal: ReadSeal;
  readonly isWhole: boolean;
}

/** `publicKeyOf` returns the public key of a key that signs a merchant's statements, or undefined if the key does not exist. */
export async function verifyStatement(
  file: Buffer,
  publicKeyOf: (keyId: string, merchantId: string) => Promise<string | undefined>,
): Promise<Result<VerifiedStatement, VerifyFailure>> {
  const found = readJson(file) ?? readCsv(file) ?? readPdf(file) ?? readXlsx(file);
  if (!found) return fail('unsigned');
  const publicKey = await publicKeyOf(found.seal.keyId, found.seal.manifest.merchantId);
  if (publicKey === undefined) return fail('unknown_key');
  if (!found.seal.isBy(publicKey)) return fail('signature_wrong');
  if (!found.isWhole) return fail('content_changed');
  return ok({ manifest: found.seal.manifest, keyId: found.seal.keyId });
}

const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');

/** White space between the parts of the document may differ: only the content is compared. */
function readJson(file: Buffer): SealedFile | undefined {
  if (file[0] !== 0x7b) return undefined;
  try {
    const { statement, signature, ...rest } = JSON.parse(file.toString('utf8')) as Record<string, unknown>;
    const seal = typeof signature === 'string' ? readSeal(signature) : undefined;
    if (!seal) return undefined;
    const isSame = sha256(JSON.stringify(statement)) === seal.manifest.contentSha256;
    return { seal, isWhole: isSame && seal.manifest.format === 'json' && Object.keys(rest).length === 0 };
  } catch {
    return undefined;
  }
}

function readCsv(file: Buffer): SealedFile | undefined {
  return readTrailer(file, /(?<=\n)signature,([\w.-]+)\r\n$/, 'csv');
}

function readPdf(file: Buffer): SealedFile | undefined {
  return readTrailer(file, /(?<=\n)%statement-signature ([\w.-]+)\n$/, 'pdf');
}

const LONGEST_TRAILER = 4_096;

function readTrailer(file: Buffer, pattern: RegExp, format: string): SealedFile | undefined {
  const from = Math.max(0, file.length - LONGEST_TRAILER);
  const match = pattern.exec(file.subarray(from).toString('latin1'));
  const seal = readSeal(match?.[1] ?? '');
  if (!match || !seal) return undefined;
  return { seal, isWhole: fits(seal, file.subarray(0, from + match.index), format) };
}

const fits = ({ manifest }: ReadSeal, before: Buffer, format: string) =>
  manifest.format === format && sha256(before) === manifest.fileSha256;

/** The signature is the comment of the ZIP archive, and covers the archive without a comment. */
function readXlsx(file: Buffer): SealedFile | undefined {
  const end = file.lastIndexOf(Buffer.of(0x50, 0x4b, 5, 6));
  if (end < 0 || end + 22 > file.length) return undefined;
  const seal = readSeal(file.subarray(end + 22).toString('latin1'));
  if (!seal || file.readUInt16LE(end + 20) !== file.length - end - 22) return undefined;
  const archive = Buffer.from(file.subarray(0, end + 22));
  archive.writeUInt16LE(0, end + 20);
  return { seal, isWhole: fits(seal, archive, 'xlsx') };
}
