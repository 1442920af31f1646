import { z } from 'zod';
import type { Environment } from '../../../shared/base/environment.ts';
import { placeOptions, valueIn } from '../../../shared/base/option.ts';
import { type NegotiatedTls, negotiatedTlsSchema } from '../../../shared/base/tls-profile.ts';
import {
  type BySide,
  bySide,
  isEncrypted,
  type SideName,
  schemeOf,
  sideNames,
} from '../../../shared/base/transport.ts';
import { bySideSchema } from '../../../shared/base/transport-schema.ts';
import { type AtLoad, atLoadSchema } from '../../../shared/kinds/comparison/at-load.ts';
import { linkWord } from '../../../shared/kinds/comparison/link-text.ts';
import type { RunOfQuestion } from '../../../shared/kinds/comparison/past.ts';
import { namesBeside, type Program, programSchema } from '../../../shared/kinds/comparison/program.ts';
import type { RunFacts } from '../../../shared/kinds/comparison/run.ts';
import {
  type RunRequest,
  resolveSides,
  runRequestSchema,
  type Side,
} from '../../../shared/kinds/comparison/run-request.ts';
import { type Scenario, scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { serverOptions } from '../../../shared/target/server-options.ts';
import type { MeasuredServer, TargetKind } from '../../../shared/target/target.ts';
import { serversOfSides } from '../../../shared/words/side-words.ts';
import type { MadeWith } from './comparable-runs.ts';
import { contentOf } from './setup-differences.ts';

/** The parts of a request that make its question. Its length, precision, and time do not. */
export type AskedQuestion = Pick<
  RunRequest,
  | ('sides' | 'tls' | 'target')
  | ('users' | 'pairUsers' | 'thinkTimeScale')
  | ('connectionPolicy' | 'requestsPerConnection' | 'link' | 'generatorHosts' | 'generatorPods')
>;

/**
 * Identifies a question. Runs of one question share both sides, the users with what they send, how long their connections live, and
 * where they come from. A new process, a new certificate or another name of a side makes no new question.
 */
export function questionOf(request: AskedQuestion, sent: Scenario): string {
  const sides = resolveSides(request);
  const {
    users,
    pairUsers,
    thinkTimeScale,
    connectionPolicy,
    requestsPerConnection,
    link,
    generatorHosts,
    generatorPods,
  } = request;
  return JSON.stringify([
    sideNames.map((name) => sideOf(name, sides[name])),
    [users, pairUsers, thinkTimeScale],
    [connectionPolicy, connectionPolicy === 'requests-per-connection' ? requestsPerConnection : null],
    link === undefined ? null : linkWord(link),
    contentOf(sent),
    ...(generatorHosts === undefined ? [] : [generatorHosts]),
    ...(generatorPods === undefined ? [] : [`${generatorPods} pods`]),
  ]);
}

function sideOf(name: SideName, { transport, tls, target }: Side): unknown[] {
  return [transport, isEncrypted(transport) ? tlsOf(tls) : null, targetOf(name, transport, target)];
}

function tlsOf({ version, cipher, group, resumption, resumedShare, verify }: Side['tls']): unknown[] {
  return [version, cipher, group, resumption, resumption === 'mix' ? resumedShare : null, verify];
}

function targetOf(name: SideName, transport: Side['transport'], target: Side['target']): unknown[] {
  if (target.kind === 'origins') {
    const { twin, agent, prometheus } = target;
    return [target.kind, target[schemeOf(transport)], name === 'baseline' ? twin : null, agent, prometheus];
  }
  if (target.kind !== 'managed') return [target.kind];
  const options = placeOptions(null, serverOptions)
    .filter(({ option }) => option.ofTls !== true || isEncrypted(transport))
    .flatMap((placed) => {
      const value = valueIn(target, placed);
      // A server's own way is no part of a question.
      if (placed.option.default === null) return value === null ? [] : [[placed.name, value]];
      return [value];
    });
  return [target.kind, target.server, ...options];
}

/** Software of a server, without its configuration. */
export type NamedServer = Pick<MeasuredServer, 'title' | 'version' | 'tlsLibrary'>;

type Known = {
  target: TargetKind;
  environment: Pick<Environment, 'machine' | 'cpuModel' | 'cores' | 'kernel' | 'node' | 'openssl'>;
  servers: BySide<NamedServer | null>;
  /** TLS in the check of the target; null without TLS. */
  negotiated: BySide<NegotiatedTls | null>;
  /** Absent where the target works alone. */
  programs?: readonly Pick<Program, 'name' | 'role'>[] | undefined;
  /** Absent where connections were as planned. */
  departed?: string | undefined;
};

export function madeWith({ target, environment, servers, negotiated, programs, departed }: Known): MadeWith {
  const { machine = null, cpuModel, cores, kernel } = environment;
  return {
    ...{ machine, cpuModel, cores, kernel, beside: namesBeside(programs), departed: departed ?? null },
    sides: bySide((side) => ({
      server: target === 'storefront' ? ourServer(environment) : named(servers[side]),
      negotiated: partsOf(negotiated[side]),
    })),
  };
}

type MadeSide = RunOfQuestion['sides']['baseline'];

/** The storefront is served by this program. */
function ourServer({ node, openssl }: Known['environment']): MadeSide['server'] {
  return { title: 'Node', version: node, tlsLibrary: `OpenSSL ${openssl}` };
}

function named(server: NamedServer | null): MadeSide['server'] {
  if (server === null) return null;
  const { title, version, tlsLibrary } = server;
  return { title, version, tlsLibrary };
}

function partsOf(negotiated: NegotiatedTls | null): MadeSide['negotiated'] {
  if (negotiated === null) return null;
  const { protocol, cipher, group } = negotiated;
  return { protocol, cipher, group };
}

const serverSchema = z.object({ title: z.string(), version: z.string(), tlsLibrary: z.string().nullable() });

const factsSchema = z.object({
  scenario: scenarioSchema,
  plan: z.object({ openMs: z.number().nullable() }),
  server: serverSchema.nullable().default(null),
  baselineServer: serverSchema.optional(),
  preflight: z
    .object({ sides: bySideSchema(z.object({ tls: negotiatedTlsSchema.nullable() })) })
    .nullable()
    .catch(null),
  atLoad: atLoadSchema.nullable().catch(null).default(null),
  departed: z.string().optional().catch(undefined),
  programs: z
    .array(z.object({ name: z.string(), role: programSchema.shape.role }))
    .catch([])
    .default([]),
});

type OpenedRun = {
  request: RunRequest;
  question: string;
  /** At which it was asked in open load, where metrics that are read there are alike. */
  openLoad: string;
  servers: BySide<NamedServer | null>;
  /** TLS in the check of the target; null without TLS. */
  negotiated: BySide<NegotiatedTls | null>;
  atLoad: AtLoad | null;
  programs: z.infer<typeof factsSchema>['programs'];
  /** How connections departed from the plan; undefined where they did not. */
  departed: string | undefined;
};

/** A run as it was stored, of which only this is read. Null for one that cannot be parsed. */
export function openStored({ request, facts }: { request: unknown; facts: unknown }): OpenedRun | null {
  const asked = runRequestSchema.safeParse(request).data;
  const noted = factsSchema.safeParse(facts).data;
  if (asked === undefined || noted === undefined) return null;
  const { scenario, plan, preflight, atLoad, programs, departed } = noted;
  return {
    request: asked,
    question: questionOf(asked, scenario),
    openLoad: openLoadOf(asked, plan),
    servers: serversOfSides(noted),
    negotiated: bySide((side) => preflight?.sides[side].tls ?? null),
    atLoad,
    programs,
    departed,
  };
}

export function openLoadOf(
  { ratePerS, rampMs }: Pick<RunRequest, 'ratePerS' | 'rampMs'>,
  { openMs }: { openMs: number | null },
): string {
  return openMs === null ? 'none' : JSON.stringify([ratePerS, rampMs]);
}

/** Increase when the rule that finds a load changes, so that loads from the older rule are searched again. */
const ruleVersion = 1;

/** Facts of a run after its preflight. */
type StoredKnown = {
  request: RunRequest;
  facts: RunFacts;
  environment: Environment;
  /** ID of the installation, which survives a restart of the kernel. */
  machine: string;
};

/**
 * The parts of the key to the load of a question, as text: the same for all runs with the same question, software, machine, and cores
 * for each end. The kernel is excluded, because after an update the first samples show whether the load still fits and the
 * programs that work besides the target, once they are known.
 */
export function loadKeyParts({ request, facts, environment, machine }: StoredKnown): string {
  const { scenario, preflight, placement, programs } = facts;
  const { cpuModel, cores, sides, beside } = madeWith({
    ...{ target: request.target.kind, environment, servers: serversOfSides(facts) },
    negotiated: bySide((side) => preflight?.sides[side].tls ?? null),
    programs,
  });
  return JSON.stringify([
    ruleVersion,
    questionOf(request, scenario),
    [machine, cpuModel, cores],
    placement === null
      ? null
      : [placement.generator.length, placement.target.length, placement.siblings ?? null],
    [request.generators, sides],
    ...(beside.length === 0 ? [] : [beside]),
  ]);
}
