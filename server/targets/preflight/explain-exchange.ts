import { isEncrypted } from '../../../shared/base/transport.ts';
import type { Step } from '../../../shared/scenario/scenario.ts';
import { endpointOf } from '../../base/addresses/origin.ts';
import { SwitchedProtocols } from '../../base/wire/answer-of.ts';
import { CheckProblem, codeOf } from './check-problem.ts';
import { CutOff } from './cut-off.ts';
import type { Dialer } from './dialer.ts';
import { explainParser, isParserError } from './explain-parser.ts';
import { notHttp2 } from './http2-visitor.ts';
import type { Incoming } from './visitor.ts';

/** How far a response came before it failed. */
type Progress = {
  timedOut: boolean;
  /** Null: not all of it has come. */
  head: Pick<Incoming, 'headers'> | null;
  bodyBytes: number;
};

/** Why a request on an open connection got no whole response. */
export function explainExchange(
  error: unknown,
  step: Step,
  dialer: Dialer,
  progress: Progress,
): CheckProblem {
  const endpoint = endpointOf(dialer.listener);
  const at = `Step “${step.name}”`;
  const code = codeOf(error);
  if (progress.timedOut) {
    const limit = `within ${dialer.timeoutMs / 1000} s`;
    return new CheckProblem('status', `${at} got ${received(progress)} from ${endpoint} ${limit}.`);
  }
  if (error instanceof SwitchedProtocols) {
    const message = `${at} got 101 Switching Protocols from ${endpoint}, although it asked for no other protocol. Use an address that answers ordinary HTTP requests.`;
    return new CheckProblem('status', message);
  }
  if (isParserError(error)) {
    return new CheckProblem('http_version', `${at}: ${explainParser(error, endpoint, progress)}`);
  }
  if (code === notHttp2) {
    const message = `${endpoint} does not speak HTTP/2. ${adviceOnHttp2(dialer)}.`;
    return new CheckProblem('http_version', message, { field: 'transport' });
  }
  if (code === 'ERR_HTTP2_ERROR') {
    return new CheckProblem('http_version', `${at}: the response from ${endpoint} is not HTTP/2 (${code}).`);
  }
  if (code === 'ERR_HTTP2_STREAM_ERROR') {
    return new CheckProblem('status', `${at} got ${received(progress)}: ${endpoint} reset the stream.`);
  }
  const { listener, asksForCertificate } = dialer;
  if (code.startsWith('ERR_SSL_')) return dialer.explainRefusal(code);
  const partOfHead = error instanceof CutOff && progress.head === null && error.receivedBytes > 0;
  const got = partOfHead ? 'only a part of the response’s head' : received(progress);
  const ended = error instanceof CutOff && error.isReset ? 'reset' : 'closed';
  const what = `${at} got ${got}: ${endpoint} ${ended} the connection.`;
  if (progress.head === null && asksForCertificate && listener.clientIdentity === undefined) {
    return new CheckProblem(
      'tls',
      `${what} It asked for a client certificate in the handshake. Give one (--client-cert, --client-key).`,
    );
  }
  const mayBeUnwelcome = progress.head === null && listener.clientIdentity !== undefined;
  const cause = mayBeUnwelcome ? ' It may not accept the client certificate.' : '';
  const message = `${what}${cause} Check the server’s log.`;
  return new CheckProblem('status', message);
}

/** As in "got …". */
function received({ head, bodyBytes }: Progress): string {
  if (head === null) return 'no response';
  const length = Number(head.headers['content-length'] ?? Number.NaN);
  if (Number.isNaN(length)) return `${bodyBytes} bytes of a body without its end`;
  return `${bodyBytes} of ${length} bytes of the body`;
}

/** Without TLS nothing is agreed on: a server has to expect HTTP/2 from the first byte on. */
function adviceOnHttp2({ listener }: Dialer): string {
  return isEncrypted(listener.transport)
    ? 'Check the server’s log, or choose the transport https'
    : 'Enable HTTP/2 without TLS (prior knowledge), or choose the transport http';
}
