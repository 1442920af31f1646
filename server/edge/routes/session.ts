import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response, Router } from 'express';
import { endpoints } from '../../../shared/api/endpoints.ts';
import { apiPrefix } from '../../../shared/api/prefix.ts';
import type { Endpoint } from '../../../shared/api/target-endpoints.ts';
import { problem } from '../../../shared/base/problem.ts';
import type { TargetAction } from '../../../shared/target/target.ts';
import { type Asker, type AuditEvent, otherActs } from '../../../shared/team/audit.ts';
import type { Actor } from '../../../shared/team/team.ts';
import type { Digest, DigestCard } from '../../../shared/words/digest.ts';
import { printDigest } from '../../base/text/digest-page.ts';
import { escapeMarkup } from '../../base/text/digest-picture.ts';
import { printCsvLines, printJsonLines } from '../../base/text/lines-of-data.ts';
import type { Table } from '../../base/text/terminal.ts';
import type { Audit } from '../../life/permits/open-permits.ts';
import { actorOf, holderOf, identityOf, noteCall, tellAudit, whoAsks } from '../middleware/actor.ts';
import { limitSignIns } from '../middleware/rate-limit.ts';
import type { Team } from '../team/open-keys.ts';
import { digestOfResult } from './measurements.ts';
import { type AppParts, serve, serveRaw } from './open-metrics.ts';
import { demandOver, readResult, sendPage } from './page-files.ts';

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
    await pipeline(Readable.from(textOf(log, as)), response);
  });
}

const mediaTypes = { csv: 'text/csv', jsonl: 'application/jsonl' };

const columns = ['time', 'who', 'key', 'from', 'what', 'act', 'subject', 'host', 'note', 'id'] as const;

async function* textOf(log: Audit, as: 'csv' | 'jsonl'): AsyncGenerator<string> {
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

export function recordings(router: Router, { recordings, permits, logger }: AppParts): void {
  /** Logs what somebody opens, and tells how to log the hosts that a page leads to from there. */
  async function note(by: Asker, what: TargetAction, addresses: readonly string[]) {
    await permits.note(by, what, addresses, null);
    const known = new Set(addresses.map((address) => URL.parse(address)?.hostname));
    return (origin: string) => {
      if (known.has(URL.parse(origin)?.hostname)) return;
      permits
        .note(by, what, [origin], 'Reached from a page')
        .catch((error: unknown) => logger.error(error, 'a host that a page reached was not logged'));
    };
  }

  serve(router, 'createRecording', async ({ body }, response) => {
    const onReached = await note(whoAsks(response), 'recorded', [body.url]);
    const created = await recordings.create(body, onReached, holderOf(response));
    response.location(created.url);
    return created;
  });

  serve(router, 'createReplay', async ({ body }, response) => {
    const addresses = body.actions.flatMap((action) => (action.type === 'goto' ? [action.url] : []));
    const at = body.at === undefined ? [] : [body.at];
    const onReached = await note(whoAsks(response), 'replayed', [...at, ...addresses]);
    return recordings.replay(body, onReached, holderOf(response));
  });

  serve(router, 'recordingTicket', async (call, response) => {
    const { ticket, tookOver } = recordings.ticket(call.params.sid, holderOf(response));
    if (tookOver) await noteCall(response, 'taken_over', call, {});
    return { ticket };
  });

  serve(router, 'openRecording', (_, response) => ({ open: recordings.open(holderOf(response)) }));

  serve(router, 'endRecording', async (_, response) => {
    await recordings.end(holderOf(response));
    return null;
  });

  serve(router, 'finishRecording', ({ params: { sid }, body }, response) =>
    recordings.finish(sid, body, holderOf(response)),
  );
}

const usualTitle = 'Measured with TLS Toll';

/** Several results as one file: a title page, and the page of each result below it. */
export function reports(router: Router, parts: AppParts): void {
  const { results } = parts;

  serveRaw(router, 'saveReport', async ({ query: { ids, title } }, _request, response) => {
    const heading = title === '' ? usualTitle : title;
    const found: { digest: Digest; saved: object }[] = [];
    for (const id of ids) {
      const result = await results.document(id);
      demandOver(result, id);
      const digest = digestOfResult(result, await results.summary(id));
      found.push({ digest, saved: await readResult(parts, id) });
    }
    response.attachment('tls-toll-report.html').set('Cache-Control', 'no-store');
    await sendPage(parts, response, {
      title: heading,
      summary: [
        `<h1>${escapeMarkup(heading)}</h1>`,
        ...found.map(({ digest }) => printDigest(digest, null)),
      ].join('\n'),
      saved: {
        title: heading,
        madeAt: Date.now(),
        results: found.map(({ digest, saved }) => ({ ...saved, line: lineOf(digest) })),
      },
      send: (content) => response.set('Content-Type', 'text/html; charset=utf-8').send(content),
    });
  });
}

/** What the title page says of a result. */
function lineOf({ headline, setting, compared }: Digest) {
  const [first] = compared?.cards ?? [];
  return { headline, setting, figure: first === undefined ? null : figureOf(first) };
}

/** `Server CPU per transaction at load: +14 % (95 % CI +12 to +16 %)`; null of one that was refused. */
function figureOf({ title, change, range, real }: DigestCard): string | null {
  if (range === '') return null;
  return `${title}: ${real ? `${change} (95 % CI ${range})` : `95 % CI ${change}`}`;
}
