import { flagsOf, placeOptions, quoted } from '../base/option.ts';
import { printNumber } from '../base/quantity.ts';
import type { Scheme } from '../base/transport.ts';
import { pathScenario, type Scenario, scenarioSchema } from '../scenario/scenario.ts';
import { type PrometheusSource, prometheusSourceSchema } from './readings.ts';
import { serverOptions } from './server-options.ts';
import type { ManagedTarget, Target, TargetKind, TargetOf } from './target.ts';
import { serverTitles } from './target-words.ts';

/** Facts about a target for lists, screens, reports, and command lines. */
type TargetFacts = {
  /** In lists and what they are searched by. */
  name: string;
  /** In a sentence; null where its origins say it best. */
  title: string | null;
  /** Options of the command line that choose it. */
  options: string[];
  /** More of them, for commands that read its process. */
  processOptions: string[];
  /** Whether it is started for the measurement: then it has launches, and a twin of its own. */
  startedHere: boolean;
  /** Whether the twin is a listener of its own. */
  ownTwin: boolean;
  /** Scenario if a request names none: a stored one, or one that only this target has. */
  scenario: string | Scenario;
  /** Null until it has been opened. */
  origins: Record<Scheme, string | null> | null;
};

/** A new kind of target is an entry here, its schema in `target.ts`, its label in `target-words.ts`, and its opener in `open-target.ts`. */
const kinds: { [Kind in TargetKind]: (target: TargetOf<Kind>) => TargetFacts } = {
  storefront: ({ kind }) => ({
    name: kind,
    title: 'the demo shop',
    options: [],
    processOptions: [],
    startedHere: true,
    ownTwin: true,
    scenario: 'search',
    origins: null,
  }),
  origins: ({ http, https, ca, clientCertificate, trust, twin, pid, agent, prometheus }) => ({
    name: [http, https].filter((origin) => origin !== undefined).join(' | '),
    title: null,
    options: [
      ...(http === undefined ? [] : [`--http ${http}`]),
      ...(https === undefined ? [] : [`--https ${https}`]),
      ...(ca === undefined ? [] : ['--ca ca.pem']),
      ...(clientCertificate === undefined ? [] : ['--client-cert client.pem --client-key client.key']),
      ...(trust === undefined ? [] : [`--trust ${trust}`]),
      ...(twin === undefined ? [] : [`--control ${twin}`]),
    ],
    processOptions: [
      ...(pid === undefined ? [] : [`--pid ${pid}`]),
      ...(agent === undefined ? [] : agentOptions(agent)),
      ...(prometheus === undefined ? [] : prometheusOptions(prometheus)),
    ],
    startedHere: false,
    ownTwin: twin !== undefined,
    scenario: pathScenario(['/']),
    origins: { http: http ?? null, https: https ?? null },
  }),
  managed: (target) => ({
    name: target.server,
    title: `${serverTitles[target.server]}, started here`,
    options: [`--target ${target.server}`, ...flagsOf(placeOptions(null, serverOptions), target)],
    processOptions: [],
    startedHere: true,
    ownTwin: true,
    scenario: oneDocument(target),
    origins: null,
  }),
};

/** The file of the token is the reader's: no document knows it. */
function agentOptions({ address, fingerprint }: NonNullable<TargetOf<'origins'>['agent']>): string[] {
  return [`--agent ${address}`, `--agent-key ${fingerprint}`, '--agent-token-file agent.token'];
}

/** Selectors hold quotes and braces, which a shell would take for its own. */
function prometheusOptions({ url, cpu, memory, bearer }: PrometheusSource): string[] {
  const usual = prometheusSourceSchema.parse({ url });
  return [
    `--prometheus ${quoted(url)}`,
    ...(cpu === usual.cpu ? [] : [`--prometheus-cpu ${quoted(cpu)}`]),
    ...(memory === usual.memory ? [] : [`--prometheus-memory ${quoted(memory)}`]),
    ...(bearer === true ? ['--prometheus-token-file exporter.token'] : []),
  ];
}

/** One request for the first of its documents. */
function oneDocument({ documents: [bytes = 0] }: ManagedTarget): Scenario {
  const name = `${printNumber(bytes, 0)} bytes`;
  return scenarioSchema.parse({ name, steps: [{ name, method: 'GET', path: `/${bytes}.html` }] });
}

export function factsOf(target: Target): TargetFacts {
  const describe = kinds[target.kind] as (target: Target) => TargetFacts;
  return describe(target);
}
