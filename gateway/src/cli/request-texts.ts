/** Logged requests as JSON and as text. */
import type { LoggedRequest, RequestRecord } from '../domain/requests/logged-request.ts';
import { formatFacts, formatSection, formatTable, humanTime, jsonTime } from './command-output.ts';

export function requestJson(request: LoggedRequest) {
  return {
    merchant: request.merchantId,
    request_id: request.requestId,
    received_at: jsonTime(request.receivedAt),
    endpoint: request.endpoint,
    outcome: request.outcome,
    reason: request.reason,
    description: request.description,
    method: request.method,
    http_status: request.httpStatus,
    client: request.clientAddress,
    duration_ms: request.durationMs,
    subject_id: request.subjectId,
  };
}

export function requestTable(requests: readonly LoggedRequest[]): string {
  const rows = requests.map((request) => [
    humanTime(request.receivedAt),
    request.merchantId,
    request.requestId,
    request.endpoint,
    request.outcome,
    request.description || request.reason || '–',
    request.subjectId ?? '–',
  ]);
  return formatTable(['RECEIVED', 'MERCHANT', 'REQUEST', 'ENDPOINT', 'OUTCOME', 'REASON', 'ABOUT'], rows, 'none');
}

export function requestRecordJson(record: RequestRecord) {
  return {
    ...requestJson(record),
    headers: record.headers,
    request: record.request.toString('utf8'),
    request_bytes: record.requestBytes,
    reply: record.reply.toString('utf8'),
  };
}

export function requestRecordText(record: RequestRecord): string {
  const { merchantId, requestId, endpoint, outcome, reason, description, subjectId, clientAddress } = record;
  const facts = formatFacts([
    ['received', humanTime(record.receivedAt)],
    ['endpoint', endpoint],
    ['outcome', outcome],
    ['reason', reason === '' ? null : `${description} (${reason})`],
    ['about', subjectId],
    ['from', clientAddress],
    ['HTTP', `${record.httpStatus} after ${record.durationMs} ms`],
  ]);
  return [
    formatSection(`Request ${requestId} of ${merchantId}`, facts),
    formatSection('Headers', formatFacts(Object.entries(record.headers))),
    formatSection(`Request, ${record.requestBytes} bytes`, record.request.toString('utf8')),
    formatSection('Reply', record.reply.length === 0 ? 'not kept' : record.reply.toString('utf8')),
  ].join('\n\n');
}
