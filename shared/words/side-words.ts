import { isCounting, type PlacedOption, placeOptions, valueIn } from '../base/option.ts';
import { printOption, sideNameOf } from '../base/option-text.ts';
import { tlsOptions } from '../base/tls-options.ts';
import {
  type BySide,
  bySide,
  isEncrypted,
  type KnownSide,
  knownSide,
  labelsOf,
  schemeOf,
  sideNames,
  transportFacts,
} from '../base/transport.ts';
import { type AskedSides, resolveSides, type Side } from '../kinds/comparison/side.ts';
import { serverOptions } from '../target/server-options.ts';
import { joinValues } from './negotiated-words.ts';
import { serverTitles } from './target-words.ts';

/** What tells the two sides of a request apart, and what each is called for it. */

/** Something that both sides have and that differs. */
type SideDifference = {
  /** Of an option where it has its place in a request, such as `tls.group`. */
  id: string;
  name: string;
  /** As a list of facts has it. */
  values: BySide<string>;
  /** As a side is called for it. */
  names: BySide<string>;
};

/** What was asked for differently; what both negotiated may differ besides. Empty for a null run. */
export function differencesOfSides(request: AskedSides): SideDifference[] {
  const sides = resolveSides(request);
  return [...transportDifference(sides), ...targetDifferences(sides), ...optionDifferences(sides)];
}

/**
 * `Key agreement group: X25519 → X25519MLKEM768`, one after another; null where what they speak is all, as their names say that. Of
 * sides that are equal in everything, that this is a null run.
 */
export function differencesInWords(request: AskedSides): string | null {
  const differences = differencesOfSides(request);
  if (differences.length === 0) return 'Null run: both sides are the same';
  if (differences.every(({ id }) => id === transportId)) return null;
  return differences
    .map(({ name, values }) => `${name}: ${joinValues(values.baseline, values.comparison)}`)
    .join('; ');
}

export function isNullRun(request: AskedSides): boolean {
  return differencesOfSides(request).length === 0;
}

/**
 * What each side is called, where more than what it speaks tells it apart, or where it was named. Left out for what labels of transports
 * say.
 */
function nameSides(request: AskedSides): Partial<BySide<string>> {
  const differences = differencesOfSides(request);
  const speaks = differences.filter(({ id }) => id === transportId);
  const others = differences.filter(({ id }) => id !== transportId);
  const named = sideNames.flatMap((side) => {
    const own = request.sides[side].name;
    if (own !== undefined) return [[side, own] as const];
    if (others.length === 0) return [];
    return [[side, nameOf([...others, ...speaks].map(({ names }) => names[side]))] as const];
  });
  return Object.fromEntries(named);
}

/** Both, as results know them. */
export function knownSidesOf(request: AskedSides): BySide<KnownSide> {
  const [sides, names] = [resolveSides(request), nameSides(request)];
  return bySide((side) => {
    return knownSide({ transport: sides[side].transport, name: names[side] });
  });
}

const transportId = 'transport';
const longestName = 40;

function nameOf(parts: readonly string[]): string {
  const whole = parts.join(', ');
  return whole.length <= longestName ? whole : (parts[0] ?? '').slice(0, longestName);
}

function transportDifference(sides: BySide<Side>): SideDifference[] {
  if (sides.baseline.transport === sides.comparison.transport) return [];
  const names = labelsOf(sides);
  const values = bySide((side) => transportFacts[sides[side].transport].name);
  return [{ id: transportId, name: 'Protocol', values, names }];
}

/** Another server, or another address for what both speak. */
function targetDifferences(sides: BySide<Side>): SideDifference[] {
  const servers = bySide((side) => {
    const { target } = sides[side];
    return target.kind === 'managed' ? serverTitles[target.server] : null;
  });
  const addresses = bySide((side) => {
    const { target, transport } = sides[side];
    return target.kind === 'origins' ? (target[schemeOf(transport)] ?? null) : null;
  });
  const spokenAlike =
    schemeOf(sides.baseline.transport) === schemeOf(sides.comparison.transport) ? addresses : null;
  return [
    ...differenceOf('target.server', 'Server', servers),
    ...(spokenAlike === null ? [] : differenceOf('target.origin', 'Address', spokenAlike)),
  ];
}

function differenceOf(id: string, name: string, values: BySide<string | null>): SideDifference[] {
  const { baseline, comparison } = values;
  if (baseline === null || comparison === null || baseline === comparison) return [];
  const both = { baseline, comparison };
  return [{ id, name, values: both, names: bySide((side) => both[side].replace(/^https?:\/\//, '')) }];
}

const placed: readonly PlacedOption[] = [
  ...placeOptions('tls', tlsOptions),
  ...placeOptions('target', serverOptions),
].filter(({ option }) => option.perSide === true);

function optionDifferences(sides: BySide<Side>): SideDifference[] {
  const encrypted = sideNames.every((side) => isEncrypted(sides[side].transport));
  return placed.flatMap((each) => {
    const { id, option } = each;
    if (option.ofTls === true && !encrypted) return [];
    if (!sideNames.every((side) => counts(sides[side], each))) return [];
    const [baseline, comparison] = sideNames.map((side) => valueIn(sides[side], each));
    if (baseline === undefined || comparison === undefined || baseline === comparison) return [];
    const of = { baseline, comparison };
    return [
      {
        id,
        name: option.label,
        values: bySide((side) => printOption(option, of[side])),
        names: bySide((side) => sideNameOf(option, of[side])),
      },
    ];
  });
}

/** Some count only beside another option. */
function counts(side: Side, placed: PlacedOption): boolean {
  const { option } = placed;
  return isCounting(option, valueIn(side, { ...placed, name: option.when?.option ?? '' }));
}
