/** Holds the facts against the rules of production: what is refused, and what an operator has accepted. */
import type { Override } from './overrides.ts';
import {
  type ConfigurationFacts,
  type DatabaseFacts,
  PRODUCTION_RULES,
  type ProductionRule,
} from './production-rules.ts';

/** A rule that is broken. */
export interface Risk {
  readonly rule: string;
  readonly override: Override;
  /** The finding, and why it matters. */
  readonly found: string;
  readonly mend: string;
}

export interface Judgement {
  readonly refused: readonly Risk[];
  /** Broken as well, and overridden. */
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

/** One sentence: what is so, why it matters, how to mend it. */
export function refusalOf({ found, mend, override }: Risk): string {
  return `${found}; ${mend}, or accept the risk by ${override}=yes`;
}

function riskOf({ name, why, mend, override }: ProductionRule, found: string | undefined): Risk[] {
  return found === undefined ? [] : [{ rule: name, override, found: `${found}: ${why}`, mend }];
}

function judge(risks: readonly Risk[], overrides: ReadonlySet<Override>): Judgement {
  return {
    refused: risks.filter(({ override }) => !overrides.has(override)),
    accepted: risks.filter(({ override }) => overrides.has(override)),
  };
}
