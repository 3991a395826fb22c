/** Whether a machine with several processes should receive traffic: it should while at least one process is ready. */
import { isReadiness, type Readiness } from '../observability/health.ts';

interface MachineReadiness {
  readonly status: Readiness;
  readonly processes: Readonly<Record<string, string>>;
}

/** `answers` contains the responses of the processes, by name. */
export function machineReadiness(
  answers: ReadonlyMap<string, string>,
  { draining }: { readonly draining: boolean },
): MachineReadiness {
  const found = [...answers.values()].filter(isReadiness);
  const whole = found.includes('ready') ? 'ready' : (found[0] ?? 'starting');
  return { status: draining ? 'draining' : whole, processes: Object.fromEntries(answers) };
}
