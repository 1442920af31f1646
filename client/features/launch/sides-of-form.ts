import { nestValues, type PlacedOption } from '../../../shared/base/option.ts';
import { isSame } from '../../../shared/base/option-flag.ts';
import { type BySide, bySide, schemeOf } from '../../../shared/base/transport.ts';
import { comparisonOptions } from '../../../shared/kinds/comparison/options.ts';
import { addressProblem } from '../../../shared/target/address-problem.ts';
import { questionProblem } from '../../../shared/words/question-words.ts';
import { readField } from '../../format/option-field.ts';
import { pidsIn } from './address-fields.ts';
import type { FieldMessages, LaunchForm } from './form-shape.ts';
import type { OptionId } from './option-fields.ts';
import { placeOf, questionOf } from './question-form.ts';
import { counts, otherOrigin, otherServer, transportsIn, valuesOf } from './side-form.ts';
import { sideRows } from './side-rows.ts';

/** What a request has of the two columns: what is alike once, what differs on each side. */

export function readOptions(form: LaunchForm): {
  target: unknown;
  sides: BySide<object>;
} & Record<string, unknown> {
  const { target, sides, ...asked } = nestValues(
    comparisonOptions.flatMap((placed) => valuesAt(placed, form)),
  ) as { target?: unknown; sides?: Partial<BySide<OwnSide>> };
  return { ...asked, target, sides: bySide((side) => sideOf(form, side, sides?.[side] ?? {})) };
}

function valuesAt(placed: PlacedOption, form: LaunchForm): [PlacedOption, unknown][] {
  const row = sideRows.find(({ shared }) => shared.id === placed.id);
  if (row === undefined || !counts(row, form)) {
    return [[placed, readField(placed.option, form[placed.id as OptionId])]];
  }
  const { baseline, comparison } = valuesOf(row, form);
  if (isSame(baseline, comparison)) return [[placed, baseline]];
  return [
    [row.own.baseline, baseline],
    [row.own.comparison, comparison],
  ];
}

type OwnSide = { tls?: object; target?: object };

function sideOf(form: LaunchForm, side: keyof BySide<unknown>, ofTable: OwnSide): object {
  const name = form[`sides.${side}.name`].trim();
  const target = { ...ofTable.target, ...(side === 'comparison' ? otherTarget(form) : {}) };
  return {
    transport: form[`sides.${side}.transport`],
    ...(name === '' ? {} : { name }),
    ...ofTable,
    ...(Object.keys(target).length === 0 ? {} : { target }),
  };
}

function otherTarget(form: LaunchForm): object {
  const [server, origin] = [otherServer(form), otherOrigin(form)];
  if (server !== null) return { server };
  if (form.targetKind !== 'origins') return {};
  const [ca, trust, pid] = (['ca', 'trust', 'pid'] as const).map((name) =>
    form[`sides.comparison.target.${name}`].trim(),
  );
  return {
    ...(origin === null ? {} : { origin }),
    ...(origin === null || ca === '' ? {} : { ca }),
    ...(origin === null || trust === '' ? {} : { trust }),
    ...(pid === '' ? {} : { pid: pidsIn(pid) }),
  };
}

/** What no schema says of the two columns. */
export function sideMessages(form: LaunchForm): FieldMessages {
  const name = questionOf(form);
  const question = name === null ? null : questionProblem(name, placeOf(form));
  const origin = otherOrigin(form);
  const problem =
    origin !== null
      ? addressProblem(origin, schemeOf(transportsIn(form).comparison))
      : name === 'server' && form.targetKind === 'origins'
        ? 'Give the address that is compared with it.'
        : null;
  return {
    ...(question === null ? {} : { question }),
    ...(problem === null ? {} : { 'sides.comparison.target.origin': problem }),
  };
}

/** Where the form has a field of a request that is, or is a part of, an option; undefined for another one. */
export function optionAt(
  field: string,
): { id: keyof LaunchForm; option: PlacedOption['option'] } | undefined {
  const isAt = ({ id }: PlacedOption) => field === id || field.startsWith(`${id}.`);
  const shared = comparisonOptions.find(isAt);
  if (shared !== undefined) return { id: shared.id as OptionId, option: shared.option };
  for (const { option, own, ids } of sideRows) {
    if (isAt(own.baseline)) return { id: ids.baseline, option };
    if (isAt(own.comparison)) return { id: ids.comparison, option };
  }
  return undefined;
}
