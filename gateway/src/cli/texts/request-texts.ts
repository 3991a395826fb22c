/** Logged requests as text. */
import type { LoggedRequest, RequestRecord } from '../../../contract/endpoints/requests.ts';
import { formatFacts, formatSection, formatTable, humanIsoTime } from '../command-output.ts';

export function requestTable(requests: readonly LoggedRequest[]): string {
  const rows = requests.map((request) => [
    humanIsoTime(request.receivedAt),
    request.merchantId,
    request.requestId,
    request.endpoint,
    request.outcome,
    request.description || request.reason || '–',
    request.subjectId ?? '–',
  ]);
  return formatTable(['RECEIVED', 'MERCHANT', 'REQUEST', 'ENDPOINT', 'OUTCOME', 'REASON', 'ABOUT'], rows, 'None.');
}

export function requestRecordText(record: RequestRecord): string {
  const { merchantId, requestId, endpoint, outcome, reason, description, subjectId, clientAddress } = record;
  const facts = formatFacts([
    ['received', humanIsoTime(record.receivedAt)],
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
    formatSection(`Request, ${record.request.bytes} bytes`, record.request.text),
    formatSection('Reply', record.reply.bytes === 0 ? 'not kept' : record.reply.text),
  ].join('\n\n');
}
