import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import { type Access, reaches } from '../../../shared/team/role.ts';
import {
  type Actor,
  type Asker,
  type Identity,
  printActor,
  type SignInWays,
  thisMachine,
} from '../../../shared/team/team.ts';
import type { AuditNote } from '../../life/recording/open-permits.ts';

/** Who sent a request, and whether they may do what it asks for. */

type Doorkeeper = {
  linksOpen: boolean;
  ways: SignInWays;
  identify(caller: Pick<IncomingMessage, 'headers' | 'socket'>): Promise<Actor | null>;
};

/** On a server without sign-in: whoever reaches it, which loopback and the host guard see to. */
export const owner: Actor = { id: null, name: thisMachine.who, role: 'admin', key: null };

/** Null where the server has no sign-in. */
type Known = { actor: Actor | null; identity: Identity | null; problem?: unknown };

const known = new WeakMap<Response, Known>();

/** @param door null on a server without sign-in */
export function identify(door: Doorkeeper | null): RequestHandler {
  return async (request, response, next) => {
    if (door === null) {
      known.set(response, { actor: owner, identity: null });
      return next();
    }
    const { linksOpen, ways } = door;
    try {
      const actor = await door.identify(request);
      known.set(response, { actor, identity: { actor, linksOpen, ways } });
    } catch (error) {
      known.set(response, { actor: null, identity: { actor: null, linksOpen, ways }, problem: error });
    }
    next();
  };
}

/** After the rate limit, so that keys that do not work count for the address they come from. */
export const refuseBadKey: RequestHandler = (_request, response, next) => {
  next(known.get(response)?.problem);
};

/** Who holds a connection that outlives the request that opened it: null once the session or the key is gone. */
export function actorNow(
  door: Pick<Doorkeeper, 'identify'>,
  request: IncomingMessage,
): Promise<Actor | null> {
  return door.identify(request).catch(nobody);
}

function nobody(error: unknown): null {
  if (error instanceof ProblemError && error.problem.code === 'key_refused') return null;
  throw error;
}

/** Whose what they start becomes. */
export function holderOf(response: Response): Actor {
  return actorOf(response) ?? owner;
}

/** Who asks; null for nobody, as for a request that was not identified. */
export function actorOf(response: Response): Actor | null {
  return known.get(response)?.actor ?? null;
}

/** The same for the audit log. */
export function whoAsks(response: Response): Asker {
  return askerOfActor(response, holderOf(response));
}

function askerOfActor({ req }: Response, { id, name, key }: Actor): Asker {
  return { who: name, userId: id, key, from: req.ip?.replace(/^::ffff:/, '') ?? null };
}

/** For the page; null where the server has no sign-in. */
export function identityOf(response: Response): Identity | null {
  return known.get(response)?.identity ?? null;
}

/** Throws sign_in_required, role_too_low. */
export function demandAccess(access: Access, request: Request, response: Response): void {
  if (access === 'anyone') return;
  if (access === 'link' && identityOf(response)?.linksOpen === true) return;
  const actor = actorOf(response);
  if (actor === null) throw problem('sign_in_required', whyNobody(request));
  const least = access === 'link' ? 'reader' : access;
  if (!reaches(actor.role, least)) {
    throw problem(
      'role_too_low',
      `This needs the role ${least}. ${printActor(actor)} has the role ${actor.role}.`,
    );
  }
}

/** For the addresses of results, which people open in tabs. */
export function demandLink(showSignIn: (response: Response) => Promise<void>): RequestHandler {
  return async (request, response, next) => {
    try {
      demandAccess('link', request, response);
    } catch (error) {
      if (request.accepts(['json', 'html']) === 'html') return showSignIn(response);
      return next(error);
    }
    next();
  };
}

function whyNobody({ headers: { cookie = '' } }: Request): string {
  return /(^|[ ;])(__Secure-)?tls-toll\.session_token=/.test(cookie)
    ? 'Your session has ended, or belongs to another server.'
    : 'Only people who are signed in may do this.';
}

/** One row of the audit log for each call that starts or changes something, written where endpoints are served. */

type Facts = {
  /** Who it was, where that was not known before. */
  actor: Actor;
  subject: string;
  note: string;
};

type Keeper = { note(event: AuditNote): Promise<void>; told: Partial<Facts> };

const keepers = new WeakMap<Response, Keeper>();

export function keepAudit(audit: Pick<Keeper, 'note'>): RequestHandler {
  return (_request, response, next) => {
    keepers.set(response, { note: audit.note, told: {} });
    next();
  };
}

/** Adds facts that a handler knows and that call and answer do not contain. */
export function tellAudit(response: Response, facts: Partial<Facts>): void {
  const keeper = keepers.get(response);
  if (keeper !== undefined) Object.assign(keeper.told, facts);
}

/**
 * Notes a call that was done, before it is answered. Of the call and the answer it keeps an address or an ID and the reason
 * alone: both may hold secrets.
 */
export async function noteCall(
  response: Response,
  what: string,
  call: object,
  answer: unknown,
): Promise<void> {
  const keeper = keepers.get(response);
  const actor = keeper?.told.actor ?? actorOf(response);
  if (keeper === undefined || actor === null) return;
  const { params, body } = callSchema.parse(call);
  const { url, id, done } = answerSchema.parse(answer);
  const { subject = url ?? params.id ?? params.sid ?? id ?? done?.join(' '), note = body.why } = keeper.told;
  const facts = { subject: subject ?? null, note: note ?? null, host: null };
  await keeper.note({ ...askerOfActor(response, actor), what, ...facts });
}

const text = z.string().optional().catch(undefined);
const callSchema = z.object({
  params: z.object({ id: text, sid: text }).catch({}),
  body: z.object({ why: text }).catch({}),
});
const answerSchema = z
  .object({ url: text, id: text, done: z.array(z.string()).optional().catch(undefined) })
  .catch({});

/** How soon somebody who has signed out, or lost the role, loses what outlives the request that opened it. */
const allowedMs = 5_000;

/** Asks again and again, until the returned function is called. A database that does not answer is no reason to end anything. */
export function endUnlessAllowed(isAllowed: () => Promise<boolean>, end: () => void): () => void {
  const check = () =>
    void isAllowed().then(
      (allowed) => allowed || end(),
      () => {},
    );
  const timer = setInterval(check, allowedMs);
  return () => clearInterval(timer);
}
