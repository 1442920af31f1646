import { printNumber, printQuantity, printShare, scaleFor } from '../../../shared/base/quantity.ts';
import { isEncrypted, transportFacts } from '../../../shared/base/transport.ts';
import type { CheckId } from '../../../shared/target/preflight.ts';
import type { Answer } from './answer.ts';
import { changingShare, differentShare, sameButAddress, shareOfDifference } from './compare-answers.ts';
import { differingHeaders } from './compare-headers.ts';
import type { SideFindings } from './inspect-side.ts';
import { judgeCookies } from './judge-cookies.ts';
import { fail, type Judgement, pass, skipped, warn } from './judgement.ts';

type PairCheckId = Extract<CheckId, 'http_version' | 'cookies' | 'content' | 'encoding'>;

/** Checks of whether the two sides are the same application. A difference is put on the comparison side. */
export function judgePair(
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
        `${at} is answered in ${printVersion(ours)} here and in ${printVersion(theirs)} on the other side.`,
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
  return version === undefined ? skipped('Not seen.') : pass(`${printVersion(version)}.`);
}

/** `ended after 2 of 2 answers here and 0 of 2 on the other side`. */
function endedInWords(pairs: readonly Pair[]): string {
  const ended = (side: keyof Pair) => pairs.filter((pair) => pair[side].closes).length;
  return `ended after ${ended('comparison')} of ${pairs.length} answers here and ${ended('baseline')} of ${pairs.length} on the other side`;
}

function notTlsAlone(side: SideFindings, other: SideFindings): string {
  const [ours, theirs] = [side, other].map(({ answers }) =>
    printVersion(answers[0]?.response.httpVersion ?? ''),
  );
  return `${ours} here and ${theirs} on the other side, as requested. The difference does not come from TLS alone.`;
}

/** `HTTP/2` has no minor version. */
function printVersion(version: string): string {
  return `HTTP/${version.replace(/^2\.0$/, '2')}`;
}

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
      nameOf(response.contentEncoding),
    );
    return fail(
      `Not comparable: step “${different.comparison.step.name}” is ${ours} here and ${theirs} on the other side. Compress on both or on neither.`,
    );
  }
  const encodings = new Set(side.answers.map(({ response }) => nameOf(response.contentEncoding)));
  const bytes = side.answers.reduce((sum, { response }) => sum + response.bodyBytes, 0);
  const size = printQuantity(bytes, scaleFor('bytes', [bytes]));
  return pass(`${[...encodings].join(', ')}, ${size}.`.replace(/^./, (letter) => letter.toUpperCase()));
}

function nameOf(encoding: string): string {
  return encoding === '' ? 'not compressed' : `compressed with ${encoding}`;
}
