/** What the command line's commands run on: the configuration read when it is needed, a gateway opened, served, closed. */
import { CommandFailure } from '../cli/command-output.ts';
import type { CommandHost } from '../cli/gateway-operations.ts';
import { openGateway } from './compose.ts';
import { type Config, readConfig } from './config.ts';
import { diagnose } from './doctor.ts';
import type { DoctorParts } from './doctor-finding.ts';
import { explainFailure } from './explain-failure.ts';
import { migrateDatabase } from './migrate-database.ts';

export interface CommandHostParts extends DoctorParts {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Resolves when the process is to stop serving. */
  readonly untilToldToStop: () => Promise<void>;
}

export function createCommandHost(parts: CommandHostParts): CommandHost {
  const { clock, random, stdout, stderr } = parts;
  const onProgress = (line: string) => stderr(`${line}\n`);
  const configured = () => configOrFail(parts);
  return {
    stdout,
    stderr,
    explain: explainFailure,
    open: () => openGateway(forOneCommand(configured()), { clock, random, onProgress }),
    diagnose: () => diagnose(parts),
    migrate: (distributed) => migrateDatabase(configured(), distributed, onProgress),
    async serve(role) {
      const gateway = await openGateway(configured(), { clock, random, onProgress });
      try {
        const toldToStop = parts.untilToldToStop();
        const serving = await gateway.serve(role);
        await toldToStop;
        await serving.stop();
      } finally {
        await gateway.close();
      }
    },
  };
}

function configOrFail({ variables }: CommandHostParts): Config {
  const config = readConfig(variables);
  if (config.ok) return config.value;
  throw new CommandFailure(
    `The configuration is at fault:\n${config.error.map((fault) => `- ${fault}`).join('\n')}`,
    2,
  );
}

/** Between the lines of an answer only what went wrong is worth a line of the log, unless more was asked for. */
function forOneCommand(config: Config): Config {
  return config.logLevel === 'info' ? { ...config, logLevel: 'warn' } : config;
}
