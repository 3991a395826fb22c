/** Whether a machine with several processes should receive traffic: it should while at least one process is ready. */
import { isReadiness, type Readiness } from '../observability/health.ts';

interface WholeReadiness {
  readonly status: Readiness;
  readonly processes: Readonly<Record<string, string>>;
}

/** `answers`: of the processes that answered, by name. */
export function wholeReadiness(
  answers: ReadonlyMap<string, string>,
  { draining }: { readonly draining: boolean },
): WholeReadiness {
  const found = [...answers.values()].filter(isReadiness);
  const whole = found.includes('ready') ? 'ready' : (found[0] ?? 'starting');
  return { status: draining ? 'draining' : whole, processes: Object.fromEntries(answers) };
}
