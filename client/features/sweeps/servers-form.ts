import { ProblemError } from '../../../shared/base/problem.ts';
import { expandPlan } from '../../../shared/kinds/servers/plan/expand-plan.ts';
import { serversS } from '../../../shared/kinds/servers/plan/servers-duration.ts';
import {
  type CellSettings,
  cellSettingsSchema,
  type FactorName,
  type FactorPlan,
  type FactorPlanInput,
  factorNames,
  factorPlanSchema,
  type ServersRequestInput,
  serversRequestSchema,
} from '../../../shared/kinds/servers/servers.ts';

/** A sweep over servers as it is filled in: levels as texts, those of numbers as one text with commas. */
export type ServersForm = {
  shape: 'grid' | 'each';
  ticked: Record<TickedFactor, string[]>;
  concurrency: string;
  document: string;
  rounds: string;
};

/** Factors with a checkbox for each level. */
export const tickedFactors = factorNames.filter(
  (factor): factor is TickedFactor => factor !== 'concurrency' && factor !== 'document',
);
export type TickedFactor = Exclude<FactorName, 'concurrency' | 'document'>;

export type ServersMessages = Partial<Record<FactorName | 'rounds' | 'plan', string>>;

type ParsedServers = {
  request: ServersRequestInput | null;
  messages: ServersMessages;
  /** Null while the plan cannot be counted. */
  size: { cells: number; seconds: number } | null;
};

/** The form of a plan, its base and levels together. Listed cells have no form. */
export function formOf(input: Exclude<FactorPlanInput, { shape: 'cells' }>, rounds = 6): ServersForm {
  const plan = factorPlanSchema.parse(input) as Exclude<FactorPlan, { shape: 'cells' }>;
  const levelsOf = (factor: FactorName) => (plan.levels[factor] ?? [plan.base[factor]]).map(String);
  return {
    shape: plan.shape,
    ticked: Object.fromEntries(
      tickedFactors.map((factor) => [factor, levelsOf(factor)]),
    ) as ServersForm['ticked'],
    concurrency: levelsOf('concurrency').join(', '),
    document: levelsOf('document').join(', '),
    rounds: String(rounds),
  };
}

/** Without the servers that cannot be measured. */
export function withServers(form: ServersForm, isThere: (name: string) => boolean): ServersForm {
  return { ...form, ticked: { ...form.ticked, server: form.ticked.server.filter(isThere) } };
}

/** The request, or what is wrong with each field. */
export function parseServersForm(form: ServersForm): ParsedServers {
  const levels = Object.fromEntries(
    factorNames.map((factor) => [
      factor,
      factor === 'concurrency' || factor === 'document'
        ? wordsOf(form[factor]).map(Number)
        : form.ticked[factor].map((text) => levelOf(factor, text)),
    ]),
  );
  const base = Object.fromEntries(factorNames.map((factor) => [factor, levels[factor]?.[0]]));
  const parsed = serversRequestSchema.safeParse({
    kind: 'servers',
    plan: { shape: form.shape, base, levels },
    rounds: Number(form.rounds.trim() || Number.NaN),
  });
  const messages: ServersMessages = {};
  for (const { path } of parsed.error?.issues ?? []) {
    const field = path.map(String).findLast((part) => part in sentences) as
      | keyof typeof sentences
      | undefined;
    if (field !== undefined) messages[field] = sentences[field];
  }
  for (const factor of ['concurrency', 'document'] as const) {
    if (new Set<unknown>(levels[factor]).size < (levels[factor]?.length ?? 0))
      messages[factor] = sentences[factor];
  }
  if (!parsed.success) return { request: null, messages, size: null };
  try {
    const cells = expandPlan(parsed.data.plan);
    const size = { cells: cells.length, seconds: serversS(parsed.data, cells) };
    return { request: Object.keys(messages).length === 0 ? parsed.data : null, messages, size };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return { request: null, messages: { ...messages, plan: error.problem.detail }, size: null };
  }
}

const atLeastOne = 'Choose at least one.';
const sentences: Record<FactorName | 'rounds', string> = {
  ...(Object.fromEntries(tickedFactors.map((factor) => [factor, atLeastOne])) as Record<
    TickedFactor,
    string
  >),
  concurrency: 'Enter up to 20 different whole numbers from 1 to 2,000.',
  document: 'Enter up to 20 different whole numbers up to 10,000,000.',
  rounds: 'Enter a whole number from 3 to 50.',
};

/** All levels of a factor, as texts; of a switch, the usual one first. */
export function levelsOfFactor(factor: TickedFactor): string[] {
  const schema = cellSettingsSchema.shape[factor].unwrap();
  if ('options' in schema) return schema.options.map(String);
  if ('unwrap' in schema) return [...schema.unwrap().options.map(String), 'null'];
  const usual = cellSettingsSchema.parse({})[factor] === true;
  return [String(usual), String(!usual)];
}

/** The level that a text stands for. */
export function levelOf<Name extends FactorName>(_factor: Name, text: string): CellSettings[Name] {
  const level = { true: true, false: false, null: null }[text];
  return (level === undefined ? text : level) as CellSettings[Name];
}

function wordsOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter((word) => word !== '');
}
