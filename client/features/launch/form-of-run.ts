import { valueIn } from '../../../shared/base/option.ts';
import { comparisonOptions } from '../../../shared/kinds/comparison/options.ts';
import type { ShownRun } from '../../../shared/kinds/comparison/shown-run.ts';
import { resolveSides } from '../../../shared/kinds/comparison/side.ts';
import { pathsOf } from '../../../shared/scenario/path-scenario.ts';
import type { Target } from '../../../shared/target/target.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { fieldOf } from '../../format/option-field.ts';
import { emptyForm, type LaunchForm, ownScenario } from './form-shape.ts';
import { sideFields } from './sides-of-run.ts';

/** The form as it asks for a run again. What was trusted was trusted for that run only, and secrets were not kept. */
export function formOfRun(document: ShownRun): LaunchForm {
  const { asked, tlsProfile: tls, target } = document;
  const sides = resolveSides({ sides: asked.sides, tls, target });
  return {
    ...emptyForm,
    ...scenarioFields(document, sides.baseline.target),
    ...optionFields(document),
    ...sideFields(sides, asked.sides),
  };
}

function scenarioFields({ scenario, revisionId, asked }: ShownRun, target: Target): Partial<LaunchForm> {
  const usual = factsOf(target).scenario;
  const stored = asked.scenario ?? revisionId;
  if (typeof usual === 'string' && scenario.id === usual) return {};
  if (stored !== null) return { scenario: stored };
  const paths = target.kind === 'origins' ? pathsOf(scenario) : null;
  if (paths !== null) return { path: paths.join(' ') };
  if (JSON.stringify(usual) === JSON.stringify(scenario)) return {};
  return { scenario: ownScenario, ownScenario: JSON.stringify(scenario) };
}

function optionFields({ asked, tlsProfile, target }: ShownRun): Partial<LaunchForm> {
  const request = { ...asked, tls: tlsProfile, target: target.kind === 'managed' ? target : {} };
  const values = comparisonOptions.map((placed) => [placed, valueIn(request, placed)] as const);
  return Object.fromEntries(
    values
      .filter(([{ part }, value]) => part !== 'target' || value !== undefined)
      .map(([{ id, option }, value]) => [id, fieldOf(option, value)]),
  );
}
