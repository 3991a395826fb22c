/** The parameters of every check of the doctor, and its three kinds of finding. */
import type { Finding } from '../../cli/command-host.ts';
import type { RunningProcess } from '../../domain/monitoring/running-process.ts';
import type { RailHealth } from '../../domain/rails/rail-health.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Random } from '../../foundation/random.ts';
import type { EnvironmentVariables } from '../config/config.ts';

export interface DoctorParts {
  readonly variables: EnvironmentVariables;
  readonly nodeVersion: string;
  readonly clock: Clock;
  readonly random: Random;
}

/** Results of one check that a later check uses. */
export interface DoctorNotes {
  /** The workers' latest reports on each rail. */
  workers: readonly RailHealth[];
  /** The processes that run now. */
  processes: readonly RunningProcess[];
}

export function good(name: string, found: string): Finding {
  return { name, ok: true, found, remedy: '' };
}

export function bad(name: string, found: string, remedy: string): Finding {
  return { name, ok: false, found, remedy };
}

/** Returns a finding that is not a fault but needs attention. The doctor shows it with its remedy. */
export function noted(name: string, found: string, remedy: string): Finding {
  return { name, ok: true, found, remedy };
}
