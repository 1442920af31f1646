import { ProblemError } from '../../../shared/base/problem.ts';
import { serversOptions } from '../../../shared/kinds/servers/options.ts';
import { expandPlan } from '../../../shared/kinds/servers/plan/expand-plan.ts';
import { serversS } from '../../../shared/kinds/servers/plan/servers-duration.ts';
import {
  type FactorPlan,
  type FactorPlanInput,
  factorNames,
  factorPlanSchema,
  type ServersRequest,
  serversRequestSchema,
} from '../../../shared/kinds/servers/servers.ts';
import { formOf, type OptionForm, readForm } from '../../format/option-form.ts';

type ParsedServers = {
  request: ServersRequest | null;
  messages: { [id: string]: string };
  /** Why the plan cannot be measured as a whole. */
  problem: string | null;
  /** Null while the plan cannot be counted. */
  size: { cells: number; seconds: number } | null;
};

/** The form of a plan, its base and levels together. Listed cells have no form. */
export function formOfPlan(input: Exclude<FactorPlanInput, { shape: 'cells' }>, rounds?: number): OptionForm {
  const plan = factorPlanSchema.parse(input) as Exclude<FactorPlan, { shape: 'cells' }>;
  const levels = Object.fromEntries(
    factorNames.map((factor) => [factor, plan.levels[factor] ?? [plan.base[factor]]]),
  );
  return formOf(serversOptions, { plan: { shape: plan.shape, levels }, rounds });
}

/** Without the servers that cannot be measured. */
export function withServers(form: OptionForm, isThere: (name: string) => boolean): OptionForm {
  const ticked = form['plan.levels.server'] as readonly string[];
  return { ...form, 'plan.levels.server': ticked.filter(isThere) };
}

/** The request, or what is wrong with each field. */
export function parseServersForm(form: OptionForm): ParsedServers {
  const { asked, messages } = readForm(serversOptions, form);
  const nothing = { request: null, messages, problem: null, size: null };
  if (Object.keys(messages).length > 0) return nothing;
  const { levels, shape } = asked.plan as { levels: Record<string, unknown[]>; shape: string };
  const base = Object.fromEntries(Object.entries(levels).map(([factor, [first]]) => [factor, first]));
  const request = serversRequestSchema.parse({ ...asked, kind: 'servers', plan: { shape, base, levels } });
  try {
    const cells = expandPlan(request.plan);
    return { ...nothing, request, size: { cells: cells.length, seconds: serversS(request, cells) } };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return { ...nothing, problem: error.problem.detail };
  }
}
