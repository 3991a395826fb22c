/**
 * `gateway doctor`: looks at everything that a gateway needs, one thing at a time, and says what is wrong and how to
 * mend it. It changes nothing but what a start would make anyway: the data directory and the embedded database in it.
 */
import type { Finding } from '../cli/gateway-operations.ts';
import { type Config, readConfig } from './config.ts';
import { examineDatabase } from './doctor-database.ts';
import { bad, type DoctorParts, good } from './doctor-finding.ts';
import { examineKeyFiles } from './doctor-key-files.ts';
import { examineDataDirectory, examineNode, examinePorts, examineRails } from './doctor-machine.ts';

type Examination = (config: Config, parts: DoctorParts) => Promise<readonly Finding[]>;

/** In the order in which one thing needs another. */
const EXAMINATIONS: readonly Examination[] = [
  examineDataDirectory,
  examineDatabase,
  examinePorts,
  examineRails,
  examineKeyFiles,
];

/** With a faulty configuration the rest can't be looked at: then only the faults are told. */
export async function diagnose(parts: DoctorParts): Promise<readonly Finding[]> {
  const findings: Finding[] = [examineNode(parts.nodeVersion)];
  const config = readConfig(parts.variables);
  if (!config.ok) return [...findings, ...config.error.map(configurationFault)];
  findings.push(good('Configuration', `${config.value.environment}, without fault`));
  for (const examine of EXAMINATIONS) findings.push(...(await examine(config.value, parts)));
  return findings;
}

function configurationFault(fault: string): Finding {
  return bad('Configuration', fault, 'Correct or unset the variable');
}
