import { isRecord } from '../../../text/is-record.ts';
import { upgradePreflight, upgradeSides } from '../../upgrade-sides.ts';
import { dropSettled } from './name-costs.ts';
import { upgradePlan } from './upgrade-plan.ts';

/** What was noted of a run of any version, as today's. */
export function upgradeFacts(facts: unknown): unknown {
  if (!isRecord(facts)) return facts;
  return {
    launches: [],
    server: null,
    placement: null,
    ...facts,
    ...(Array.isArray(facts.launches) ? { launches: facts.launches.map(dropSettled) } : {}),
    plan: upgradePlan(facts.plan),
    preflight: upgradePreflight(facts.preflight),
    cache: upgradeSides(facts.cache),
  };
}
