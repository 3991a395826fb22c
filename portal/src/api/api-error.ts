/** The errors of a management API call. */
import type { Problem } from '../../../gateway/contract/parts/answer-parts.ts';

/** The API rejected the request or did not respond. If `problem` is null, the outcome of the request is unknown. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly problem: Problem | null;

  constructor(problem: Problem | null) {
    super(problem?.detail ?? 'The gateway did not respond.');
    this.problem = problem;
  }

  get status(): number {
    return this.problem?.status ?? 0;
  }
}

/** Thrown if a policy binds the action: the gateway has changed nothing, and a second person decides. */
export class Proposed extends Error {
  override readonly name = 'Proposed';
  readonly proposalId: string;

  constructor(proposalId: string) {
    super('A second person must approve');
    this.proposalId = proposalId;
  }
}
