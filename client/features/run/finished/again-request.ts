import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import type { OriginsTarget } from '../../../../shared/target/target.ts';
import { factsOf } from '../../../../shared/target/target-facts.ts';
import type { CreateMeasurement } from '../../../api/use-create-measurement.ts';

export type AgainRequest = Extract<CreateMeasurement, { kind: 'comparison' }>;

/** The request of a run once more; null where it needs what was never kept: secrets, tokens, keys, and trust for that run only. */
export function againRequest(document: ShownRun): AgainRequest | null {
  const {
    asked: { continues: _, ...asked },
    target,
    scenario,
  } = document;
  if (needsMore(document)) return null;
  return {
    ...asked,
    kind: 'comparison',
    target,
    scenario: asked.scenario ?? scenarioOf(document, factsOf(target).scenario, scenario),
  };
}

/** Null for the one that the target comes with. */
function scenarioOf({ revisionId }: ShownRun, usual: unknown, sent: ShownRun['scenario']) {
  if (typeof usual === 'string' && sent.id === usual) return null;
  if (revisionId !== null) return revisionId;
  return JSON.stringify(usual) === JSON.stringify(sent) ? null : sent;
}

function needsMore({ target, asked: { sides }, scenario }: ShownRun): boolean {
  if (JSON.stringify(scenario).includes('${secret:')) return true;
  if (target.kind !== 'origins') return false;
  const asksToken = target.agent !== undefined || target.prometheus?.bearer === true;
  const own: (Pick<OriginsTarget, 'trust' | 'clientCertificate'> | undefined)[] = [
    target,
    sides.baseline.target,
    sides.comparison.target,
  ];
  return asksToken || own.some((each) => (each?.trust ?? each?.clientCertificate) !== undefined);
}
