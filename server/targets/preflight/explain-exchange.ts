import { isEncrypted } from '../../../shared/base/transport.ts';
import type { Step } from '../../../shared/scenario/scenario.ts';
import { endpointOf } from '../../base/addresses/origin.ts';
import type { NoAnswer } from '../../base/wire/ask.ts';
import { CheckProblem } from './check-problem.ts';
import type { Dialer } from './dialer.ts';

/** Why a request on an open connection got no whole response. */
export function explainExchange(failure: NoAnswer, step: Step, dialer: Dialer): CheckProblem {
  const { why, received, code } = failure;
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
  if (code.startsWith('ERR_SSL_')) return dialer.explainRefusal(code);
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
    );
  }
  const mayBeUnwelcome = received.headers === null && listener.clientIdentity !== undefined;
  const cause = mayBeUnwelcome ? ' It may not accept the client certificate.' : '';
  const message = `${what}${cause} Check the server’s log.`;
  return new CheckProblem('status', message);
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
