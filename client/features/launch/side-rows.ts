import type { Option, PlacedOption } from '../../../shared/base/option.ts';
import type { tlsOptions } from '../../../shared/base/tls-options.ts';
import { type BySide, bySide, type SideName, type Transport } from '../../../shared/base/transport.ts';
import { comparisonOptions, sideOptions } from '../../../shared/kinds/comparison/options.ts';
import type { ServerName } from '../../../shared/target/server-names.ts';
import type { serverOptions } from '../../../shared/target/server-options.ts';
import type { OptionId } from './option-fields.ts';

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
  /** Never kept, as `trust` is not. */
  'sides.comparison.target.trust': '',
  'sides.comparison.target.pid': '',
};

export type SideFields = typeof ownSides & Record<OwnId, string>;

/** As text, whatever the option is; empty for as the baseline. */
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
