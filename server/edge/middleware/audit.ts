import type { RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { Actor } from '../../../shared/team/identity.ts';
import type { AuditNote } from '../../life/audit/open-audit.ts';
import { actorOf, askerOf } from './actor.ts';

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

/** What a handler knows that call and answer do not say. */
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
  await keeper.note({ ...askerOf(response, actor), what, ...facts });
}

const text = z.string().optional().catch(undefined);
const callSchema = z.object({
  params: z.object({ id: text, sid: text }).catch({}),
  body: z.object({ why: text }).catch({}),
});
const answerSchema = z
  .object({ url: text, id: text, done: z.array(z.string()).optional().catch(undefined) })
  .catch({});
