/** Maps logged requests between rows and types. */
import type { LoggedRequest } from '../../domain/requests/logged-request.ts';

export const REQUEST_COLUMNS = `q.merchant_id, q.request_id, q.received_at, q.endpoint, q.outcome, q.reason, q.description,
  q.method, q.http_status, q.client_address, q.duration_ms, q.subject_id`;

type Same = 'endpoint' | 'outcome' | 'reason' | 'description' | 'method';

export interface RequestRow extends Pick<LoggedRequest, Same> {
  readonly merchant_id: string;
  readonly request_id: string;
  readonly received_at: number;
  readonly http_status: number;
  readonly client_address: string;
  readonly duration_ms: number;
  readonly subject_id: string | null;
}

export function requestFromRow(row: RequestRow): LoggedRequest {
  return {
    merchantId: row.merchant_id,
    requestId: row.request_id,
    receivedAt: row.received_at,
    endpoint: row.endpoint,
    outcome: row.outcome,
    reason: row.reason,
    description: row.description,
    method: row.method,
    httpStatus: row.http_status,
    clientAddress: row.client_address,
    durationMs: row.duration_ms,
    subjectId: row.subject_id,
  };
}
