/** The doctor's check of the production rules: the broken rules, and those that an operator has overridden. */
import type pg from 'pg';
import type { Finding } from '../../cli/command-host.ts';
import { judgeOnDatabase } from '../compose/refuse-risks.ts';
import type { Config } from '../config/config.ts';
import type { Risk } from '../production/risks.ts';
import { bad, good, noted } from './doctor-finding.ts';

export function refusedFinding({ rule, override, found, remedy }: Risk): Finding {
  return bad(nameOf(rule), found, `${sentence(remedy)}, or accept the risk by ${override}=yes`);
}

export function acceptedFindings({ acceptedRisks }: Pick<Config, 'acceptedRisks'>): Finding[] {
  return acceptedRisks.map(acceptedFinding);
}

/** An override of a rule that is not broken would silently accept the next risk. */
function idleOverrides({ environment, overrides }: Config, broken: readonly Risk[]): Finding[] {
  if (environment !== 'production') return [];
  const idle = [...overrides].filter((name) => broken.every(({ override }) => override !== name));
  return idle.map((name) => noted(`Production ${name}`, 'is set but has no effect', `Unset ${name}`));
}

/** Requires a migrated database. */
export async function examineProduction(config: Config, connection: pg.ClientConfig): Promise<Finding[]> {
  const { refused, accepted } = await judgeOnDatabase(config, connection);
  const risks = [...config.acceptedRisks, ...refused, ...accepted];
  const findings = [...refused.map(refusedFinding), ...accepted.map(acceptedFinding), ...idleOverrides(config, risks)];
  if (config.environment === 'production' && risks.length === 0)
    findings.push(good('Production', 'no risk is accepted'));
  return findings;
}

function acceptedFinding({ rule, override, found, remedy }: Risk): Finding {
  return noted(nameOf(rule), `accepted by ${override}: ${found}`, sentence(remedy));
}

function nameOf(rule: string): string {
  return `Production ${rule}`;
}

function sentence(remedy: string): string {
  return remedy.charAt(0).toUpperCase() + remedy.slice(1);
}
