/** The kinds of measured requests: how to build the request with a given number, and which responses are good. */
import { abonoRequest, judgeAbono } from './abono-requests.ts';
import { callbackRequest, judgeCallback } from './callback-requests.ts';
import { depositRequest, judgeDeposit } from './deposit-requests.ts';
import type { LoadOrder, SubjectName } from './load-order.ts';
import { judgePayout, payoutRequest } from './payout-requests.ts';
import type { Verdict } from './run-load.ts';

export interface Subject {
  readonly request: (url: URL, index: number, order: LoadOrder) => Buffer;
  readonly judge: (status: number, text: string) => Verdict;
}

export const SUBJECTS: Readonly<Record<SubjectName, Subject>> = {
  payout: { request: (url, index, { merchants }) => payoutRequest(url, index, merchants), judge: judgePayout },
  deposit: { request: (url, index, { merchants }) => depositRequest(url, index, merchants), judge: judgeDeposit },
  abono: {
    request: (url, index, { clabes = [], firstIndex }) => abonoRequest(url, index, clabes[index - firstIndex] ?? ''),
    judge: judgeAbono,
  },
  callback: { request: callbackRequest, judge: judgeCallback },
};
