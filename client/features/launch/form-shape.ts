import { comparisonOptions } from '../../../shared/kinds/comparison/options.ts';
import type { ServerName } from '../../../shared/target/server-names.ts';
import type { TargetKind } from '../../../shared/target/target.ts';
import { fieldOf } from '../../format/option-field.ts';
import type { OptionFields } from './option-fields.ts';
import { emptySides, type SideFields } from './side-rows.ts';

/** What the launch form holds: text as it was typed, checked only when it becomes a request. */
export type LaunchForm = OwnFields & OptionFields & SideFields;

type OwnFields = {
  targetKind: TargetKind;
  http: string;
  https: string;
  /** With spaces between them. */
  path: string;
  ca: string;
  /** SHA-256 of the one certificate to trust for this run; never kept. */
  trust: string;
  twin: string;
  pid: string;
  agent: string;
  /** SHA-256 of its certificate. */
  agentKey: string;
  /** Never kept. */
  agentToken: string;
  /** Of an exporter; empty without one. */
  prometheus: string;
  prometheusCpu: string;
  prometheusMemory: string;
  /** Never kept. */
  prometheusToken: string;
  server: ServerName;
  /** Empty for the one that the target comes with, which for two addresses is made of the path. */
  scenario: string;
  /** As JSON, a scenario that is stored nowhere, as an earlier run had it; chosen by the name `own`. */
  ownScenario: string;
  /** Values of the scenario's secrets by their names. */
  secrets: Record<string, string>;
  /** Of the runner, by the names of labels; of several values, each is a site. */
  labelValues: Record<string, string[]>;
};

export type SetField = (change: Partial<LaunchForm>) => void;

const ownFields: OwnFields = {
  targetKind: 'storefront',
  http: '',
  https: '',
  path: '/',
  ca: '',
  trust: '',
  twin: '',
  pid: '',
  agent: '',
  agentKey: '',
  agentToken: '',
  prometheus: '',
  prometheusCpu: '',
  prometheusMemory: '',
  prometheusToken: '',
  server: 'nginx',
  scenario: '',
  ownScenario: '',
  secrets: {},
  labelValues: {},
};

const optionFields = Object.fromEntries(
  comparisonOptions.map(({ id, option }) => [id, fieldOf(option, option.default)]),
) as OptionFields;

export const emptyForm: LaunchForm = { ...ownFields, ...optionFields, ...emptySides };

/** Messages by the field they belong to, in the form's own names. */
export type FieldMessages = Partial<Record<keyof LaunchForm | 'question', string>>;

/** The stored scenario that is shown; null where the target has one that is not stored. */
export function storedScenarioOf({ scenario, targetKind }: LaunchForm): string | null {
  if (scenario === ownScenario) return null;
  if (scenario !== '') return scenario;
  return targetKind === 'storefront' ? 'search' : null;
}

/** Whether requests are made of the path field. */
export function asksPaths({ scenario, targetKind }: LaunchForm): boolean {
  return targetKind === 'origins' && scenario === '';
}

export function usesAgent({ targetKind, agent, agentKey, agentToken }: LaunchForm): boolean {
  return targetKind === 'origins' && [agent, agentKey, agentToken].some((text) => text.trim() !== '');
}

export function usesExporter(form: LaunchForm): boolean {
  const { targetKind, prometheus, prometheusCpu, prometheusMemory, prometheusToken } = form;
  const typed = [prometheus, prometheusCpu, prometheusMemory, prometheusToken];
  return targetKind === 'origins' && typed.some((text) => text.trim() !== '');
}

/** Chosen in place of the id of a stored one. */
export const ownScenario = 'own';
