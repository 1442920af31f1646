import type { OpenDryRun } from '../../../shared/api/question-endpoints.ts';
import type { PreflightRequest } from '../../../shared/api/target-endpoints.ts';
import { isThisMachine } from '../../../shared/base/addresses.ts';
import { problem } from '../../../shared/base/problem.ts';
import type { SecretValues } from '../../../shared/scenario/scenario.ts';
import type { DryRunReport } from '../../../shared/target/dry-run.ts';
import type { Lookup, LookupRequest, TargetCheck } from '../../../shared/target/preflight.ts';
import type { ProbeReport, ProbeRequest } from '../../../shared/target/probe.ts';
import { agentTokenName, exporterTokenName } from '../../../shared/target/readings.ts';
import {
  type AllowRequest,
  capsSchema,
  type Permit,
  type PermittedTarget,
  type PermittedTargets,
  type TargetAction,
} from '../../../shared/target/target.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { type Asker, printActor } from '../../../shared/team/team.ts';
import {
  demandAllowable,
  mayBeReached,
  parseHost,
  plainHostname,
  printHost,
} from '../../base/addresses/target-policy.ts';
import { letGo } from '../../base/process/children.ts';
import { isRecord } from '../../base/text/is-record.ts';
import { demandReaderTokens, fillSecrets, secretsOfScenario } from '../../intake/scenario/secrets.ts';
import { maskSecrets } from '../../intake/traffic/redaction.ts';
import { type RunHouse, resolveAgent, resolveExporter } from '../../targets/open/open-target.ts';
import { connectToAgent } from '../../targets/sampling/agent-readings.ts';
import { Scraper } from '../../targets/sampling/prometheus-readings.ts';
import type { PageQuery } from '../database/list-measurements.ts';
import type { Database } from '../database/open-database.ts';
import {
  type AuditRow,
  addToAuditLog,
  findTrusted,
  listAuditLog,
  listPermitted,
  listTargetEvents,
  type PermittedRow,
  removePermitted,
  storePermitted,
} from '../database/permitted-targets.ts';
import { type MachineQueue, takeMachine } from '../measurement/machine-queue.ts';
import { newPermalinkId } from '../measurement/tokens.ts';
import { type Holder, mayEnd } from './recording-control.ts';
import { runnableScenario } from './scenario-library.ts';

/** Who may be loaded besides this machine, and the log of what was done about it. */
export type Permits = {
  /** At this moment. */
  current(): Promise<Permit[]>;
  list(): Promise<PermittedTargets>;
  /** Throws invalid_request. A host that is allowed already gets the new limits. */
  allow(request: AllowRequest, asker: Asker): Promise<PermittedTarget>;
  /** Throws target_not_found, target_of_environment. */
  withdraw(id: string, asker: Asker): Promise<void>;
  /** Logs what was done to addresses, without those of this machine, and those that nothing allows, which get nothing. */
  note(asker: Asker, what: TargetAction, addresses: readonly string[], note: string | null): Promise<void>;
  /** Logs that all load was stopped. */
  noteStop(asker: Asker): Promise<void>;
};

const newestEvents = 100;

/** @param hosts that the environment allows */
export function openPermits(database: Database, hosts: readonly string[]): Permits {
  const ofEnvironment = [...new Set(hosts)].map(
    (host, index): PermittedTarget => ({
      ...{ id: `environment-${index + 1}`, host, caps: capsSchema.parse({}), from: 'environment' },
      ...{ by: null, at: null, why: null },
    }),
  );

  const listAll = async () => [...ofEnvironment, ...(await listPermitted(database)).map(showPermitted)];

  async function log(asker: Asker, what: TargetAction, host: string | null, note: string | null) {
    const event = { id: newPermalinkId(), at: Date.now(), what, subject: null, host, note };
    await addToAuditLog(database, { ...event, ...asker });
  }

  return {
    current: async () => (await listAll()).map(({ host, caps }) => ({ host, caps })),

    list: async () => ({ targets: await listAll(), log: await listTargetEvents(database, newestEvents) }),

    async allow({ host: text, why, caps }, asker) {
      const judgement = parseHost(text);
      const reason = judgement.valid ? demandAllowable(judgement.host) : judgement.reason;
      if (!judgement.valid || reason !== null) {
        throw problem('invalid_request', {
          detail: reason ?? '',
          errors: [{ field: 'host', message: reason ?? '' }],
        });
      }
      const host = printHost(judgement.host);
      const row = {
        id: newPermalinkId(),
        host,
        caps,
        allowedBy: printActor({ name: asker.who, key: asker.key }),
        allowedAt: Date.now(),
        why,
      };
      await storePermitted(database, row);
      await log(asker, 'allowed', host, why);
      return showPermitted(row);
    },

    async withdraw(id, asker) {
      const fixed = ofEnvironment.find((each) => each.id === id);
      if (fixed !== undefined) {
        throw problem('target_of_environment', `${fixed.host} is in TLS_TOLL_TARGETS.`);
      }
      const host = await removePermitted(database, id);
      if (host === null) throw problem('target_not_found', `No permitted target has the ID ${id}.`);
      await log(asker, 'withdrawn', host, null);
    },

    async note(asker, what, addresses, note) {
      const hosts = new Set(addresses.flatMap((address) => otherHostOf(address) ?? []));
      if (hosts.size === 0) return;
      const permits = await listAll();
      for (const host of hosts) {
        if (mayBeReached(host, permits)) await log(asker, what, host, note);
      }
    },

    noteStop: (asker) => log(asker, 'stopped', null, null),
  };
}

function showPermitted({ id, host, caps, allowedBy, allowedAt, why }: PermittedRow): PermittedTarget {
  return { id, host, caps, from: 'page', by: allowedBy, at: allowedAt, why };
}

/** Null for this machine, by what its name says, and for what is no address. */
function otherHostOf(address: string): string | null {
  const hostname = URL.parse(address)?.hostname.replace(/^\[|\]$/g, '');
  if (hostname === undefined || hostname === '') return null;
  const plain = plainHostname(hostname);
  return isThisMachine(plain) ? null : plain;
}

/** The addresses that a request leads to: origins of a target that stands already, and its agent or exporter. */
export function addressesOf(request: unknown): string[] {
  const target = isRecord(request) && isRecord(request.target) ? request.target : {};
  const { http, https, twin, agent, prometheus } = target;
  const agentAddress = isRecord(agent) ? agent.address : undefined;
  const exporter = isRecord(prometheus) ? prometheus.url : undefined;
  const origins = [http, https, twin, exporter].filter((each) => typeof each === 'string');
  return typeof agentAddress === 'string' ? [...origins, `https://${agentAddress}`] : origins;
}

/** Requests that are tried once on a target. Nothing of them is stored. */
export type Checks = {
  preflight(request: PreflightRequest): Promise<TargetCheck>;
  /** Throws invalid_request, target_not_permitted, target_unreachable, target_busy. */
  lookUp(request: LookupRequest): Promise<Lookup>;
  /** A preflight that tells each step's answers. Throws machine_busy. */
  dryRun(request: PreflightRequest, holder: Holder): Promise<DryRunReport>;
  /** The dry run that is using the machine, for people who may end it. */
  openDryRun(by: Ender): OpenDryRun['open'];
  /** Resolves when it is over. Throws dry_run_not_found. */
  endDryRun(by: Ender): Promise<void>;
  probe(request: ProbeRequest): Promise<ProbeReport>;
};

type Ender = Parameters<typeof mayEnd>[1];
type OpenedDryRun = { startedAt: number; holder: Holder; over: Promise<void> };

/** The first check loads the code that checks a target. */
export function openChecks(database: Database, house: RunHouse, queue: MachineQueue): Checks {
  let opened: OpenedDryRun | null = null;
  const scenarioOf = async (request: Omit<PreflightRequest, 'secrets'>, secrets: SecretValues) =>
    (
      await runnableScenario(
        database,
        request.scenario ?? factsOf(request.target).scenario,
        secretsOfScenario(request, secrets),
      )
    ).scenario;
  return {
    async preflight({ secrets, ...request }) {
      const scenario = await scenarioOf(request, secrets);
      await checkReader(request, secrets, house);
      const { checkOnce } = await import('../../targets/open/check-once.ts');
      return maskSecrets(secrets)(await checkOnce(request, fillSecrets(scenario, secrets), secrets, house));
    },
    async lookUp(request) {
      const { lookUp } = await import('../../targets/preflight/look-up.ts');
      return lookUp(request, house, (origin) => findTrusted(database, origin));
    },
    async dryRun({ secrets, ...request }, holder) {
      const scenario = await scenarioOf(request, secrets);
      const { dryRunOnce } = await import('../../targets/open/check-once.ts');
      const report = await takeMachine(queue, 'dryRun', async (signal) => {
        const over = Promise.withResolvers<void>();
        const own: OpenedDryRun = { startedAt: Date.now(), holder, over: over.promise };
        opened = own;
        try {
          return await letGo(
            () => dryRunOnce(request, fillSecrets(scenario, secrets), secrets, house, signal),
            signal,
          );
        } finally {
          if (opened === own) opened = null;
          over.resolve();
        }
      });
      return maskSecrets(secrets)(report);
    },
    openDryRun(by) {
      return opened === null || !mayEnd(opened.holder, by) ? null : { startedAt: opened.startedAt };
    },
    async endDryRun(by) {
      if (opened === null || !mayEnd(opened.holder, by))
        throw problem('dry_run_not_found', 'None of your dry runs is using the machine.');
      const { over } = opened;
      queue.abortRunning(problem('run_cancelled', 'The dry run was ended.'));
      await over;
    },

    async probe(request) {
      const { probe } = await import('../../targets/preflight/probe-target.ts');
      return probe(request, house);
    },
  };
}

/**
 * A run would find out only when it begins that its agent or exporter is away, is another one, or has another token. Throws
 * exporter_unreachable, exporter_unusable, agent_unreachable, agent_untrusted, agent_version, secret_missing, invalid_request.
 */
async function checkReader(
  request: Omit<PreflightRequest, 'secrets'>,
  secrets: SecretValues,
  house: RunHouse,
): Promise<void> {
  const { target } = request;
  if (target.kind !== 'origins') return;
  demandReaderTokens(request, secrets);
  const agent = await resolveAgent(target, house);
  if (agent !== null) (await connectToAgent(agent, secrets[agentTokenName] ?? '')).close();
  const exporter = await resolveExporter(target, house);
  if (exporter === null) return;
  const scraper = new Scraper(exporter, exporter.bearer ? (secrets[exporterTokenName] ?? '') : null);
  await scraper.read().finally(() => scraper.close());
}

export type AuditNote = Asker & Pick<AuditRow, 'what' | 'subject' | 'host' | 'note'>;

export type Audit = {
  /** Never rejects, as the change is already made. Errors of the store go to the server's log. */
  note(event: AuditNote): Promise<void>;
  /** Throws invalid_request for a cursor that is none. */
  list(query: PageQuery): ReturnType<typeof listAuditLog>;
  /** All of it, the newest first, in pieces that fit into memory. */
  all(): AsyncGenerator<AuditRow[]>;
};

const rowsAtOnce = 1000;

export function openAudit(database: Database, onError: (error: unknown) => void): Audit {
  return {
    note: (event) =>
      addToAuditLog(database, { id: newPermalinkId(), at: Date.now(), ...event }).catch(onError),
    list: (query) => listAuditLog(database, query),
    async *all() {
      let cursor: string | undefined;
      do {
        const { page, nextCursor } = await listAuditLog(database, { limit: rowsAtOnce, cursor });
        yield page;
        cursor = nextCursor ?? undefined;
      } while (cursor !== undefined);
    },
  };
}
