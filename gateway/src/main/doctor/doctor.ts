/**
 * `gateway doctor`: checks everything that a gateway needs, one thing at a time, and reports each fault with its remedy. It
 * creates only what a start would create: the data directory and the embedded database in it.
 */
import type { Finding } from '../../cli/command-host.ts';
import { type Config, judgeConfig } from '../config/config.ts';
import { examineDatabase } from './doctor-database.ts';
import { bad, type DoctorNotes, type DoctorParts, good } from './doctor-finding.ts';
import { examineKeyFiles, examineValueFiles } from './doctor-key-files.ts';
import { examineDataDirectory, examineNode, examinePorts } from './doctor-machine.ts';
import { acceptedFindings, refusedFinding } from './doctor-production.ts';
import { examineRails } from './doctor-rails.ts';

type Examination = (config: Config, parts: DoctorParts, notes: DoctorNotes) => Promise<readonly Finding[]>;

/** The examinations in an order in which each follows those that it depends on. */
const EXAMINATIONS: readonly Examination[] = [
  examineDataDirectory,
  examineDatabase,
  examinePorts,
  examineRails,
  examineKeyFiles,
];

/** These checks would create an embedded database if none exists, which production rejects. */
const OPENING: readonly Examination[] = [examineDataDirectory, examineDatabase];

/** Without a valid configuration nothing else can be checked, so the doctor reports only the configuration's faults. */
export async function examineInstallation(parts: DoctorParts): Promise<readonly Finding[]> {
  const findings: Finding[] = [examineNode(parts.nodeVersion)];
  const judged = judgeConfig(parts.variables);
  if (!judged.ok) return [...findings, ...judged.error.map(configurationFault)];
  const { config, refused, files } = judged.value;
  findings.push(good('Configuration', `${config.environment}, valid`));
  findings.push(...refused.map(refusedFinding), ...acceptedFindings(config), ...(await examineValueFiles(files)));
  const isWithoutDatabase = config.databaseUrl === null && refused.some(({ rule }) => rule === 'embedded_database');
  const possible = EXAMINATIONS.filter((each) => !(isWithoutDatabase && OPENING.includes(each)));
  const notes: DoctorNotes = { workers: [], processes: [] };
  for (const examine of possible) findings.push(...(await examine(config, parts, notes)));
  return findings;
}

function configurationFault(fault: string): Finding {
  return bad('Configuration', fault, 'Correct or unset the variable');
}
