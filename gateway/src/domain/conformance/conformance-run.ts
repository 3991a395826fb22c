/** The newest recorded run of `gateway conform` for a merchant. An operator may require it before the merchant goes live. */
import type { Instant } from '../../foundation/clock.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';

/** A check that did not pass. */
interface ConformanceFinding {
  readonly name: string;
  readonly state: 'failed' | 'not_examined';
  readonly found: string;
}

export interface ConformanceRun {
  readonly recordedAt: Instant;
  /** The URL of the tested receiver. */
  readonly address: string;
  readonly passed: number;
  readonly examined: number;
  /** True if no check failed and every required check ran. */
  readonly isPassed: boolean;
  readonly findings: readonly ConformanceFinding[];
}

export interface KnownCheck {
  readonly name: string;
  /** A run without this check does not pass, because it needs only the URL, the key and the record of payments. */
  readonly isRequired: boolean;
}

export interface ReportedResult {
  readonly name: string;
  readonly state: 'passed' | ConformanceFinding['state'];
  readonly found: string;
}

/** Fails with the name of the first check that is missing, unknown or reported twice. */
export function judgeRun(
  results: readonly ReportedResult[],
  checks: readonly KnownCheck[],
  address: string,
  recordedAt: Instant,
): Result<ConformanceRun, string> {
  const names = results.map(({ name }) => name);
  const wrong =
    checks.find(({ name }) => !names.includes(name))?.name ??
    names.find((name, at) => names.indexOf(name) < at || !checks.some((check) => check.name === name));
  if (wrong !== undefined) return fail(wrong);
  const stateOf = new Map(results.map(({ name, state }) => [name, state]));
  const count = (state: ReportedResult['state']) => results.filter((result) => result.state === state).length;
  const [passed, failed] = [count('passed'), count('failed')];
  const isPassed =
    failed === 0 && checks.every(({ name, isRequired }) => !isRequired || stateOf.get(name) === 'passed');
  const findings = results.flatMap(({ name, state, found }) => (state === 'passed' ? [] : [{ name, state, found }]));
  return ok({ recordedAt, address, passed, examined: passed + failed, isPassed, findings });
}
