/** Checks the facts against the production rules, and separates refused risks from those that an operator accepted. */
import type { Override } from './overrides.ts';
import {
  type ConfigurationFacts,
  type DatabaseFacts,
  PRODUCTION_RULES,
  type ProductionRule,
} from './production-rules.ts';

/** A broken rule. */
export interface Risk {
  readonly rule: string;
  readonly override: Override;
  /** The finding, and why it matters. */
  readonly found: string;
  readonly remedy: string;
}

export interface Judgement {
  readonly refused: readonly Risk[];
  /** Broken rules that an operator has overridden. */
  readonly accepted: readonly Risk[];
}

export const NO_RISK: Judgement = { refused: [], accepted: [] };

export function judgeConfiguration(facts: ConfigurationFacts, overrides: ReadonlySet<Override>): Judgement {
  return judge(
    PRODUCTION_RULES.flatMap((rule) => (rule.over === 'configuration' ? riskOf(rule, rule.find(facts)) : [])),
    overrides,
  );
}

export function judgeDatabase(facts: DatabaseFacts, overrides: ReadonlySet<Override>): Judgement {
  return judge(
    PRODUCTION_RULES.flatMap((rule) => (rule.over === 'database' ? riskOf(rule, rule.find(facts)) : [])),
    overrides,
  );
}

/** Returns one sentence with the finding, its consequence and the remedy. */
export function refusalOf({ found, remedy, override }: Risk): string {
  return `${found}; ${remedy}, or accept the risk by ${override}=yes`;
}

function riskOf({ name, why, remedy, override }: ProductionRule, found: string | undefined): Risk[] {
  return found === undefined ? [] : [{ rule: name, override, found: `${found}: ${why}`, remedy }];
}

function judge(risks: readonly Risk[], overrides: ReadonlySet<Override>): Judgement {
  return {
    refused: risks.filter(({ override }) => !overrides.has(override)),
    accepted: risks.filter(({ override }) => overrides.has(override)),
  };
}
