/** The request log: one logged request with its bytes, masked for the reader. */
import type { REQUEST_ENDPOINTS, LoggedRequest as RequestView } from '../../../../contract/requests/requests.ts';
import type { GatewayOperations } from '../../../domain/management/gateway-operations.ts';
import type { LoggedRequest } from '../../../domain/requests/logged-request.ts';
import { maskRequest } from '../../../domain/requests/mask-request.ts';
import { fail, ok } from '../../../foundation/result.ts';
import type { HandlersOf } from '../handler.ts';
import { maskFor } from '../mask.ts';
import { NOT_FOUND } from '../problems.ts';
import { instantText } from '../views.ts';

export function viewRequest(request: LoggedRequest): RequestView {
  const { merchantId, requestId, receivedAt, endpoint, outcome, reason, description } = request;
  const { method, httpStatus, clientAddress, durationMs, subjectId } = request;
  return {
    ...{ merchantId, requestId, receivedAt: instantText(receivedAt), endpoint, outcome, reason, description },
    ...{ method, httpStatus, clientAddress, durationMs, subjectId },
  };
}

export function requestHandlers({ requests }: GatewayOperations): HandlersOf<typeof REQUEST_ENDPOINTS> {
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
  };
}
