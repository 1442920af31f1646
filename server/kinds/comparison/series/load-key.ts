import type { Environment } from '../../../../shared/base/environment.ts';
import { bySide } from '../../../../shared/base/transport.ts';
import type { RunFacts } from '../../../../shared/kinds/comparison/run.ts';
import type { RunRequest } from '../../../../shared/kinds/comparison/run-request.ts';
import { serversOfSides } from '../../../../shared/kinds/comparison/servers-of-sides.ts';
import { madeWith } from './made-with.ts';
import { questionOf } from './question-of.ts';

/** Increase when the rule that finds a load changes, so that loads from the older rule are searched again. */
const ruleVersion = 1;

/** Facts of a run after its preflight. */
type Known = {
  request: RunRequest;
  facts: RunFacts;
  environment: Environment;
  /** ID of the installation, which survives a restart of the kernel. */
  machine: string;
};

/**
 * The parts of the key to the load of a question, as text: the same for all runs with the same question, software, machine, and cores
 * for each end. The kernel is excluded, because after an update the first samples show whether the load still fits and the
 * programs that work besides the target, once they are known.
 */
export function loadKeyParts({ request, facts, environment, machine }: Known): string {
  const { scenario, preflight, placement, programs } = facts;
  const { cpuModel, cores, sides, beside } = madeWith({
    ...{ target: request.target.kind, environment, servers: serversOfSides(facts) },
    negotiated: bySide((side) => preflight?.sides[side].tls ?? null),
    programs,
  });
  return JSON.stringify([
    ruleVersion,
    questionOf(request, scenario),
    [machine, cpuModel, cores],
    placement === null
      ? null
      : [placement.generator.length, placement.target.length, placement.siblings ?? null],
    [request.generators, sides],
    ...(beside.length === 0 ? [] : [beside]),
  ]);
}
