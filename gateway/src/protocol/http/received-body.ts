/**
 * A request body as signed wires need it: the bytes that came and the fields in them, read once and strictly. Registers
 * the two content types of the payout family on a fastify scope; whatever else comes is refused there.
 */
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseForm } from './form-body.ts';
import { type JsonObject, MalformedBody, parseJsonObject } from './json-body.ts';

export interface ReceivedBody {
  readonly raw: Buffer;
  /** From a form, every value is a string. */
  readonly fields: JsonObject;
}

/** The content type, or the charset in it, is none that we read. Answered with 415. */
export class UnsupportedContentType extends Error {
  override readonly name = 'UnsupportedContentType';
}

const READERS: Readonly<Record<string, (text: string) => JsonObject>> = {
  'application/json': parseJsonObject,
  'application/x-www-form-urlencoded': parseForm,
};

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;

export function acceptSignedBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  for (const [contentType, read] of Object.entries(READERS)) {
    scope.addContentTypeParser<Buffer>(
      contentType,
      { parseAs: 'buffer' },
      async (request: FastifyRequest, raw: Buffer) => readBody(request.headers['content-type'] ?? '', raw, read),
    );
  }
}

/** The body that a parser above has left, or MalformedBody when none was sent. */
export function receivedBody(request: FastifyRequest): ReceivedBody {
  if (request.body === undefined || request.body === null) throw new MalformedBody('no body');
  return request.body as ReceivedBody;
}

function readBody(contentType: string, raw: Buffer, read: (text: string) => JsonObject): ReceivedBody {
  const charset = CHARSET.exec(contentType)?.[1];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') throw new UnsupportedContentType(charset);
  if (!isUtf8(raw)) throw new MalformedBody('not UTF-8');
  return { raw, fields: read(raw.toString('utf8')) };
}
