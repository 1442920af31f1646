import { printNumber, printQuantity, printShare, scaleFor } from '../../../shared/base/quantity.ts';
import {
  isEncrypted,
  knownSide,
  printHttpVersion,
  type SideName,
  transportFacts,
} from '../../../shared/base/transport.ts';
import {
  type CheckId,
  checkIdSchema,
  failedChecks,
  type PreflightReport,
  type PreflightSide,
} from '../../../shared/target/preflight.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { originOf } from '../../base/addresses/origin.ts';
import { detailsOf } from '../../base/text/foreign-errors.ts';
import {
  changingShare,
  differentShare,
  differingHeaders,
  fail,
  type Judgement,
  judgeCookies,
  pass,
  sameButAddress,
  shareOfDifference,
  skipped,
  warn,
} from './compared-answers.ts';
import { roundTripConnections } from './connect-once.ts';
import { inspectSide, type SideFindings } from './inspect-side.ts';
import { type Answer, CheckBudget, type Inspection } from './inspection.ts';
import { judgeOwnSide } from './judge-own-side.ts';

type PairCheckId = Extract<CheckId, 'http_version' | 'cookies' | 'content' | 'encoding'>;

/** Checks of whether the two sides are the same application. A difference is put on the comparison side. */
function judgePair(
  side: SideFindings,
  other: SideFindings,
  role: 'baseline' | 'comparison',
): Record<PairCheckId, () => Judgement> {
  const compared = role === 'comparison' && other.problem === null;
  const pairs = compared ? pairsOf(other, side) : [];
  return {
    http_version: () => judgeVersion(side, other, pairs),
    cookies: () => judgeCookies(side, other, role),
    content: () => judgeContent(side, other, role, pairs),
    encoding: () => judgeEncoding(side, pairs),
  };
}

/** The answers to one step: the baseline's and the comparison's. */
type Pair = { baseline: Answer; comparison: Answer };

function pairsOf(baseline: SideFindings, comparison: SideFindings): Pair[] {
  return baseline.answers.flatMap((answer, index) => {
    const theirs = comparison.answers[index];
    return theirs === undefined ? [] : [{ baseline: answer, comparison: theirs }];
  });
}

function judgeVersion(side: SideFindings, other: SideFindings, pairs: readonly Pair[]): Judgement {
  const [own, others] = [side, other].map(({ listener }) => transportFacts[listener.transport].httpVersion);
  const asked = own !== others;
  for (const { baseline, comparison } of pairs) {
    const [theirs, ours] = [baseline.response.httpVersion, comparison.response.httpVersion];
    const at = `Not comparable: step “${comparison.step.name}”`;
    if (theirs !== ours && !asked) {
      return fail(
        `${at} is answered in ${printHttpVersion(ours)} here and in ${printHttpVersion(theirs)} on the other side.`,
      );
    }
    if (baseline.closes !== comparison.closes) {
      const [closing, keeping] = comparison.closes
        ? ['here', 'on the other side']
        : ['on the other side', 'here'];
      const differs = `ends its connection ${closing} and keeps it open ${keeping} (${endedInWords(pairs)})`;
      // With TLS on both, it may be the question: another server, another version of HTTP. What was counted decides.
      return isEncrypted(side.listener.transport) === isEncrypted(other.listener.transport)
        ? warn(`Step “${comparison.step.name}” ${differs}. Part of a difference comes from new connections.`)
        : fail(`${at} ${differs}.`);
    }
  }
  const old = side.answers.find(({ response, closes }) => response.httpVersion === '1.0' && closes);
  if (old !== undefined) {
    return warn(`Step “${old.step.name}” is answered in HTTP/1.0, so every request opens a connection.`);
  }
  if (asked && pairs.length > 0) return warn(notTlsAlone(side, other));
  const version = side.answers[0]?.response.httpVersion;
  return version === undefined ? skipped('Not seen.') : pass(`${printHttpVersion(version)}.`);
}

/** `ended after 2 of 2 answers here and 0 of 2 on the other side`. */
function endedInWords(pairs: readonly Pair[]): string {
  const ended = (side: keyof Pair) => pairs.filter((pair) => pair[side].closes).length;
  return `ended after ${ended('comparison')} of ${pairs.length} answers here and ${ended('baseline')} of ${pairs.length} on the other side`;
}

function notTlsAlone(side: SideFindings, other: SideFindings): string {
  const [ours, theirs] = [side, other].map(({ answers }) =>
    printHttpVersion(answers[0]?.response.httpVersion ?? ''),
  );
  return `${ours} here and ${theirs} on the other side, as requested. The difference does not come from TLS alone.`;
}

/** `HTTP/2` has no minor version. */

function judgeContent(
  side: SideFindings,
  other: SideFindings,
  role: 'baseline' | 'comparison',
  pairs: readonly Pair[],
): Judgement {
  const bytes = side.answers.reduce((sum, { response }) => sum + response.bodyBytes, 0);
  if (role === 'baseline') return pass(`${printNumber(bytes, 0)} bytes, the reference for the other side.`);
  if (other.problem !== null) return skipped('Not compared, because the other side could not be read.');
  for (const { baseline, comparison } of pairs) {
    const { status, contentType, contentEncoding, bodyBytes } = comparison.response;
    const theirs = baseline.response;
    const at = `Step “${comparison.step.name}”`;
    if (status !== theirs.status) {
      return fail(`${at} answers ${status} here and ${theirs.status} on the other side: ${notTheSame}`);
    }
    if (contentType !== theirs.contentType) {
      return fail(
        `${at} is “${contentType}” here and “${theirs.contentType}” on the other side: ${notTheSame}`,
      );
    }
    if (contentEncoding !== theirs.contentEncoding) {
      return skipped('Not compared, because the encodings differ.');
    }
    if (shareOfDifference(bodyBytes, theirs.bodyBytes) > differentShare) {
      const sizes = `${printNumber(bodyBytes, 0)} bytes here and ${printNumber(theirs.bodyBytes, 0)} on the other side`;
      return fail(`${at} has ${sizes}: ${notTheSame}`);
    }
  }
  return judgeBodies(bytes, pairs);
}

const notTheSame = 'the sides do not serve the same application.';

function judgeBodies(bytes: number, pairs: readonly Pair[]): Judgement {
  const different = pairs.filter(
    (pair) => pair.baseline.response.bodySha256 !== pair.comparison.response.bodySha256,
  );
  const first = different[0];
  if (first === undefined) return judgeHeaders(bytes, pairs);
  if (different.every(({ baseline, comparison }) => sameButAddress(baseline, comparison))) {
    return pass(`The same except for each side’s own address (${printNumber(bytes, 0)} bytes).`);
  }
  const shares = different.map(({ baseline, comparison }) =>
    shareOfDifference(comparison.response.bodyBytes, baseline.response.bodyBytes),
  );
  const share = Math.max(...shares);
  const steps = different.length === 1 ? `Step “${first.comparison.step.name}”` : `${different.length} steps`;
  return warn(
    share <= changingShare
      ? `${steps}: different content, almost the same size. Part of it probably changes with each request.`
      : `${steps}: sizes differ by up to ${printShare(share)}. Part of a difference may come from the content.`,
  );
}

function judgeHeaders(bytes: number, pairs: readonly Pair[]): Judgement {
  for (const { baseline, comparison } of pairs) {
    const names = differingHeaders(baseline.headers, comparison.headers);
    if (names.length === 0) continue;
    const list = names.length === 1 ? `the header ${names[0]}` : `the headers ${names.join(', ')}`;
    return warn(`Step “${comparison.step.name}” differs in ${list}; the bodies are the same.`);
  }
  return pass(`The same byte for byte (${printNumber(bytes, 0)} bytes).`);
}

function judgeEncoding(side: SideFindings, pairs: readonly Pair[]): Judgement {
  const different = pairs.find(
    ({ baseline, comparison }) => baseline.response.contentEncoding !== comparison.response.contentEncoding,
  );
  if (different !== undefined) {
    const [ours, theirs] = [different.comparison, different.baseline].map(({ response }) =>
      describeEncoding(response.contentEncoding),
    );
    return fail(
      `Not comparable: step “${different.comparison.step.name}” is ${ours} here and ${theirs} on the other side. Compress on both or on neither.`,
    );
  }
  const encodings = new Set(side.answers.map(({ response }) => describeEncoding(response.contentEncoding)));
  const bytes = side.answers.reduce((sum, { response }) => sum + response.bodyBytes, 0);
  const size = printQuantity(bytes, scaleFor('bytes', [bytes]));
  return pass(`${[...encodings].join(', ')}, ${size}.`.replace(/^./, (letter) => letter.toUpperCase()));
}

function describeEncoding(encoding: string): string {
  return encoding === '' ? 'not compressed' : `compressed with ${encoding}`;
}

export type PreflightOptions = Pick<Inspection, 'scenario' | 'tls' | 'connectionPolicy'> &
  Partial<Pick<Inspection, 'timeoutMs' | 'signal'>> & {
    listeners: { baseline: Listener; comparison: Listener };
  };

const defaultTimeoutMs = 5_000;
const totalMs = 15_000;

/**
 * One transaction a side over real connections, then 20 more connections where there is TLS: enough to say whether
 * the two sides can be compared, too little to count as load. It ends within 15 s, or 30 where it asks again, whatever the target does, and later only
 * where a permit slows it down.
 * Throws only the signal's reason.
 */
export async function preflight(options: PreflightOptions): Promise<PreflightReport> {
  const { first, second, inspection } = await inspectToJudge(options);
  return reportOn(first, second, inspection);
}

type InspectedPair = { first: SideFindings; second: SideFindings; inspection: Inspection };

/** Checks that a single answer of a step decides. */
const byOneAnswer: ReadonlySet<CheckId> = new Set([
  'http_version',
  'status',
  'redirect',
  'content',
  'encoding',
]);

/** Both sides, once more where one answer would refuse them: in a reload, a worker that leaves says `close` or 502. */
export async function inspectToJudge(options: PreflightOptions): Promise<InspectedPair> {
  const pair = await inspectPair(options);
  const { sides } = reportOn(pair.first, pair.second, pair.inspection);
  const [failed] = failedChecks(sides);
  return failed !== undefined && byOneAnswer.has(failed.check.id) ? inspectPair(options) : pair;
}

/** Both sides at once, not judged yet. */
export async function inspectPair(options: PreflightOptions): Promise<InspectedPair> {
  options.signal?.throwIfAborted();
  const {
    listeners: { baseline, comparison },
    ...asked
  } = options;
  const budget = CheckBudget.of([baseline, comparison]);
  // The steps, their connections, and those of the looks at the path and at TLS.
  const looks = roundTripConnections(budget) + CheckBudget.handshakes(budget);
  const begun = 2 * (2 * options.scenario.steps.length + looks + 1);
  const overall = AbortSignal.timeout(totalMs + (budget?.waitMs(begun) ?? 0));
  const inspection: Inspection = {
    timeoutMs: defaultTimeoutMs,
    ...asked,
    signal: options.signal === undefined ? overall : AbortSignal.any([overall, options.signal]),
    ...{ budget, hostnames: [baseline.hostname, comparison.hostname] },
  };
  const [first, second] = await Promise.all([
    inspectSide(baseline, inspection),
    inspectSide(comparison, inspection),
  ]);
  options.signal?.throwIfAborted();
  return { first, second, inspection };
}

export function reportOn(first: SideFindings, second: SideFindings, inspection: Inspection): PreflightReport {
  const sides: PreflightReport['sides'] = {
    baseline: describeSide(first, second, inspection, 'baseline'),
    comparison: describeSide(second, first, inspection, 'comparison'),
  };
  const problem = failedChecks(sides)[0]?.check.message ?? null;
  return { ok: problem === null, problem, sides };
}

const titles: Record<CheckId, string> = {
  address: 'Address',
  connect: 'Connection',
  tls: 'TLS',
  certificate: 'Certificate',
  http_version: 'HTTP version',
  status: 'Status',
  redirect: 'Redirects',
  cookies: 'Cookies',
  scheme: 'Own scheme',
  content: 'Same content',
  encoding: 'Content encoding',
  resumption: 'Session resumption',
  process: 'Server process',
};

function describeSide(
  side: SideFindings,
  other: SideFindings,
  inspection: Inspection,
  role: SideName,
): PreflightSide {
  const judgements: Record<CheckId, () => Judgement> = {
    ...judgeOwnSide(side, other, inspection),
    ...judgePair(side, other, role),
  };
  return {
    ...knownSide(side.listener),
    origin: originOf(side.listener),
    address: side.listener.address,
    checks: checkIdSchema.options.map((id) => ({
      id,
      title: titles[id],
      ...judgeUnlessEnded(id, judgements[id], side),
    })),
    responses: side.answers.map(({ response }) => response),
    tls: side.identity?.negotiated ?? side.negotiated,
    pid: side.listener.pid,
    ...(side.serverFlight === null ? {} : { serverFlight: side.serverFlight }),
    ...(side.roundTrip === null ? {} : { roundTrip: side.roundTrip }),
  };
}

/** Nothing can be said about what comes after the problem, except which process it is. */
function judgeUnlessEnded(id: CheckId, judgement: () => Judgement, { problem }: SideFindings): Judgement {
  if (problem === null || id === 'process') return judgement();
  if (problem.check === id) return { status: 'fail', message: problem.message, ...detailsOf(problem) };
  const order = checkIdSchema.options;
  const reached = order.indexOf(id) < order.indexOf(problem.check);
  return reached ? judgement() : skipped(`Not checked, because “${titles[problem.check]}” failed.`);
}
