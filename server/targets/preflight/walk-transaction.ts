import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type HttpVersion, isEncrypted, transportFacts } from '../../../shared/base/transport.ts';
import { headersOfLines } from '../../../shared/scenario/header-lines.ts';
import type { Scenario, Step } from '../../../shared/scenario/scenario.ts';
import { hostOf, originOf } from '../../base/addresses/origin.ts';
import { SwitchedProtocols } from '../../base/wire/answer-of.ts';
import { compileScript } from '../../intake/scenario/compile-script.ts';
import { type CookieOrigin, droppedCookie } from '../../intake/scenario/cookie-jar.ts';
import { literalRequest } from '../../intake/scenario/literal-request.ts';
import { fillOrigin } from '../../intake/scenario/own-origin.ts';
import { type RenderedStep, UserScript } from '../../intake/scenario/user-script.ts';
import { readApplicationTime } from '../../intake/traffic/server-timing.ts';
import type { Answer } from './answer.ts';
import { CheckProblem } from './check-problem.ts';
import { CutOff } from './cut-off.ts';
import type { Dialer } from './dialer.ts';
import { examineAnswer, KeptBody } from './examine-answer.ts';
import { explainHttp2Only, explainOther } from './explain-connection.ts';
import { explainExchange } from './explain-exchange.ts';
import { answeredInTls, isParserError } from './explain-parser.ts';
import { Http1Visitor } from './http1-visitor.ts';
import { Http2Visitor } from './http2-visitor.ts';
import type { Inspection } from './inspection.ts';
import { lookAtBody } from './look-at-body.ts';
import type { Incoming, Outgoing, Visitor } from './visitor.ts';

/**
 * One transaction: the steps in order, with the connections that the policy gives it, the generator's headers, and the
 * first row of the data. What later steps would lack ends it: an answer with another status, a check that fails, a
 * value that is not there.
 */
export async function* walkTransaction(dialer: Dialer, inspection: Inspection): AsyncGenerator<Answer> {
  const keepAlive = inspection.connectionPolicy !== 'connection-per-request';
  const { httpVersion } = transportFacts[dialer.listener.transport];
  const visitor = new visitors[httpVersion](dialer, keepAlive);
  const scenario = fillOrigin(inspection.scenario, originOf(dialer.listener));
  const origin = cookieOriginOf(dialer);
  const user = newUser(scenario, origin);
  try {
    for (const [index, step] of inspection.scenario.steps.entries()) {
      const request = user?.render(index) ?? literalRequest(scenario.steps[index] ?? step);
      const kept = new KeptBody();
      const { answer, incoming } = await send(step, request, visitor, dialer, kept);
      const isExpected = answer.response.status === step.expectStatus;
      const given = scenario.cookies ? (incoming.headers['set-cookie'] ?? []) : [];
      const droppedCookies = given.flatMap((each) => droppedCookie(each, request.path, origin) ?? []);
      const looked = {
        ...answer,
        droppedCookies,
        ...lookAtBody(kept, incoming, dialer, inspection.hostnames),
      };
      if (user === null) yield looked;
      else {
        const problem = isExpected ? examineAnswer(user, index, incoming.headers, kept) : null;
        yield { ...looked, problem, variables: isExpected ? user.taken(index) : [] };
        if (!isExpected) return;
        if (problem !== null) throw new CheckProblem('status', `Step “${step.name}”: ${problem}.`);
      }
    }
  } finally {
    visitor.leave();
  }
}

const visitors: Record<HttpVersion, new (dialer: Dialer, keepAlive: boolean) => Visitor> = {
  '1.1': Http1Visitor,
  '2': Http2Visitor,
};

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
): Promise<{ answer: Answer; incoming: Incoming }> {
  await dialer.budget?.begin(dialer.signal);
  const patience = AbortSignal.any([dialer.signal, AbortSignal.timeout(dialer.timeoutMs)]);
  let head: Incoming | null = null;
  const fromMs = performance.now() - dialer.dialingMs;
  try {
    const incoming = await visitor.ask(outgoingOf(request, hostOf(dialer.listener)), patience);
    head = incoming;
    const firstByteUs = (performance.now() - dialer.dialingMs - fromMs) * 1000;
    const answer = { ...(await readAnswer(step, request.path, dialer, incoming, kept)), firstByteUs };
    if (answer.response.status === 400 && (await isTlsInDisguise(dialer)))
      throw explainOther(dialer.listener);
    return { answer, incoming };
  } catch (error) {
    if (error instanceof CheckProblem) throw error;
    // Read before the handshake, which takes time as well.
    const timedOut = patience.aborted;
    const mayBeTls = head === null && !timedOut && !spokeOtherwise(error);
    if (mayBeTls && (await isTlsInDisguise(dialer))) throw explainOther(dialer.listener);
    if (mayBeHttp2(error, dialer, head) && (await dialer.speaksHttp2().catch(() => false)))
      throw explainHttp2Only(dialer.listener);
    throw explainExchange(error, step, dialer, { timedOut, head, bodyBytes: kept.bytes });
  }
}

/** The same as the load generator sends. */
function outgoingOf({ method, path, headers, body }: RenderedStep, host: string): Outgoing {
  const given = headersOfLines(headers.map(([name, value]) => [name.toLowerCase(), value]));
  const length = body === null ? {} : { 'content-length': String(body.length) };
  return {
    method,
    path,
    headers: { host, ...given, ...length },
    body: body ?? undefined,
  };
}

async function readAnswer(
  step: Step,
  path: string,
  { listener, budget }: Dialer,
  incoming: Incoming,
  kept: KeptBody,
): Promise<Omit<Answer, 'firstByteUs'>> {
  const hash = createHash('sha256');
  let bodyBytes = 0;
  for await (const chunk of incoming.body) {
    hash.update(chunk);
    kept.append(chunk);
    bodyBytes += chunk.length;
    budget?.demandBytes();
  }
  const { headers } = incoming;
  const cookies = headers['set-cookie'] ?? [];
  return {
    ...nothingSeen,
    step,
    path,
    origin: originOf(listener),
    headers: headersOf(headers),
    response: {
      step: step.name,
      status: incoming.status,
      httpVersion: incoming.httpVersion,
      contentEncoding: encodingOf(headers['content-encoding']),
      contentType: headers['content-type'] ?? '',
      bodyBytes,
      bodySha256: hash.digest('hex'),
      location: headers.location ?? null,
      setsCookies: cookies.map(cookieName),
      ...timingOf(headers['server-timing']?.toString()),
    },
    secureCookies: cookies.filter((cookie) => /;\s*secure\s*(;|$)/i.test(cookie)).map(cookieName),
    closes: incoming.closes(),
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

function headersOf(headers: IncomingHttpHeaders): [name: string, value: string][] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (name.startsWith(':') || value === undefined) return [];
    const values = [value].flat();
    return [[name, (name === 'set-cookie' ? values.map(cookieName) : values).join(', ')]];
  });
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

/** What came cannot be from a TLS server. */
function spokeOtherwise(error: unknown): boolean {
  if (error instanceof CutOff) return error.receivedBytes > 0;
  if (error instanceof SwitchedProtocols) return true;
  return isParserError(error) && !answeredInTls(error);
}

/** Its answer to HTTP/1.1 is a frame, or the end. */
function mayBeHttp2(error: unknown, { listener }: Dialer, head: Incoming | null): boolean {
  return listener.transport === 'http' && head === null && (error instanceof CutOff || isParserError(error));
}

/** A TLS server hangs up on plain HTTP, or answers 400 to it. */
async function isTlsInDisguise(dialer: Dialer): Promise<boolean> {
  return !isEncrypted(dialer.listener.transport) && (await dialer.speaksTls().catch(() => false));
}
