import { createHash } from 'node:crypto';
import { isEncrypted, schemeOf, transportFacts } from '../../../shared/base/transport.ts';
import type { Scenario, Step } from '../../../shared/scenario/scenario.ts';
import { endpointOf, hostOf, originOf } from '../../base/addresses/origin.ts';
import {
  assembleRequest,
  type Headers,
  type Hold,
  Line,
  NoAnswer,
  type Question,
  type Reply,
  withDeadline,
} from '../../base/wire/ask.ts';
import { decodeBody, readApplicationTime } from '../../base/wire/head-bytes.ts';
import { compileScript, fillOrigin } from '../../intake/scenario/compiled-script.ts';
import { type CookieOrigin, droppedCookie } from '../../intake/scenario/cookie-jar.ts';
import { literalRequest, type RenderedStep, UserScript } from '../../intake/scenario/user-script.ts';
import type { Dialer } from './dialer.ts';
import { explainHttp2Only, explainOther } from './explain-connection.ts';
import {
  type Answer,
  CheckProblem,
  findSchemeLinks,
  type Inspection,
  upgradesRequests,
} from './inspection.ts';

/** As much of a body as the load generator looks at. */
const mostBytes = 10 * 1024 * 1024;

/** A body that is looked at, as far as that goes. */
class KeptBody {
  bytes = 0;
  readonly #chunks: Buffer[] = [];

  append(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes <= mostBytes) this.#chunks.push(chunk);
  }

  /** Without its content codings; null when it is not what they say, or too long. */
  decoded(contentEncoding: string): Buffer | null {
    if (this.bytes === 0) return nothing;
    if (this.bytes > mostBytes) return null;
    return decodeBody(Buffer.concat(this.#chunks), contentEncoding, mostBytes);
  }
}

const nothing = Buffer.alloc(0);

/** What the script finds wrong with an answer, in words; null when all is well. */
function examineAnswer(
  user: UserScript,
  step: number,
  { headers, setCookies }: Reply,
  kept: KeptBody,
): string | null {
  const header = (name: string) => headers[name.toLowerCase()];
  const { needsBody } = user.step(step);
  const body = needsBody ? kept.decoded(header('content-encoding') ?? '') : nothing;
  if (body === null) return 'the body is not what its Content-Encoding says, or longer than 10 MiB';
  return user.examine(step, { header, setCookies, body })?.detail ?? null;
}

/** What a browser would make of a response, and what of it is only the address of its own side. */
function lookAtBody(
  kept: KeptBody,
  { headers }: Reply,
  { listener }: Dialer,
  hostnames: readonly string[],
): Pick<Answer, 'textLength' | 'neutralSha256' | 'links' | 'upgrades'> {
  const policy = headers['content-security-policy'] ?? '';
  const type = headers['content-type'] ?? '';
  const body = isText.test(type) ? kept.decoded(headers['content-encoding'] ?? '') : null;
  const text = body?.toString('utf8') ?? null;
  const page =
    text !== null && /html/i.test(type)
      ? findSchemeLinks(text, schemeOf(listener.transport), hostnames)
      : { links: [], upgrades: false };
  return {
    textLength: text?.length ?? null,
    neutralSha256: text === null ? null : sha256(withoutAddress(text, hostOf(listener))),
    links: page.links,
    upgrades: page.upgrades || upgradesRequests(policy),
  };
}

const isText = /^(text\/|application\/(json|xml|javascript|xhtml|[\w.-]+\+(json|xml)))/i;

/** `http://shop.test:8080/cart` and `https://shop.test:8443/cart` become one, also as JSON writes them. */
function withoutAddress(text: string, host: string): string {
  return ['//', '\\/\\/']
    .flatMap((slashes) => [`https:${slashes}${host}`, `http:${slashes}${host}`])
    .reduce((rest, address) => rest.replaceAll(address, ''), text);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

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

/** Sends one request at a time, byte for byte as the load generator does, on the connections that the policy gives it. */
class Visitor {
  readonly #dialer: Dialer;
  readonly #keepAlive: boolean;
  #line: Line | null = null;

  constructor(dialer: Dialer, keepAlive: boolean) {
    this.#dialer = dialer;
    this.#keepAlive = keepAlive;
  }

  /** Rejects with NoAnswer, or with the dialer's CheckProblem. */
  async ask(question: Question, hold: Hold, onBody: (chunk: Buffer) => void): Promise<Reply> {
    const line = await this.#ready(hold);
    return line.ask(question, { hold, onBody, closing: !this.#keepAlive });
  }

  leave(): void {
    this.#line?.destroy();
    this.#line = null;
  }

  async #ready(hold: Hold): Promise<Line> {
    if (this.#keepAlive && this.#line?.isOpen) return this.#line;
    this.leave();
    const { listener } = this.#dialer;
    const { socket } = await this.#dialer.dial();
    const { httpVersion } = transportFacts[listener.transport];
    this.#line = new Line(hold(socket), httpVersion, {
      scheme: schemeOf(listener.transport),
      host: hostOf(listener),
    });
    return this.#line;
  }
}

/** Why a request on an open connection got no whole response. */
function explainExchange(failure: NoAnswer, step: Step, dialer: Dialer): CheckProblem {
  const { why, received, code, cause } = failure;
  const endpoint = endpointOf(dialer.listener);
  const at = `Step “${step.name}”`;
  if (why === 'late') {
    const limit = `within ${dialer.timeoutMs / 1000} s`;
    return new CheckProblem('status', `${at} got ${partOf(received)} from ${endpoint} ${limit}.`);
  }
  if (why === 'switched') {
    const message = `${at} got 101 Switching Protocols from ${endpoint}, although it asked for no other protocol. Use an address that answers ordinary HTTP requests.`;
    return new CheckProblem('status', message);
  }
  if (why === 'malformed') {
    const isOther = received.headers === null && !received.beginning.toString('latin1').startsWith('HTTP/');
    const advice = isOther ? `${beginningOf(received.beginning)} Correct the port.` : '';
    return new CheckProblem('http_version', `${at}: ${endpoint} ${failure.message}.${advice}`);
  }
  if (why === 'other-protocol') {
    const message = `${endpoint} does not speak HTTP/2. ${adviceOnHttp2(dialer)}.`;
    return new CheckProblem('http_version', message, { field: 'transport' });
  }
  const { listener, asksForCertificate } = dialer;
  if (code.startsWith('ERR_SSL_')) return dialer.explainRefusal(cause);
  const isPartOfHead = received.headers === null && received.bytes > 0;
  const got = isPartOfHead ? 'only a part of the response’s head' : partOf(received);
  const ended = failure.message.startsWith('reset')
    ? failure.message
    : `${why === 'reset' ? 'reset' : 'closed'} the connection`;
  const what = `${at} got ${got}: ${endpoint} ${ended}.`;
  if (received.headers === null && asksForCertificate && listener.clientIdentity === undefined) {
    return new CheckProblem(
      'tls',
      `${what} It asked for a client certificate in the handshake. Give one (--client-cert, --client-key).`,
      {},
      cause,
    );
  }
  const mayBeUnwelcome = received.headers === null && listener.clientIdentity !== undefined;
  const guess = mayBeUnwelcome ? ' It may not accept the client certificate.' : '';
  return new CheckProblem('status', `${what}${guess} Check the server’s log.`, {}, cause);
}

/** As in "got …". */
function partOf({ headers, bodyBytes }: NoAnswer['received']): string {
  if (headers === null) return 'no response';
  const length = Number(headers['content-length'] ?? Number.NaN);
  if (Number.isNaN(length)) return `${bodyBytes} bytes of a body without its end`;
  return `${bodyBytes} of ${length} bytes of the body`;
}

/** Without TLS nothing is agreed on: a server has to expect HTTP/2 from the first byte on. */
function adviceOnHttp2({ listener }: Dialer): string {
  return isEncrypted(listener.transport)
    ? 'Check the server’s log, or choose the transport https'
    : 'Enable HTTP/2 without TLS (prior knowledge), or choose the transport http';
}

/** Letters only: whatever a server sent goes into a terminal. */
function beginningOf(beginning: Buffer): string {
  const [text = ''] = /^[ -~]*/.exec(beginning.toString('latin1')) ?? [];
  return text.length < 3 ? '' : ` It begins with “${text.trim()}”.`;
}
