import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response, Router } from 'express';
import type { Endpoint } from '../../../shared/api/endpoint.ts';
import { endpoints } from '../../../shared/api/endpoints.ts';
import { apiPrefix } from '../../../shared/base/addresses.ts';
import { problem } from '../../../shared/base/problem.ts';
import { type Actor, type AuditEvent, otherActs } from '../../../shared/team/team.ts';
import { printCsvLines, printJsonLines, type Table } from '../../base/text/terminal.ts';
import type { Audit } from '../../life/recording/open-permits.ts';
import type { Team } from '../team/team-keys.ts';
import { actorOf, identityOf, tellAudit } from './actor.ts';
import { type AppParts, serve, serveRaw } from './endpoint.ts';
import { limitSignIns } from './rate-limit.ts';

/** Signing in and out, and the password. */
export function session(router: Router, { team }: AppParts): void {
  serve(router, 'showSession', (_call, response) => identityOf(response) ?? withoutSignIn(response));

  const { path } = endpoints.signIn;
  router.post(path, ...limitSignIns());
  serve(router, 'signIn', async ({ body }, response) => {
    const { linksOpen, ways, signIn } = demandTeam(team);
    const { actor, cookies } = await signIn(body);
    response.append('Set-Cookie', cookies);
    tellAudit(response, { actor });
    return { actor, linksOpen, ways };
  });

  serve(router, 'signOut', async (_call, response) => {
    response.append('Set-Cookie', await demandTeam(team).signOut(response.req.headers));
    return null;
  });

  serve(router, 'showAccount', (_call, response) => demandTeam(team).account(demandActor(response)));

  router.put(
    endpoints.changePassword.path,
    ...limitSignIns((_request, response) => actorOf(response)?.id ?? ''),
  );
  serve(router, 'changePassword', async ({ body }, response) => {
    const { changePassword } = demandTeam(team);
    const { id = null, key = null } = actorOf(response) ?? {};
    if (id === null || key !== null) throw problem('wrong_password', 'An API key has no password to change.');
    response.append('Set-Cookie', await changePassword(response.req.headers, body));
    return null;
  });
}

/** Throws sign_in_off. */
export function demandTeam(team: Team | null): Team {
  if (team === null)
    throw problem('sign_in_off', `Nobody needs to sign in here, so ${apiPrefix} has no users.`);
  return team;
}

/** Throws sign_in_required, for what the table of endpoints lets nobody else call. */
export function demandActor(response: Response): Actor {
  const actor = actorOf(response);
  if (actor === null) throw problem('sign_in_required', 'Only people who are signed in may do this.');
  return actor;
}

function withoutSignIn(response: Response) {
  return { actor: actorOf(response), linksOpen: true, ways: { provider: null } };
}

/** The audit log: a page at a time, or all of it as a file. */
export function audit(router: Router, { audit: log }: AppParts): void {
  serve(router, 'listAudit', async ({ query }) => {
    const { page, nextCursor } = await log.list(query);
    return { events: page.map(inWords), nextCursor };
  });

  serveRaw(router, 'exportAudit', async ({ query: { as } }, _request, response) => {
    response
      .set('Cache-Control', 'no-store')
      .attachment(`audit.${as}`)
      .set('Content-Type', `${mediaTypes[as]}; charset=utf-8`);
    await pipeline(Readable.from(printAudit(log, as)), response);
  });
}

const mediaTypes = { csv: 'text/csv', jsonl: 'application/jsonl' };

const columns = ['time', 'who', 'key', 'from', 'what', 'act', 'subject', 'host', 'note', 'id'] as const;

async function* printAudit(log: Audit, as: 'csv' | 'jsonl'): AsyncGenerator<string> {
  if (as === 'csv') yield printCsvLines([[...columns]]);
  for await (const rows of log.all()) {
    const table: Table = rows.map(inWords).map((event) => {
      const cells = { ...event, time: new Date(event.at).toISOString() };
      return columns.map((column) => cells[column]);
    });
    yield as === 'csv' ? printCsvLines(table) : printJsonLines([[...columns], ...table]);
  }
}

/** An act that only another version knows keeps its name. */
function inWords(row: Omit<AuditEvent, 'act'>): AuditEvent {
  return { ...row, act: acts.get(row.what) ?? otherActs[row.what] ?? row.what };
}

const acts = new Map(
  Object.entries(endpoints).flatMap(([name, { act }]: [string, Endpoint]) =>
    act === undefined ? [] : [[name, act]],
  ),
);
