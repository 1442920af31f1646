import { isCounting, isSame, type Option, sideNameOf } from '../../../shared/base/option.ts';
import {
  type BySide,
  bySide,
  type SideName,
  schemeOf,
  type Transport,
  transportFacts,
} from '../../../shared/base/transport.ts';
import type { ServerName } from '../../../shared/target/server-options.ts';
import { serverTitles } from '../../../shared/target/target-words.ts';
import { choicesOf, fieldOf, readField } from '../../format/option-field.ts';
import { type LaunchForm, type SideRow, sideRows } from './form-shape.ts';

/** What the two columns ask for. */

/** Typed or chosen for no value, where no text is the baseline's. */
export const automatic = 'automatic';

export function ownFieldOf(option: Option, value: unknown): string {
  return value === null ? automatic : String(fieldOf(option, value));
}

/** What the right column offers of an option; null for what is typed. */
export function ownChoicesOf(option: Option): { value: string; label: string }[] | null {
  const asBaseline = { value: '', label: 'As baseline' };
  if (option.type === 'flag') {
    return [asBaseline, { value: 'true', label: 'On' }, { value: 'false', label: 'Off' }];
  }
  if (option.type !== 'choice') return null;
  return [asBaseline, ...choicesOf(option).map((each) => ({ ...each, value: each.value || automatic }))];
}

/** What a row asks for on each side; the comparison's may be a text that the option does not take. */
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

/** What tells the sides apart, in a line: “ECDSA P-256 → RSA-2048”. Null where nothing does. */
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
