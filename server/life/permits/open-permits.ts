import { problem } from '../../../shared/base/problem.ts';
import {
  type AllowRequest,
  capsSchema,
  type Permit,
  type PermittedTarget,
  type PermittedTargets,
  type TargetAction,
} from '../../../shared/target/permitted-target.ts';
import type { Asker } from '../../../shared/team/audit.ts';
import { printActor } from '../../../shared/team/identity.ts';
import { parseHost, plainHostname, printHost } from '../../base/addresses/parse-host.ts';
import { demandAllowable, mayBeReached } from '../../base/addresses/target-policy.ts';
import { addToAuditLog } from '../database/audit-log.ts';
import type { Database } from '../database/open-database.ts';
import {
  listPermitted,
  listTargetEvents,
  type PermittedRow,
  removePermitted,
  storePermitted,
} from '../database/permitted-targets.ts';
import { newPermalinkId } from '../measurement/create/permalink-id.ts';

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

  const listAll = async () => [...ofEnvironment, ...(await listPermitted(database)).map(shown)];

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
      return shown(row);
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

function shown({ id, host, caps, allowedBy, allowedAt, why }: PermittedRow): PermittedTarget {
  return { id, host, caps, from: 'page', by: allowedBy, at: allowedAt, why };
}

/** Null for this machine, by what its name says, and for what is no address. */
function otherHostOf(address: string): string | null {
  const hostname = URL.parse(address)?.hostname.replace(/^\[|\]$/g, '');
  if (hostname === undefined || hostname === '') return null;
  const plain = plainHostname(hostname);
  return /(^|\.)localhost$|^127\.|^::1$/.test(plain) ? null : plain;
}
