import type { Environment } from '../../../../shared/base/environment.ts';
import { bySide } from '../../../../shared/base/transport.ts';
import type { RunFacts } from '../../../../shared/kinds/comparison/run.ts';
import type { RunRequest } from '../../../../shared/kinds/comparison/run-request.ts';
import { serversOfSides } from '../../../../shared/kinds/comparison/servers-of-sides.ts';
import { madeWith } from './made-with.ts';
import { questionOf } from './question-of.ts';

/** Raised when the rule that finds a load changes: loads that an older rule found are then found again. */
const ruleVersion = 1;

/** What a run knows after its preflight. */
type Known = {
  request: RunRequest;
  facts: RunFacts;
  environment: Environment;
  /** Of the installation, which a restart of the kernel leaves as it is. */
  machine: string;
};

/**
 * The parts that name the load of a question, as text: the same for all runs that ask it of the same software, on the same machine,
 * and with as many cores for each end. The kernel is not one of them: after an update, the first samples show whether the load
 * still fits. The programs that work are to be added to the sides when they are known.
 */
export function loadKeyParts({ request, facts, environment, machine }: Known): string {
  const { scenario, preflight, placement } = facts;
  const { cpuModel, cores, sides } = madeWith({
    ...{ target: request.target.kind, environment, servers: serversOfSides(facts) },
    negotiated: bySide((side) => preflight?.sides[side].tls ?? null),
  });
  return JSON.stringify([
    ruleVersion,
    questionOf(request, scenario),
    [machine, cpuModel, cores],
    placement === null
      ? null
      : [placement.generator.length, placement.target.length, placement.siblings ?? null],
    [request.generators, sides],
  ]);
}
