/** Callbacks as text. */
import type { Callback, CallbackRecord } from '../../../contract/endpoints/callbacks.ts';
import { formatFacts, formatSection, formatTable, humanIsoTime } from '../command-output.ts';
import { explanationText } from './explanation-texts.ts';

export function callbackTable(callbacks: readonly Callback[]): string {
  const rows = callbacks.map((callback) => [
    humanIsoTime(callback.createdAt),
    callback.merchantId,
    callback.callbackId,
    callback.subjectId,
    callback.state,
    String(callback.attempts),
    humanIsoTime(callback.dueAt),
  ]);
  const header = ['CREATED', 'MERCHANT', 'CALLBACK', 'ABOUT', 'STATE', 'ATTEMPTS', 'NEXT'];
  return formatTable(header, rows, 'None.');
}

export function callbackRecordText(callback: CallbackRecord): string {
  const { pending } = callback;
  const facts = formatFacts([
    ['state', callback.state],
    ['reports', `${callback.subject} ${callback.subjectId}`],
    ['created', humanIsoTime(callback.createdAt)],
    ['finished', callback.finishedAt === null ? null : humanIsoTime(callback.finishedAt)],
  ]);
  const rows = callback.deliveries.map((delivery) => [
    String(delivery.attempt),
    humanIsoTime(delivery.startedAt),
    `${delivery.latencyMs} ms`,
    delivery.httpStatus === null ? '–' : String(delivery.httpStatus),
    delivery.outcome,
    delivery.reply.slice(0, 60),
  ]);
  return [
    formatSection(`Callback ${callback.callbackId} of ${callback.merchantId}`, facts),
    ...(pending ? [formatSection('Delivery status', explanationText(pending))] : []),
    formatSection('Payload', formatFacts(Object.entries(callback.payload))),
    formatSection('Attempts', formatTable(['NO', 'STARTED', 'TOOK', 'HTTP', 'OUTCOME', 'REPLY'], rows, 'None.')),
  ].join('\n\n');
}
