/** The request log: one logged request with its bytes, masked for the reader. */
import type {
  Finding as FindingView,
  REQUEST_ENDPOINTS,
  LoggedRequest as RequestView,
} from '../../../../contract/endpoints/requests.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import { mayUse } from '../../../domain/people/caller.ts';
import type { LoggedRequest } from '../../../domain/requests/logged-request.ts';
import { maskRequest } from '../../../domain/requests/mask-request.ts';
import type { SignatureFinding } from '../../../domain/signature-doctor/examination.ts';
import { type Clock, MINUTE_MS } from '../../../foundation/clock.ts';
import { fail, ok } from '../../../foundation/result.ts';
import { createRateLimiter } from '../../authentication/rate-limit.ts';
import type { HandlersOf } from '../handler.ts';
import { type ManageProblem, NOT_FOUND } from '../problems.ts';
import { instantText } from '../views/instant-text.ts';
import { maskFor } from '../views/mask.ts';

export function viewRequest(request: LoggedRequest): RequestView {
  const { merchantId, requestId, receivedAt, endpoint, outcome, reason, description } = request;
  const { method, httpStatus, clientAddress, durationMs, subjectId } = request;
  return {
    merchantId,
    requestId,
    receivedAt: instantText(receivedAt),
    endpoint,
    outcome,
    reason,
    description,
    method,
    httpStatus,
    clientAddress,
    durationMs,
    subjectId,
  };
}

/** Examinations of one user in a minute. Each costs the work of thousands of signatures. */
const MOST_EXAMINED = 10;

/** The problem of every caller except a merchant user, because the findings depend on the merchant's keys. */
const NOT_OWN: ManageProblem = {
  code: 'rejected',
  detail: 'Only a signed-in merchant user may use the signature doctor.',
};
const TOO_MANY: ManageProblem = {
  code: 'too-many-requests',
  detail: `The signature doctor checks up to ${MOST_EXAMINED} requests per user and minute. Wait a minute.`,
};
const NOT_KEPT: ManageProblem = {
  code: 'rejected',
  detail:
    'The exact bytes of this request are not stored. The gateway stores them for 14 days, and only for requests with an invalid signature.',
};

export function requestHandlers({ requests }: GatewayOperations, clock: Clock): HandlersOf<typeof REQUEST_ENDPOINTS> {
  const limiter = createRateLimiter(clock, MINUTE_MS);
  return {
    async 'requests.show'({ params, caller }) {
      const record = await requests.find(params);
      if (!record) return fail(NOT_FOUND);
      const mask = maskFor(caller);
      const show = (bytes: Buffer, length: number) => ({
        text: maskRequest(bytes.toString('utf8'), mask),
        bytes: length,
      });
      const { headers, request, requestBytes, reply, vaultToken } = record;
      const answer = {
        ...viewRequest(record),
        headers: { ...headers },
        request: show(request, requestBytes),
        reply: show(reply, reply.length),
        canExplain: vaultToken !== null,
      };
      return ok({ answer });
    },
    async 'requests.explain'({ params, caller }) {
      if (!caller.session || caller.merchantId !== params.merchantId) return fail(NOT_OWN);
      if (!(await requests.find(params))) return fail(NOT_FOUND);
      if (limiter.take(caller.session.personId, MOST_EXAMINED) > 0) return fail(TOO_MANY);
      const findings = await requests.explain(params, mayUse(caller, 'personal:read'));
      return findings ? ok({ answer: { findings: findings.map(viewFinding) } }) : fail(NOT_KEPT);
    },
  };
}

function viewFinding(finding: SignatureFinding): FindingView {
  const { part, kind } = finding;
  const isMistake = finding.kind === 'mistake';
  return {
    part,
    kind,
    mistakes: isMistake ? finding.mistakes.map((each) => ({ ...each })) : [],
    text: 'text' in finding ? finding.text : '',
    expected: 'expected' in finding ? finding.expected : null,
    signed: isMistake ? finding.signed : null,
    differsAt: isMistake ? finding.differsAt : null,
  };
}
