import type { SecureContextOptions } from 'node:tls';
import { type Arms, fromSides, sidesOfArms } from '../../../shared/base/arms.ts';
import type { ErrorGroup } from '../../../shared/base/outcome.ts';
import { ProblemError, problem, problemAt } from '../../../shared/base/problem.ts';
import { defaultTlsProfile, type TlsProfile } from '../../../shared/base/tls-profile.ts';
import {
  type AskedArms,
  isEncrypted,
  type Transport,
  transportFacts,
} from '../../../shared/base/transport.ts';
import type { SideError } from '../../../shared/kinds/comparison/block.ts';
import type { Target, TargetKind, TargetOf } from '../../../shared/target/target.ts';
import { remedyOfIdleClose } from '../../../shared/words/causes.ts';
import { rehearseHandshake, withOffered } from './name-offered.ts';

/** Somewhere to measure, and what is to be measured there. */
export type AskedTarget<Name extends string> = {
  target: Target;
  /** Of the sides, in their order, where each has its own. */
  targets?: readonly Target[];
  /** Of the sides, what each asks for in TLS, where each has its own. */
  tls?: readonly TlsProfile[];
  /** PEM keys of client certificates, from the run's secrets. */
  clientKeys?: string | undefined;
  /** Whether a browser is to speak HTTP/3 with a side, in the order of the sides. */
  http3?: readonly boolean[];
  /** Page that a server of ours serves beside its documents. */
  page?: VisitedPage;
  /** What the sides are called; undefined for what they speak. */
  names?: readonly (string | undefined)[];
  /** Where the request says what holds for a side, where sides have something of their own. */
  fieldOf?(side: Name, field: string): string;
} & AskedArms<Name>;

/** A document, `/page.html`, with this many images, and the seconds after which the server closes an idle connection: the usual when absent. */
export type VisitedPage = { objects: number; idleS?: number | undefined };

/** The part of it that is one target, with the arms that are measured there. */
export type Asked<Kind extends TargetKind, Name extends string = string> = {
  target: TargetOf<Kind>;
  tls?: readonly TlsProfile[] | undefined;
  http3?: readonly boolean[] | undefined;
  page?: VisitedPage | undefined;
  clientKeys?: string | undefined;
  /** Names of the TLS libraries that the sides' servers load, null for their own; left out where all load their own. */
  libraries?: readonly (string | null)[] | undefined;
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
  http3,
  page,
  clientKeys,
  fieldOf,
}: AskedTarget<Name>): Asked<TargetKind, Name>[] {
  const sides = sidesOfArms(arms);
  const of = (index: number) => targets?.[index] ?? target;
  const groups = Map.groupBy(sides.keys(), (index) => JSON.stringify(of(index)));
  const libraries = sides.map((_, index) => libraryOf(of(index)));
  return [...groups.values()].map((indices) => {
    const names = new Set(indices.map((index) => sides[index]));
    return {
      target: of(indices[0] as number),
      arms: arms.filter(({ name, twinOf }) => names.has(twinOf ?? name)),
      transports: indices.map((index) => transports[index] as Transport),
      tls: tls && indices.map((index) => tls[index] as TlsProfile),
      ...(libraries.every((each) => each === null) ? {} : { libraries }),
      http3: http3 && indices.map((index) => http3[index] === true),
      ...{ page, clientKeys },
      ...(fieldOf === undefined ? {} : { fieldOf }),
    };
  });
}

/** How a server of ours compresses its certificates for each arm. Empty where no side asks for anything in TLS. */
export function compressionsOf<Name extends string>(
  arms: Arms<Name>,
  tls: readonly TlsProfile[] | undefined,
): { compressions?: Record<Name, TlsProfile['certificateCompression']> } {
  if (tls === undefined) return {};
  return {
    compressions: fromSides(
      arms,
      tls.map(({ certificateCompression }) => certificateCompression),
    ),
  };
}

function libraryOf(target: Target): string | null {
  return target.kind === 'managed' ? target.library : null;
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
    const isUsual = (['version', 'cipher', 'group', 'certificateCompression'] as const).every(
      (name) => profile[name] === defaultTlsProfile[name],
    );
    if (!isSecure || isUsual) continue;
    const options = await server();
    const rehearse = (other: TlsProfile) => rehearseHandshake(other, options, title);
    const found = await rehearse(profile);
    if (found === null) continue;
    const accepts = async (other: TlsProfile) => (await rehearse(other)) === null;
    const { message, wayOut } = await withOffered(found, profile, accepts);
    throw problemAt('tls_not_offered', fieldIn(asked, index, wayOut.field ?? 'tls'), message);
  }
}

/**
 * Why a run cannot go on with its target: it is gone, or it fails.
 * @param where such as `block 3` or `the warm-up`
 */
export function targetProblem(errors: readonly DescribedError[], where: string): ProblemError {
  const detail = `${describeErrors(errors)}.`;
  if (errors.some(({ outcome }) => outcome === 'connection_refused'))
    return problem('target_died', `The target stopped responding in ${where}: ${detail}`);
  const [reason] = reasons.filter(({ of }) => errors.some(of));
  return problem('target_errors', {
    detail: `The target failed in ${where}: ${detail}`,
    ...(reason === undefined ? {} : { advice: reason.advice }),
  });
}

/** Advice on errors that tell their reason; the most serious first. */
const reasons: readonly { of(error: DescribedError): boolean; advice: string }[] = [
  {
    // Only a server that answers with an error of its own has a reason in its log.
    of: ({ outcome, detail }) => outcome === 'unexpected_status' && /answered 5/.test(detail),
    advice: 'Check the server’s log.',
  },
  { of: ({ outcome }) => outcome === 'closed_idle', advice: remedyOfIdleClose },
  {
    of: ({ outcome }) => outcome === 'timed_out',
    advice: 'Use fewer users (--users), or find out what the server waits for.',
  },
  {
    of: ({ outcome }) => outcome === 'tls_changed',
    advice: 'Have every server behind the address offer the same TLS, and do not change it during a run.',
  },
];

/** The same of one side, by what it is called. */
export function problemOfSide(name: string, errors: readonly ErrorGroup[], where: string): ProblemError {
  return targetProblem(
    errors.map(({ transport: _, ...group }) => ({ ...group, name })),
    where,
  );
}

/** Of a side that has a name, or of one that is called by what it speaks. */
type DescribedError = Omit<SideError, 'side'> | ErrorGroup;

/** `X25519, Search: answered 500 instead of 200 (31 times)` — the largest group, and how many others there are. */
export function describeErrors(groups: readonly DescribedError[]): string {
  const [largest] = [...groups].sort((a, b) => b.count - a.count);
  if (largest === undefined) return 'no answer';
  const step = largest.step === null ? '' : `, ${largest.step}`;
  const times = largest.count === 1 ? 'once' : `${largest.count} times`;
  const others = groups.length - 1;
  const rest = others === 0 ? '' : `, and ${others} other ${others === 1 ? 'kind' : 'kinds'} of error`;
  const who = 'name' in largest ? largest.name : transportFacts[largest.transport].shortName;
  return `${who}${step}: ${largest.detail} (${times})${rest}`;
}
