/** A callback as the management API shows it. */
import type { Callback as CallbackView } from '../../../../contract/endpoints/callbacks.ts';
import type { Callback } from '../../../domain/callbacks/callback.ts';
import { instantText, instantTextOrNull } from './instant-text.ts';

export function viewCallback(callback: Callback): CallbackView {
  const { merchantId, callbackId, subject, subjectId, state, attempts } = callback;
  return {
    merchantId,
    callbackId,
    subject,
    subjectId,
    state,
    attempts,
    createdAt: instantText(callback.createdAt),
    dueAt: instantTextOrNull(callback.dueAt),
    finishedAt: instantTextOrNull(callback.finishedAt),
  };
}
