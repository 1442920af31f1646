import { type Arms, byArm } from '../../shared/base/arms.ts';
import type { SideName } from '../../shared/base/transport.ts';
import { type RunRequestInput, runRequestSchema } from '../../shared/kinds/comparison/run-request.ts';
import { pathScenario } from '../../shared/scenario/path-scenario.ts';
import type { Scenario } from '../../shared/scenario/scenario.ts';
import { serverNames } from '../../shared/target/server-names.ts';
import type { Listener } from '../../shared/target/target.ts';
import type { Generator } from '../drive/load/start-generator.ts';
import { readingsHere, realApparatus } from '../kinds/apparatus.ts';
import { type Round, rounds } from '../measure/rounds.ts';
import { askTarget } from '../targets/ask-target.ts';
import { findServers } from '../targets/managed/find-servers.ts';
import { type OpenTarget, openTarget } from '../targets/open-target.ts';
import type { Readings } from '../targets/sampling/readings.ts';
import { searchScenario } from '../targets/storefront/search-scenario.ts';

/** Shared by the benches of the method: a server loaded in rounds, without a plan. */

/** Number of users, because no load is searched here. */
const users = 8;
const usualBytes = 10_000;
const twoSides = [
  { name: 'baseline', letter: 'A' },
  { name: 'comparison', letter: 'B' },
] as const satisfies Arms<SideName>;

/** A server that is started, and the requests to it. */
export type Loaded = { name: string; request: RunRequestInput; scenario: Scenario };

/**
 * Null if the server is not installed.
 * @param name `storefront` (with its journey) or a managed server, optionally with its page's bytes: `nginx-1000`
 */
function loadedBy(name: string): Loaded | null {
  if (name === 'storefront') return { name, request: {}, scenario: searchScenario };
  const [, title = '', bytes] = /^([a-z0-9]+?)(?:-(\d+))?$/.exec(name) ?? [];
  const server = serverNames.find((each) => each === title);
  if (server === undefined)
    throw new Error(
      `"${name}" is not storefront, ${serverNames.join(', ')}, or one with bytes as in nginx-1000.`,
    );
  if (!findServers().some((each) => each.name === server && each.installed)) return null;
  const size = Number(bytes ?? usualBytes);
  return {
    ...{ name, request: { target: { kind: 'managed', server, documents: [size] } } },
    scenario: pathScenario([`/${size}.html`], null),
  };
}

/** Installed servers among `names`. */
export function loadedByNames(names: readonly string[]): Loaded[] {
  return names.flatMap((name) => {
    const loaded = loadedBy(name);
    if (loaded === null) process.stderr.write(`${name} is not installed and is left out.\n`);
    return loaded ?? [];
  });
}

export type Bench<Name extends string> = {
  arms: readonly Name[];
  generator: Generator;
  readings: Readings<Name>;
};

/** Starts the server for both sides. */
export function startLoaded(
  { request }: Loaded,
  dataDirectory: string,
  signal: AbortSignal,
): Promise<OpenTarget<SideName>> {
  const house = { dataDirectory, storefrontDatabaseUrl: null, chromiumPath: null };
  return openTarget(askTarget(runRequestSchema.parse(request), twoSides, {}), house, signal);
}

/** Points the generator at all these arms, and pins generator and target to cores as a run does. */
export async function openBench<Name extends string>(
  generator: Generator,
  { request, scenario }: Loaded,
  listeners: Record<Name, Listener>,
): Promise<Bench<Name>> {
  const arms = Object.keys(listeners) as Name[];
  await realApparatus.place(generator, { ours: true, listeners });
  const { tls, connectionPolicy } = runRequestSchema.parse(request);
  await generator.configure({
    ...{ listeners: arms.map((arm) => listeners[arm]), scenario, tls, connectionPolicy, connections: users },
    requestTimeoutMs: 5000,
  });
  for (const arm of arms) await generator.prepare(arm);
  return { arms, generator, readings: readingsHere(listeners, realApparatus) };
}

/** Rounds of turns of all arms in random order, for the given time, at least one. */
export function runRounds<Name extends string>(
  { arms, generator, readings }: Bench<Name>,
  { burstMs, ...extent }: { burstMs: number; ms: number; seed: number; signal: AbortSignal },
): AsyncGenerator<Round<Name>> {
  const turns = arms.map((arm) => ({ arm, users, burstMs }));
  const declared = arms.map((name, place) => ({ name, letter: String.fromCharCode(65 + place) }));
  const bench = { arms: declared, generator, readings, readHost: () => null, beforeRound: null };
  return rounds(bench, () => turns, extent);
}

export type Sum = { cpuUs: number; transactions: number };

export function sumRounds<Name extends string>(
  arms: readonly Name[],
  rounds: readonly Round<Name>[],
): Record<Name, Sum> {
  return byArm(arms, (arm) =>
    rounds.reduce(
      (sum, round) => ({
        cpuUs: sum.cpuUs + (round.cpuUs?.[arm] ?? Number.NaN),
        transactions: sum.transactions + servedIn(round, arm),
      }),
      { cpuUs: 0, transactions: 0 },
    ),
  );
}

export function servedIn<Name extends string>({ turns }: Round<Name>, arm: Name): number {
  return turns.reduce((sum, turn) => sum + (turn.arm === arm ? turn.burst.succeeded : 0), 0);
}
