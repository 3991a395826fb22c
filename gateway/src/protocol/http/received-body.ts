/**
 * A request body as signed wires need it. Where the signature lies in the body, the fields are read once and strictly
 * beside the bytes; where it covers the bytes themselves, they are handed over unread, since nothing is parsed that was
 * not proved. Registers the content types that a wire takes on its fastify scope; whatever else comes is refused there.
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

/** JSON and forms, parsed. */
export function acceptSignedBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  for (const [contentType, read] of Object.entries(READERS)) {
    acceptBytes(scope, contentType, (raw): ReceivedBody => ({ raw, fields: read(textOf(raw)) }));
  }
}

/** JSON alone, as the bytes that came: the wire verifies them first and then reads them with `readJsonBody`. */
export function acceptRawJson(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  acceptBytes(scope, 'application/json', (raw) => raw);
}

/** The body that acceptSignedBodies has left, or MalformedBody when none was sent. */
export function receivedBody(request: FastifyRequest): ReceivedBody {
  return requireBody(request) as ReceivedBody;
}

/** The body that acceptRawJson has left, or MalformedBody when none was sent. */
export function receivedBytes(request: FastifyRequest): Buffer {
  return requireBody(request) as Buffer;
}

/** Throws MalformedBody for anything but exactly one JSON object. */
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
    // What is thrown here answers the request like what an asynchronous reader would reject with.
    (request: FastifyRequest, raw: Buffer, done: (error: null, body: unknown) => void) => {
      requireUtf8Charset(request.headers['content-type'] ?? '');
      const body = read(raw);
      done(null, body);
    },
  );
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
