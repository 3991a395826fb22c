/**
 * The signature of a statement: a compact JWS (RFC 7515, EdDSA) whose payload contains the statement's number and two hashes.
 * One covers the content and is the same in every format. The other covers the file's bytes before the signature, so that no
 * byte can change. Any JOSE library can verify it.
 */
import { createHash, createPrivateKey, createPublicKey, type Hash, type KeyObject, sign, verify } from 'node:crypto';
import { Secret } from '../../foundation/secret.ts';

export const STATEMENT_FORMATS = ['json', 'csv', 'xlsx', 'pdf'] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];

export interface StatementManifest {
  readonly merchantId: string;
  readonly currency: string;
  readonly from: string;
  readonly until: string;
  readonly opening: string;
  readonly closing: string;
  readonly lines: number;
  readonly format: StatementFormat;
  /** The SHA-256 hash of the statement as JSON, in hex. */
  readonly contentSha256: string;
  /** SHA-256 of the file before the signature, in hex. Null in JSON, whose content is the file. */
  readonly fileSha256: string | null;
}

export interface StatementSigner {
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

const TYPE = 'statement';
const text64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

export function signManifest({ keyId, privateKey }: StatementSigner, manifest: StatementManifest): string {
  const signed = `${text64({ alg: 'EdDSA', kid: keyId, typ: TYPE })}.${text64(manifest)}`;
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
}

/** Returns the public key of a private one: 32 bytes in base64url. */
export function publicKeyOf(privateKey: KeyObject): string {
  return String(createPublicKey(privateKey).export({ format: 'jwk' }).x);
}

/** Returns a private key as it is sealed: PKCS 8 in base64. */
export function writePrivateKey(privateKey: KeyObject): Secret {
  return new Secret(privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'));
}

export function readPrivateKey(secret: Secret): KeyObject {
  return createPrivateKey({ key: Buffer.from(secret.reveal(), 'base64'), format: 'der', type: 'pkcs8' });
}

export interface ReadSeal {
  readonly keyId: string;
  readonly manifest: StatementManifest;
  /** True if this public key created the signature. */
  isBy(publicKey: string): boolean;
}

const JWS = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;

/** Returns undefined if the string is not the signature of a statement. */
export function readSeal(jws: string): ReadSeal | undefined {
  const [, head = '', body = '', signature = ''] = JWS.exec(jws) ?? [];
  const header = parse(head) as { alg?: unknown; kid?: unknown; typ?: unknown } | undefined;
  const manifest = parse(body) as StatementManifest | undefined;
  if (header?.alg !== 'EdDSA' || header.typ !== TYPE || typeof header.kid !== 'string' || !manifest) return undefined;
  return {
    keyId: header.kid,
    manifest,
    isBy(publicKey) {
      const key = openPublicKey(publicKey);
      return (
        key !== undefined && verify(null, Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))
      );
    },
  };
}

function openPublicKey(publicKey: string): KeyObject | undefined {
  try {
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
  } catch {
    return undefined;
  }
}

function parse(base64url: string): unknown {
  try {
    return JSON.parse(Buffer.from(base64url, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

export function newHash(): Hash {
  return createHash('sha256');
}
