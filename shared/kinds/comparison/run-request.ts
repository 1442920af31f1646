import { z } from 'zod';
import { describe, requestSchemas, sideSchemas } from '../../base/option-schema.ts';
import { tlsOptions } from '../../base/tls.ts';
import { type TlsProfile, tlsProfileSchema } from '../../base/tls-profile.ts';
import {
  type BySide,
  bySide,
  isEncrypted,
  type SideName,
  schemeOf,
  sideNames,
  type Transport,
} from '../../base/transport.ts';
import { transportSchema } from '../../base/transport-schema.ts';
import { permalinkIdSchema } from '../../base/units.ts';
import { annotationChangeSchema } from '../../measurement/annotation.ts';
import { labelsSchema } from '../../measurement/runner.ts';
import { scenarioSchema, secretValuesSchema } from '../../scenario/scenario.ts';
import { serverNames, serverOptions } from '../../target/server-options.ts';
import { originsTargetSchema, type Target, targetRequestSchema } from '../../target/target.ts';
import { linkRequestSchema } from './link.ts';
import { loadOptions } from './options.ts';

/**
 * The two things that a run compares. The request's `target` and `tls` contain their common settings once; a side contains its
 * own.
 */

const ownTargetSchema = z
  .strictObject({
    /** Server of a target that is started for the run. */
    server: z.enum(serverNames),
    ...sideSchemas(serverOptions),
    /** Address of a running target, instead of the one of its scheme. */
    origin: z.string().max(300),
    ...originsTargetSchema.pick({ ca: true, clientCertificate: true, trust: true, pid: true }).shape,
  })
  .partial();

function sideSchema(transport: Transport) {
  return z.strictObject({
    /** Name on screens and in sentences. Default: made of the side's own settings. */
    name: z.string().trim().min(1).max(40).optional(),
    transport: transportSchema.default(transport),
    tls: z.strictObject(sideSchemas(tlsOptions)).optional(),
    target: ownTargetSchema.optional(),
  });
}

export const sidesRequestSchema = z.strictObject({
  baseline: sideSchema('http').prefault({}),
  comparison: sideSchema('https').prefault({}),
});
export type SidesRequest = z.infer<typeof sidesRequestSchema>;
export type SidesRequestInput = z.input<typeof sidesRequestSchema>;

/** One of the two, with everything that it has. */
export type Side = { transport: Transport; tls: TlsProfile; target: Target };

/** Settings of a request from which both sides are made. */
export type AskedSides = { sides: SidesRequest; tls: TlsProfile; target: Target };

/** The same of a document. */
export function askedSidesOf({
  target,
  asked: { sides, tls },
}: {
  target: Target;
  asked: Omit<AskedSides, 'target'>;
}): AskedSides {
  return { target, sides, tls };
}

/** Both sides of a request, whole. Settings that do not fit a side's kind of target are omitted; `problemsOfSides` names them. */
export function resolveSides(request: AskedSides): BySide<Side> {
  const sides = bySide((name) => resolveSide(request, name));
  const libraries = sideNames.map((name) => {
    const { transport, target } = sides[name];
    return isEncrypted(transport) && target.kind === 'managed' ? target.library : undefined;
  });
  const isOfLibraries = !libraries.includes(undefined) && new Set(libraries).size > 1;
  return isOfLibraries ? bySide((name) => ({ ...sides[name], tls: agreedOn(sides[name].tls) })) : sides;
}

/** Newer libraries prefer other groups and suites. Left alone, sides with another library would differ in those, too. */
function agreedOn(tls: TlsProfile): TlsProfile {
  const { version, group, cipher } = tls;
  return {
    ...tls,
    group: group ?? 'X25519',
    cipher: cipher ?? (version === 'TLSv1.2' ? null : 'TLS_AES_256_GCM_SHA384'),
  };
}

function resolveSide({ sides, tls, target }: AskedSides, name: SideName): Side {
  const own = sides[name];
  return {
    transport: transportOfSide(own),
    tls: { ...tls, ...given(own.tls ?? {}) },
    target: targetOfSide(target, own),
  };
}

/** An address says what it speaks, but for HTTP/2. */
function transportOfSide({ transport, target }: SidesRequest[SideName]): Transport {
  const scheme = /^(https?):/.exec(target?.origin ?? '')?.[1] as 'http' | 'https' | undefined;
  return scheme === undefined || schemeOf(transport) === scheme ? transport : scheme;
}

function targetOfSide(target: Target, side: SidesRequest[SideName]): Target {
  const { origin, ca, clientCertificate, trust, pid, ...ofServer } = given(side.target ?? {});
  if (target.kind === 'origins') {
    const at = origin === undefined ? {} : { [schemeOf(transportOfSide(side))]: origin };
    return { ...target, ...at, ...given({ ca, clientCertificate, trust, pid }) };
  }
  return target.kind === 'managed' ? { ...target, ...ofServer } : target;
}

type Given<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

function given<Fields extends object>(fields: Fields): Given<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Given<Fields>;
}

/**
 * Path of the field in which a request sets a property of a side.
 * @param field of the request without sides, such as `tls.group`, `target.key`, `target.https` or `transport`
 */
export function fieldOfSide({ sides }: Pick<AskedSides, 'sides'>, side: SideName, field: string): string {
  const [part, name] = field.split('.');
  const ofSide = (own: string) => `sides.${side}.${own}`;
  if (part === 'transport') return ofSide(part);
  const { tls = {}, target = {} } = sides[side];
  const own: Record<string, unknown> = part === 'tls' ? tls : part === 'target' ? target : {};
  if (part === 'target' && (name === 'http' || name === 'https'))
    return target.origin === undefined ? field : ofSide('target.origin');
  return name === undefined || own[name] === undefined ? field : ofSide(field);
}

/** Settings of a side that its target cannot have, by the field of the request. */
export function problemsOfSides(request: AskedSides): { field: string; message: string }[] {
  const resolved = resolveSides(request);
  const { kind } = request.target;
  return sideNames.flatMap((side) => {
    const own = given(request.sides[side].target ?? {});
    return [
      ...missingAddress(resolved[side]),
      ...Object.keys(own).flatMap((name) => {
        const needed = ['origin', 'ca', 'clientCertificate', 'trust', 'pid'].includes(name)
          ? 'origins'
          : 'managed';
        return needed === kind
          ? []
          : [{ field: `sides.${side}.target.${name}`, message: wrongKind[needed](name) }];
      }),
    ];
  });
}

/** Both sides have a target of one kind, which the request's own target names. */
const wrongKind = {
  origins: (name: string) => `${name} needs a running target: give its addresses in target`,
  managed: (name: string) =>
    `${name} needs a server that is started for the run: name one in target, such as nginx`,
};

function missingAddress({ target, transport }: Side): { field: string; message: string }[] {
  const scheme = schemeOf(transport);
  if (target.kind !== 'origins' || target[scheme] !== undefined) return [];
  return [{ field: `target.${scheme}`, message: `a side speaks ${scheme}, but there is no address for it` }];
}

/** Request of a run. */

export const runRequestSchema = z.strictObject({
  kind: z.literal('comparison').default('comparison'),
  target: targetRequestSchema.default({ kind: 'storefront' }),
  /** Id of a scenario or of one of its revisions, or a scenario; null for the one that the target comes with. */
  scenario: z
    .union([z.string().max(40), scenarioSchema], {
      error: 'scenario is an id such as "search", or a scenario',
    })
    .nullable()
    .default(null),
  /** Settings that differ between the sides. Two equal sides compare a listener with its twin. */
  sides: sidesRequestSchema.prefault({}),
  tls: tlsProfileSchema.prefault({}),
  ...requestSchemas(loadOptions),
  /** The path between generator and target, the same for all arms; left out for none but this machine’s. */
  link: describe(loadOptions.link, linkRequestSchema.optional()),
  /** ID of the finished run that it goes on from: everything else is asked as it was there. */
  continues: permalinkIdSchema.optional(),
});
export type RunRequest = z.infer<typeof runRequestSchema>;
export type RunRequestInput = z.input<typeof runRequestSchema>;

/** Sent beside a request of any kind: secrets, which are never stored, the annotation of its result, and the labels of its runner. */
export const besideRequest = {
  secrets: secretValuesSchema.default({}),
  annotation: annotationChangeSchema.optional(),
  /** That its runner must have. */
  labels: labelsSchema.optional(),
};

export const createRunSchema = runRequestSchema.extend(besideRequest);
export type CreateRun = z.infer<typeof createRunSchema>;
export type CreateRunInput = z.input<typeof createRunSchema>;
