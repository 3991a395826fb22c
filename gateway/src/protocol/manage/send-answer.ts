/** Sends the responses and the problems of the management API. */
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FAILURES, failureOf, type RequestFailure } from '../http/request-failures.ts';
import type { AnsweredFile } from './handler.ts';
import { type ManageProblem, NOT_FOUND, PROBLEM_TYPE, PROBLEMS, type ProblemCode, problemBody } from './problems.ts';

/** By the status of a request that no endpoint could read. */
const CODES: Readonly<Record<number, ProblemCode>> = {
  404: 'not-found',
  405: 'method-not-allowed',
  413: 'too-large',
  415: 'unsupported-type',
  429: 'too-many-requests',
};

function unreadProblem({ status, text }: Pick<RequestFailure, 'status' | 'text'>): ManageProblem {
  return status === 404 ? NOT_FOUND : { code: CODES[status] ?? 'unreadable', detail: `${text}.` };
}

interface ProblemParts {
  readonly onInternalError: (error: unknown, route: string) => void;
}

export function problemOf(error: unknown, request: FastifyRequest, { onInternalError }: ProblemParts): ManageProblem {
  const failure = failureOf(error);
  if (failure) return unreadProblem(failure);
  onInternalError(error, request.routeOptions.url ?? 'none');
  return {
    code: 'internal',
    detail: 'The outcome of the request is unknown. Repeat it with the same Idempotency-Key; it runs at most once.',
  };
}

/** Returns the body for requests that reach no route. `text` is one of the messages of `FAILURES`. */
export function manageErrorBody(text: string, requestId: string): string {
  const failure = Object.values(FAILURES).find((each) => each.text === text && each !== FAILURES.path);
  return JSON.stringify(problemBody(unreadProblem(failure ?? FAILURES.request), requestId));
}

export function sendProblem(reply: FastifyReply, request: FastifyRequest, problem: ManageProblem): FastifyReply {
  const text = JSON.stringify(problemBody(problem, request.id));
  return reply.code(PROBLEMS[problem.code].status).header('content-type', PROBLEM_TYPE).send(text);
}

/** Writes the file in chunks as the client reads. A failure closes the connection, so that no file looks complete. */
export function sendFile(reply: FastifyReply, { file }: AnsweredFile, pieces: Readable): FastifyReply {
  const name = file.name.replaceAll(/[^\w.-]/g, '_');
  return reply
    .header('content-type', file.contentType)
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(pieces);
}

export function sendText(reply: FastifyReply, status: number, text: string): FastifyReply {
  const type = status < 400 ? 'application/json; charset=utf-8' : PROBLEM_TYPE;
  return reply.code(status).header('content-type', type).send(text);
}
