import type { SecureContextOptions } from 'node:tls';
import { sidesOfArms } from '../../../shared/base/arms.ts';
import { ProblemError, problem, problemAt } from '../../../shared/base/problem.ts';
import type { TlsProfile } from '../../../shared/base/tls-profile.ts';
import { type AskedArms, isEncrypted, type Transport } from '../../../shared/base/transport.ts';
import type { Target, TargetKind, TargetOf } from '../../../shared/target/target.ts';
import { rehearseHandshake, withOffered } from '../preflight/name-offered.ts';

/** Somewhere to measure, and what is to be measured there. */
export type AskedTarget<Name extends string> = {
  target: Target;
  /** Of the sides, in their order, where each has its own. */
  targets?: readonly Target[];
  /** Of the sides, what each asks for in TLS, where each has its own. */
  tls?: readonly TlsProfile[];
  /** PEM keys of client certificates, from the run's secrets. */
  clientKeys?: string | undefined;
  /** What the sides are called; undefined for what they speak. */
  names?: readonly (string | undefined)[];
  /** Where the request says what holds for a side, where sides have something of their own. */
  fieldOf?(side: Name, field: string): string;
} & AskedArms<Name>;

/** The part of it that is one target, with the arms that are measured there. */
export type Asked<Kind extends TargetKind, Name extends string = string> = {
  target: TargetOf<Kind>;
  tls?: readonly TlsProfile[] | undefined;
  clientKeys?: string | undefined;
  fieldOf?(side: Name, field: string): string;
} & AskedArms<Name>;

/** Where the request says what holds for a side of a part. @param index of the side, in their order */
export function fieldIn<Name extends string>(
  { arms, fieldOf }: Pick<Asked<TargetKind, Name>, 'arms' | 'fieldOf'>,
  index: number,
  field: string,
): string {
  return fieldOf?.(sidesOfArms(arms)[index] as Name, field) ?? field;
}

/** What is wrong with a part, and not with one of its sides, is said of the first of them. */
export async function atItsField<Name extends string, Value>(
  part: Asked<TargetKind, Name>,
  act: () => Promise<Value>,
): Promise<Value> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.errors === undefined) throw error;
    const { code, detail, errors } = error.problem;
    const own = errors.map(({ field, message }) => ({ field: fieldIn(part, 0, field), message }));
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
  clientKeys,
  fieldOf,
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
      clientKeys,
      ...(fieldOf === undefined ? {} : { fieldOf }),
    };
  });
}

/**
 * Refuses what a server of ours does not offer before a run of it waits. Throws tls_not_offered at the field that asks for it.
 * @param title of the server, as a sentence begins
 * @param server how its TLS is configured, and one of the certificates that it can have
 */
export async function demandTerms(
  asked: Omit<Asked<TargetKind>, 'target'>,
  title: string,
  server: () => Promise<SecureContextOptions>,
): Promise<void> {
  for (const [index, profile] of (asked.tls ?? []).entries()) {
    const isSecure = isEncrypted(asked.transports[index] as Transport);
    if (!isSecure || [profile.version, profile.cipher, profile.group].every((each) => each === null))
      continue;
    const options = await server();
    const rehearse = (other: TlsProfile) => rehearseHandshake(other, options, title);
    const found = await rehearse(profile);
    if (found === null) continue;
    const accepts = async (other: TlsProfile) => (await rehearse(other)) === null;
    const { message, wayOut } = await withOffered(found, profile, accepts);
    throw problemAt('tls_not_offered', fieldIn(asked, index, wayOut.field ?? 'tls'), message);
  }
}
