import { createHash } from 'node:crypto';
import { isEncrypted } from '../../../shared/base/transport.ts';
import type { Scenario, Step } from '../../../shared/scenario/scenario.ts';
import { hostOf, originOf } from '../../base/addresses/origin.ts';
import { assembleRequest, type Headers, NoAnswer, type Reply, withDeadline } from '../../base/wire/ask.ts';
import { readApplicationTime } from '../../base/wire/server-timing.ts';
import { compileScript } from '../../intake/scenario/compile-script.ts';
import { type CookieOrigin, droppedCookie } from '../../intake/scenario/cookie-jar.ts';
import { literalRequest } from '../../intake/scenario/literal-request.ts';
import { fillOrigin } from '../../intake/scenario/own-origin.ts';
import { type RenderedStep, UserScript } from '../../intake/scenario/user-script.ts';
import type { Answer } from './answer.ts';
import { CheckProblem } from './check-problem.ts';
import type { Dialer } from './dialer.ts';
import { examineAnswer, KeptBody } from './examine-answer.ts';
import { explainHttp2Only, explainOther } from './explain-connection.ts';
import { explainExchange } from './explain-exchange.ts';
import type { Inspection } from './inspection.ts';
import { lookAtBody } from './look-at-body.ts';
import { Visitor } from './visitor.ts';

/**
 * One transaction: the steps in order, with the connections that the policy gives it, the generator's headers, and the
 * first row of the data. What later steps would lack ends it: an answer with another status, a check that fails, a
 * value that is not there.
 */
export async function* walkTransaction(dialer: Dialer, inspection: Inspection): AsyncGenerator<Answer> {
  const keepAlive = inspection.connectionPolicy !== 'connection-per-request';
  const visitor = new Visitor(dialer, keepAlive);
  const scenario = fillOrigin(inspection.scenario, originOf(dialer.listener));
  const origin = cookieOriginOf(dialer);
  const user = newUser(scenario, origin);
  try {
    for (const [index, step] of inspection.scenario.steps.entries()) {
      const request = user?.render(index) ?? literalRequest(scenario.steps[index] ?? step);
      const kept = new KeptBody();
      const { answer, reply } = await send(step, request, visitor, dialer, kept);
      const isExpected = answer.response.status === step.expectStatus;
      const given = scenario.cookies ? reply.setCookies : [];
      const droppedCookies = given.flatMap((each) => droppedCookie(each, request.path, origin) ?? []);
      const looked = {
        ...answer,
        droppedCookies,
        ...lookAtBody(kept, reply, dialer, inspection.hostnames),
      };
      if (user === null) yield looked;
      else {
        const problem = isExpected ? examineAnswer(user, index, reply, kept) : null;
        yield { ...looked, problem, variables: isExpected ? user.taken(index) : [] };
        if (!isExpected) return;
        if (problem !== null) throw new CheckProblem('status', `Step “${step.name}”: ${problem}.`);
      }
    }
  } finally {
    visitor.leave();
  }
}

/** The request of the first step as HTTP/1.1 writes it. */
export function firstRequest(dialer: Dialer, asked: Scenario): Buffer {
  const scenario = fillOrigin(asked, originOf(dialer.listener));
  const [step] = scenario.steps;
  if (step === undefined) throw new Error('a scenario has at least one step');
  const request = newUser(scenario, cookieOriginOf(dialer))?.render(0) ?? literalRequest(step);
  return assembleRequest(request, hostOf(dialer.listener), false);
}

function cookieOriginOf({ listener: { hostname, transport } }: Dialer): CookieOrigin {
  return { hostname, secure: isEncrypted(transport), now: Date.now };
}

function newUser(scenario: Scenario, origin: CookieOrigin): UserScript | null {
  const script = compileScript(scenario);
  if (script === null) return null;
  const user = new UserScript(script, origin);
  user.beginTransaction(0);
  return user;
}

async function send(
  step: Step,
  request: RenderedStep,
  visitor: Visitor,
  dialer: Dialer,
  kept: KeptBody,
): Promise<{ answer: Answer; reply: Reply }> {
  await dialer.budget?.begin(dialer.signal);
  const fromMs = performance.now() - dialer.dialingMs;
  const hash = createHash('sha256');
  const take = (chunk: Buffer) => {
    hash.update(chunk);
    kept.append(chunk);
    dialer.budget?.demandBytes();
  };
  try {
    const reply = await withDeadline(dialer.timeoutMs, dialer.signal, (hold) =>
      visitor.ask(request, hold, take),
    );
    const firstByteUs = (reply.headAtMs - dialer.dialingMs - fromMs) * 1000;
    const answer = answerOf(step, request.path, dialer, reply, hash.digest('hex'));
    if (answer.response.status === 400 && (await isTlsInDisguise(dialer)))
      throw explainOther(dialer.listener);
    return { answer: { ...answer, firstByteUs }, reply };
  } catch (error) {
    if (error instanceof CheckProblem) throw error;
    const failure = error instanceof NoAnswer ? error : new NoAnswer('late', 'did not answer in time');
    if (mayBeTls(failure) && (await isTlsInDisguise(dialer))) throw explainOther(dialer.listener);
    if (mayBeHttp2(failure, dialer) && (await dialer.speaksHttp2().catch(() => false)))
      throw explainHttp2Only(dialer.listener);
    throw explainExchange(failure, step, dialer);
  }
}

function answerOf(
  step: Step,
  path: string,
  { listener }: Dialer,
  reply: Reply,
  bodySha256: string,
): Omit<Answer, 'firstByteUs'> {
  const { headers, setCookies } = reply;
  return {
    ...nothingSeen,
    step,
    path,
    origin: originOf(listener),
    headers: headersOf(headers, setCookies),
    response: {
      step: step.name,
      status: reply.status,
      httpVersion: reply.httpVersion,
      contentEncoding: encodingOf(headers['content-encoding']),
      contentType: headers['content-type'] ?? '',
      bodyBytes: reply.bodyBytes,
      bodySha256,
      location: headers.location ?? null,
      setsCookies: setCookies.map(cookieName),
      ...timingOf(headers['server-timing']),
    },
    secureCookies: setCookies.filter((cookie) => /;\s*secure\s*(;|$)/i.test(cookie)).map(cookieName),
    closes: !reply.keepAlive,
  };
}

const nothingSeen = {
  droppedCookies: [],
  textLength: null,
  neutralSha256: null,
  links: [],
  upgrades: false,
  variables: [],
  problem: null,
} satisfies Partial<Answer>;

function headersOf(headers: Headers, setCookies: string[]): [name: string, value: string][] {
  return Object.entries(headers).map(([name, value = '']) => [
    name,
    name === 'set-cookie' ? setCookies.map(cookieName).join(', ') : value,
  ]);
}

function timingOf(field: string | undefined): { serverTiming: boolean; otherTiming?: string } {
  if (field === undefined) return { serverTiming: false };
  const bytes = Buffer.from(field, 'latin1');
  const isRead = readApplicationTime(bytes, 0, bytes.length) >= 0;
  return { serverTiming: true, ...(isRead ? {} : { otherTiming: field.slice(0, 200) }) };
}

function encodingOf(header: string | undefined): string {
  return header === undefined || header === 'identity' ? '' : header;
}

function cookieName(cookie: string): string {
  return cookie.slice(0, cookie.indexOf('=')).trim();
}

/** Nothing came, or an alert of TLS. Source: RFC 8446, section 5.1. */
function mayBeTls({ why, received: { bytes, headers, beginning } }: NoAnswer): boolean {
  if (headers !== null || why === 'late' || why === 'switched') return false;
  return bytes === 0 || (beginning[0] === 21 && beginning[1] === 3);
}

/** Its answer to HTTP/1.1 is a frame, or the end. */
function mayBeHttp2({ why, received: { headers } }: NoAnswer, { listener }: Dialer): boolean {
  return listener.transport === 'http' && headers === null && ['closed', 'reset', 'malformed'].includes(why);
}

/** A TLS server hangs up on plain HTTP, or answers 400 to it. */
async function isTlsInDisguise(dialer: Dialer): Promise<boolean> {
  return !isEncrypted(dialer.listener.transport) && (await dialer.speaksTls().catch(() => false));
}
