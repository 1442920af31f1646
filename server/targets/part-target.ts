import { sidesOfArms } from '../../shared/base/arms.ts';
import { ProblemError, problem } from '../../shared/base/problem.ts';
import type { TlsProfile } from '../../shared/base/tls-profile.ts';
import type { AskedArms, Transport } from '../../shared/base/transport.ts';
import type { Target, TargetKind, TargetOf } from '../../shared/target/target.ts';

/** Somewhere to measure, and what is to be measured there. */
export type AskedTarget<Name extends string> = {
  target: Target;
  /** Of the sides, in their order, where each has its own. */
  targets?: readonly Target[];
  /** Of the sides, what each asks for in TLS, where each has its own. */
  tls?: readonly TlsProfile[];
  /** Where the request says what holds for a side, where sides have something of their own. */
  fieldOf?(side: Name, field: string): string;
} & AskedArms<Name>;

/** The part of it that is one target, with the arms that are measured there. */
export type Asked<Kind extends TargetKind, Name extends string = string> = {
  target: TargetOf<Kind>;
  /** Of the sides, what each asks for in TLS, where each has its own. */
  tls?: readonly TlsProfile[] | undefined;
} & AskedArms<Name>;

/** What is wrong with a part is said of the first of its sides. */
export async function atItsField<Name extends string, Value>(
  { arms }: Asked<TargetKind, Name>,
  { fieldOf }: Pick<AskedTarget<Name>, 'fieldOf'>,
  act: () => Promise<Value>,
): Promise<Value> {
  try {
    return await act();
  } catch (error) {
    const side = sidesOfArms(arms)[0] as Name;
    if (!(error instanceof ProblemError) || fieldOf === undefined) throw error;
    const { code, detail, errors } = error.problem;
    if (errors === undefined) throw error;
    const own = errors.map(({ field, message }) => ({ field: fieldOf(side, field), message }));
    throw problem(code, { detail, errors: own }, { cause: error });
  }
}

/** One for each target, with the arms that are measured on it: sides that have the same one share it. */
export function partsOf<Name extends string>({
  target,
  targets,
  arms,
  transports,
  tls,
}: AskedTarget<Name>): Asked<TargetKind, Name>[] {
  const sides = sidesOfArms(arms);
  const of = (index: number) => targets?.[index] ?? target;
  const groups = Map.groupBy(sides.keys(), (index) => JSON.stringify(of(index)));
  return [...groups.values()].map((indices) => {
    const names = new Set(indices.map((index) => sides[index]));
    return {
      target: of(indices[0] as number),
      arms: arms.filter(({ name, twinOf }) => names.has(twinOf ?? name)),
      transports: indices.map((index) => transports[index] as Transport),
      tls: tls && indices.map((index) => tls[index] as TlsProfile),
    };
  });
}
