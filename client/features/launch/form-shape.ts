import {
  isCounting,
  isSame,
  type Option,
  type PlacedOption,
  sideNameOf,
} from '../../../shared/base/option.ts';
import type { tlsOptions } from '../../../shared/base/tls.ts';
import {
  type BySide,
  bySide,
  type SideName,
  schemeOf,
  type Transport,
  transportFacts,
} from '../../../shared/base/transport.ts';
import {
  comparisonOptions,
  type loadOptions,
  sideOptions,
} from '../../../shared/kinds/comparison/options.ts';
import type { Labels } from '../../../shared/measurement/runner.ts';
import type { ServerName, serverOptions } from '../../../shared/target/server-options.ts';
import type { TargetKind } from '../../../shared/target/target.ts';
import { serverTitles } from '../../../shared/target/target-words.ts';
import { choicesOf, type FieldsOf, fieldOf, readField } from '../../format/option-field.ts';
import { type Sides, sidesOf } from '../../format/sides.ts';

/**
 * The two columns of the form, by where a request has their values. An option that the sides may differ by stands in the left one
 * under its own name: it holds for both, until the right one has a value too.
 */

const ownSides = {
  'sides.baseline.transport': 'http' as Transport,
  'sides.comparison.transport': 'https' as Transport,
  'sides.baseline.name': '',
  'sides.comparison.name': '',
  /** Empty for that of the baseline, like all that follow. */
  'sides.comparison.target.server': '' as ServerName | '',
  'sides.comparison.target.origin': '',
  'sides.comparison.target.ca': '',
  'sides.comparison.target.trust': '',
  'sides.comparison.target.pid': '',
};

export type SideFields = typeof ownSides & Record<OwnId, string>;

/** Each option as text; empty means the baseline's value. */
type OwnOptions<Table, Part extends string> = {
  -readonly [Name in keyof Table & string as Table[Name] extends { perSide: true }
    ? `sides.comparison.${Part}${Name}`
    : never]: string;
};
type OwnId = keyof (OwnOptions<typeof tlsOptions, 'tls.'> & OwnOptions<typeof serverOptions, 'target.'>);

/** An option that the sides may differ by: its fields, and where a request has it of each side. */
export type SideRow = {
  option: Option;
  shared: PlacedOption;
  ids: { baseline: OptionId; comparison: OwnId };
  own: BySide<PlacedOption>;
};

export const sideRows: readonly SideRow[] = comparisonOptions.flatMap((shared) => {
  const { option, id } = shared;
  const of = (side: SideName) =>
    sideOptions.find((each) => each.side === side && each.id.endsWith(`.${id}`)) as PlacedOption;
  if (option.perSide !== true) return [];
  const own = bySide(of);
  return [{ option, shared, own, ids: { baseline: id as OptionId, comparison: own.comparison.id as OwnId } }];
});

export const emptySides: SideFields = {
  ...ownSides,
  ...(Object.fromEntries(sideRows.map(({ ids }) => [ids.comparison, ''])) as Record<OwnId, ''>),
};

const ownFields = {
  targetKind: 'storefront' as TargetKind,
  http: '',
  https: '',
  /** With spaces between them. */
  path: '/',
  ca: '',
  /** SHA-256 of the one certificate to trust. */
  trust: '',
  twin: '',
  pid: '',
  agent: '',
  /** SHA-256 of its certificate. */
  agentKey: '',
  /** Never kept. */
  agentToken: '',
  /** Settings of an exporter; empty without one. */
  prometheus: '',
  prometheusCpu: '',
  prometheusMemory: '',
  /** Never kept. */
  prometheusToken: '',
  server: 'nginx' as ServerName,
  /** Empty for the one that the target comes with, which for two addresses is made of the path. */
  scenario: '',
  /** Scenario of an earlier run that is not stored, as JSON; chosen by the name `own`. */
  ownScenario: '',
  /** Values of the scenario's secrets by their names. */
  secrets: {} as Record<string, string>,
  /** The user chose the length; otherwise the one that is enough is taken. */
  lengthChosen: false,
  /** Labels of the runner, by name; several values make several sites. */
  labelValues: {} as Record<string, string[]>,
};

/** Values of the launch form: text as typed, checked only when it becomes a request. */
export type LaunchForm = typeof ownFields & OptionFields & SideFields;

export type SetField = (change: Partial<LaunchForm>) => void;

const optionFields = Object.fromEntries(
  comparisonOptions.map(({ id, option }) => [id, fieldOf(option, option.default)]),
) as OptionFields;

export const emptyForm: LaunchForm = { ...ownFields, ...optionFields, ...emptySides };

/** Messages by the field they belong to, in the form's own names. */
export type FieldMessages = Partial<Record<keyof LaunchForm | 'question', string>>;

export type FieldProps = { form: LaunchForm; set: SetField; messages: FieldMessages };

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

/** Fields of what else can read the target's CPU. */
export const agentFields = ['agent', 'agentKey', 'agentToken'] as const;
export const exporterFields = ['prometheus', 'prometheusCpu', 'prometheusMemory', 'prometheusToken'] as const;

/** The texts of these fields, trimmed; null while all of them are empty. */
export function typedIn<Name extends string & keyof LaunchForm>(
  form: LaunchForm,
  names: readonly Name[],
): Record<Name, string> | null {
  const texts = names.map((name) => [name, String(form[name]).trim()] as const);
  const isUsed = form.targetKind === 'origins' && texts.some(([, text]) => text !== '');
  return isUsed ? (Object.fromEntries(texts) as Record<Name, string>) : null;
}

/** Sites to measure from: one set of labels for each combination of the chosen values; none for any runner. */
export function sitesOf({ labelValues }: Pick<LaunchForm, 'labelValues'>): Labels[] {
  const chosen = Object.entries(labelValues).filter(([, values]) => values.length > 0);
  if (chosen.length === 0) return [];
  return chosen.reduce<Labels[]>(
    (sites, [name, values]) => sites.flatMap((site) => values.map((value) => ({ ...site, [name]: value }))),
    [{}],
  );
}

/** Chosen in place of the id of a stored one. */
export const ownScenario = 'own';

/** Name of a scenario that is stored nowhere. */
export function nameOfOwn({ ownScenario: text }: LaunchForm): string {
  const parsed = JSON.parse(text) as { name?: unknown } | null;
  return typeof parsed?.name === 'string' ? parsed.name : 'Unnamed scenario';
}

/** By where a request has them. */
export type OptionFields = FieldsOf<typeof loadOptions> &
  FieldsOf<typeof tlsOptions, 'tls.'> &
  FieldsOf<typeof serverOptions, 'target.'>;
export type OptionId = keyof OptionFields;

/** Values of the two columns. */

/** Typed or chosen for no value, where no text is the baseline's. */
export const automatic = 'automatic';

export function ownFieldOf(option: Option, value: unknown): string {
  return value === null ? automatic : String(fieldOf(option, value));
}

/** Choices of an option in the right column; null for typed text. */
export function ownChoicesOf(option: Option): { value: string; label: string }[] | null {
  const asBaseline = { value: '', label: 'Same as first side' };
  if (option.type === 'flag') {
    return [asBaseline, { value: 'true', label: 'On' }, { value: 'false', label: 'Off' }];
  }
  if (option.type !== 'choice') return null;
  return [asBaseline, ...choicesOf(option).map((each) => ({ ...each, value: each.value || automatic }))];
}

/** Values of a row on each side; the comparison's may be a text that the option does not accept. */
export function valuesOf({ option, ids }: SideRow, form: LaunchForm): BySide<unknown> {
  const baseline = readField(option, form[ids.baseline]);
  const text = form[ids.comparison].trim();
  if (text === '') return { baseline, comparison: baseline };
  if (text === automatic && option.default === null) return { baseline, comparison: null };
  return { baseline, comparison: readField(option, text) };
}

function differs(row: SideRow, form: LaunchForm): boolean {
  const { baseline, comparison } = valuesOf(row, form);
  return counts(row, form) && !isSame(baseline, comparison);
}

/** Whether a row applies to a side, or to either of them. */
export function counts({ option, shared }: SideRow, form: LaunchForm, side?: SideName): boolean {
  if (shared.part === 'target' && form.targetKind !== 'managed') return false;
  const named = option.when?.option;
  const other = sideRows.find(({ shared: { part, name } }) => part === shared.part && name === named);
  if (other === undefined) return true;
  const values = valuesOf(other, form);
  const applies = (value: unknown) => isCounting(option, value);
  return side === undefined ? Object.values(values).some(applies) : applies(values[side]);
}

export function transportsIn(form: LaunchForm): BySide<Transport> {
  return bySide((side) => form[`sides.${side}.transport`]);
}

/** How the sides are drawn, by what they speak. */
export function looksIn(form: LaunchForm): Sides {
  const transports = transportsIn(form);
  return sidesOf(bySide((side) => ({ transport: transports[side] })));
}

/** The scheme that both sides speak; null where each has its own. */
export function sharedScheme(form: LaunchForm): 'http' | 'https' | null {
  const { baseline, comparison } = transportsIn(form);
  return schemeOf(baseline) === schemeOf(comparison) ? schemeOf(baseline) : null;
}

/** The comparison's own server, where it has one. */
export function otherServer(form: LaunchForm): ServerName | null {
  const { targetKind, server, 'sides.comparison.target.server': other } = form;
  return targetKind !== 'managed' || other === '' || other === server ? null : other;
}

/** The comparison's own address, where it can have one. */
export function otherOrigin(form: LaunchForm): string | null {
  const origin = form['sides.comparison.target.origin'].trim();
  return form.targetKind === 'origins' && sharedScheme(form) !== null && origin !== '' ? origin : null;
}

/** Differences between the sides in a line: “ECDSA P-256 → RSA-2048”. Null if there are none. */
export function differencesInWords(form: LaunchForm): string | null {
  const { baseline, comparison } = transportsIn(form);
  const server = otherServer(form);
  const origin = otherOrigin(form);
  const pairs = [
    ...(baseline === comparison ? [] : [[transportFacts[baseline].name, transportFacts[comparison].name]]),
    ...(server === null ? [] : [[serverTitles[form.server], serverTitles[server]]]),
    ...(origin === null ? [] : [[form[schemeOf(baseline)].trim(), origin]]),
    ...sideRows
      .filter((row) => differs(row, form))
      .map((row) => Object.values(valuesOf(row, form)).map((value) => sideNameOf(row.option, value))),
  ];
  return pairs.length === 0 ? null : pairs.map((pair) => pair.join(' → ')).join(', ');
}
