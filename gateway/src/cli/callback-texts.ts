/** Callbacks as JSON and as text. */
import type { Callback, CallbackAttempt } from '../domain/callbacks/callback.ts';
import type { ExplainedCallback } from '../domain/management/gateway-operations.ts';
import { formatFacts, formatSection, formatTable, humanTime, jsonTime } from './command-output.ts';
import { explanationJson, explanationText } from './explanation-texts.ts';

export function callbackJson(callback: Callback) {
  return {
    merchant: callback.merchantId,
    callback_id: callback.callbackId,
    subject: callback.subject,
    subject_id: callback.subjectId,
    state: callback.state,
    attempts: callback.attempts,
    created_at: jsonTime(callback.createdAt),
    due_at: jsonTime(callback.dueAt),
    finished_at: jsonTime(callback.finishedAt),
  };
}

export function callbackTable(callbacks: readonly Callback[]): string {
  const rows = callbacks.map((callback) => [
    humanTime(callback.createdAt),
    callback.merchantId,
    callback.callbackId,
    callback.subjectId,
    callback.state,
    String(callback.attempts),
    humanTime(callback.dueAt),
  ]);
  const header = ['CREATED', 'MERCHANT', 'CALLBACK', 'ABOUT', 'STATE', 'ATTEMPTS', 'NEXT'];
  return formatTable(header, rows, 'none');
}

export function callbackRecordJson({ callback, attempts, explanation }: ExplainedCallback) {
  return {
    ...callbackJson(callback),
    payload: callback.payload,
    waits: explanation ? explanationJson(explanation) : null,
    tries: attempts.map(attemptJson),
  };
}

function attemptJson({ attempt, startedAt, latencyMs, httpStatus, outcome, reply }: CallbackAttempt) {
  return { attempt, started_at: jsonTime(startedAt), latency_ms: latencyMs, http_status: httpStatus, outcome, reply };
}

export function callbackRecordText(record: ExplainedCallback): string {
  const { callback, attempts, explanation } = record;
  const facts = formatFacts([
    ['state', callback.state],
    ['reports', `${callback.subject} ${callback.subjectId}`],
    ['created', humanTime(callback.createdAt)],
    ['finished', callback.finishedAt === null ? null : humanTime(callback.finishedAt)],
  ]);
  const rows = attempts.map((attempt) => [
    String(attempt.attempt),
    humanTime(attempt.startedAt),
    `${attempt.latencyMs} ms`,
    attempt.httpStatus === null ? '–' : String(attempt.httpStatus),
    attempt.outcome,
    attempt.reply.slice(0, 60),
  ]);
  return [
    formatSection(`Callback ${callback.callbackId} of ${callback.merchantId}`, facts),
    ...(explanation ? [formatSection('Why it is not delivered', explanationText(explanation))] : []),
    formatSection('Payload', formatFacts(Object.entries(callback.payload))),
    formatSection('Attempts', formatTable(['NO', 'STARTED', 'TOOK', 'HTTP', 'OUTCOME', 'REPLY'], rows, 'none yet')),
  ].join('\n\n');
}
