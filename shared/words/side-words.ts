import { type PlacedOption, placeOptions, valueIn } from '../base/option.ts';
import { printOption, sideNameOf } from '../base/option-text.ts';
import { tlsOptions } from '../base/tls-options.ts';
import type { TlsProfile } from '../base/tls-profile.ts';
import {
  type BySide,
  bySide,
  type KnownSide,
  knownSide,
  labelsOf,
  schemeOf,
  sideNames,
  transportFacts,
} from '../base/transport.ts';
import { resolveSides, type Side, type SidesRequest } from '../kinds/comparison/side.ts';
import { serverOptions } from '../target/server-options.ts';
import type { Target } from '../target/target.ts';
import { serverTitles } from './target-words.ts';

/** What tells the two sides of a request apart, and what each is called for it. */

type Asked = { sides: SidesRequest; tls: TlsProfile; target: Target };

/** Something that both sides have and that differs. */
type SideDifference = {
  name: string;
  /** As a list of facts has it. */
  values: BySide<string>;
  /** As a side is called for it. */
  names: BySide<string>;
};

/** What was asked for differently; what both negotiated may differ besides. Empty for a null run. */
export function differencesOfSides(request: Asked): SideDifference[] {
  const sides = resolveSides(request);
  return [...transportDifference(sides), ...targetDifferences(sides), ...optionDifferences(sides)];
}

/**
 * What each side is called, where more than what it speaks tells it apart, or where it was named. Left out for what labels of transports
 * say.
 */
function nameSides(request: Asked): Partial<BySide<string>> {
  const differences = differencesOfSides(request);
  const speaks = differences.filter(({ name }) => name === transportName);
  const others = differences.filter(({ name }) => name !== transportName);
  const named = sideNames.flatMap((side) => {
    const own = request.sides[side].name;
    if (own !== undefined) return [[side, own] as const];
    if (others.length === 0) return [];
    return [[side, nameOf([...others, ...speaks].map(({ names }) => names[side]))] as const];
  });
  return Object.fromEntries(named);
}

/** Both, as results know them. */
export function knownSidesOf(request: Asked): BySide<KnownSide> {
  const [sides, names] = [resolveSides(request), nameSides(request)];
  return bySide((side) => {
    return knownSide({ transport: sides[side].transport, name: names[side] });
  });
}

const transportName = 'Protocol';
const longestName = 40;

function nameOf(parts: readonly string[]): string {
  const whole = parts.join(', ');
  return whole.length <= longestName ? whole : (parts[0] ?? '').slice(0, longestName);
}

function transportDifference(sides: BySide<Side>): SideDifference[] {
  if (sides.baseline.transport === sides.comparison.transport) return [];
  const names = labelsOf(sides);
  return [
    { name: transportName, values: bySide((side) => transportFacts[sides[side].transport].name), names },
  ];
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
    ...differenceOf('Server', servers),
    ...(spokenAlike === null ? [] : differenceOf('Address', spokenAlike)),
  ];
}

function differenceOf(name: string, values: BySide<string | null>): SideDifference[] {
  const { baseline, comparison } = values;
  if (baseline === null || comparison === null || baseline === comparison) return [];
  const both = { baseline, comparison };
  return [{ name, values: both, names: bySide((side) => both[side].replace(/^https?:\/\//, '')) }];
}

const placed: readonly PlacedOption[] = [
  ...placeOptions('tls', tlsOptions),
  ...placeOptions('target', serverOptions),
].filter(({ option }) => option.perSide === true);

function optionDifferences(sides: BySide<Side>): SideDifference[] {
  return placed.flatMap((each) => {
    const { option } = each;
    const [baseline, comparison] = sideNames.map((side) => valueIn(sides[side], each));
    if (baseline === undefined || comparison === undefined || baseline === comparison) return [];
    const of = { baseline, comparison };
    return [
      {
        name: option.label,
        values: bySide((side) => printOption(option, of[side])),
        names: bySide((side) => sideNameOf(option, of[side])),
      },
    ];
  });
}
