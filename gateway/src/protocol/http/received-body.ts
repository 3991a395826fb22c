/**
 * Request bodies for signed endpoints. If the body contains the signature, this module parses the fields strictly and keeps
 * the bytes. If the signature covers the bytes themselves, it passes them on unparsed, because an endpoint parses only
 * authenticated bytes. It registers the accepted content types on the endpoint's fastify scope, which rejects all others.
 */
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseForm } from './form-body.ts';
import { type JsonObject, MalformedBody, parseJsonObject } from './json-body.ts';

export interface ReceivedBody {
  readonly raw: Buffer;
  /** The body's fields. In a form, every value is a string. */
  readonly fields: JsonObject;
}

/** The gateway does not read this content type or charset. Answered with 415. */
export class UnsupportedContentType extends Error {
  override readonly name = 'UnsupportedContentType';
}

const READERS: Readonly<Record<string, (text: string) => JsonObject>> = {
  'application/json': parseJsonObject,
  'application/x-www-form-urlencoded': parseForm,
};

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;

/** Accepts JSON and forms, and parses them. */
export function acceptSignedBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  for (const [contentType, read] of Object.entries(READERS)) {
    acceptBytes(scope, contentType, (raw): ReceivedBody => ({ raw, fields: read(textOf(raw)) }));
  }
}

/** Accepts only JSON, as raw bytes. The endpoint verifies them and then parses them with `readJsonBody`. */
export function acceptRawJson(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  acceptBytes(scope, 'application/json', (raw) => raw);
}

/** Returns the body that acceptSignedBodies parsed. Throws MalformedBody if the request had no body. */
export function receivedBody(request: FastifyRequest): ReceivedBody {
  return requireBody(request) as ReceivedBody;
}

/** Returns the bytes that acceptRawJson kept. Throws MalformedBody if the request had no body. */
export function receivedBytes(request: FastifyRequest): Buffer {
  return requireBody(request) as Buffer;
}

/** Throws MalformedBody unless the body is exactly one JSON object. */
export function readJsonBody(raw: Buffer): JsonObject {
  return parseJsonObject(textOf(raw));
}

function requireBody(request: FastifyRequest): NonNullable<unknown> {
  if (request.body === undefined || request.body === null) throw new MalformedBody('no body');
  return request.body;
}

function acceptBytes(scope: FastifyInstance, contentType: string, read: (raw: Buffer) => unknown): void {
  scope.addContentTypeParser<Buffer>(
    contentType,
    { parseAs: 'buffer' },
    // Fastify treats an exception here like a rejected promise of an async parser.
    (request: FastifyRequest, raw: Buffer, done: (error: null, body: unknown) => void) => {
      const body = orKeepBytes(request, raw, () => {
        requireUtf8Charset(request.headers['content-type'] ?? '');
        return read(raw);
      });
      done(null, body);
    },
  );
}

const UNREAD = new WeakMap<FastifyRequest, Buffer>();

/** Returns the bytes of a body that could not be read, for the request log. */
export function unreadBytes(request: FastifyRequest): Buffer | undefined {
  return UNREAD.get(request);
}

function orKeepBytes<Body>(request: FastifyRequest, raw: Buffer, read: () => Body): Body {
  try {
    return read();
  } catch (error) {
    UNREAD.set(request, raw);
    throw error;
  }
}

function requireUtf8Charset(contentType: string): void {
  if (!contentType.includes(';')) return;
  const charset = CHARSET.exec(contentType)?.[1];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') throw new UnsupportedContentType(charset);
}

function textOf(raw: Buffer): string {
  if (!isUtf8(raw)) throw new MalformedBody('not UTF-8');
  return raw.toString('utf8');
}
