import { type HttpVersion, isEncrypted, transportFacts } from '../../../shared/base/transport.ts';
import type { Scenario } from '../../../shared/scenario/scenario.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { hostOf, originOf } from '../../base/addresses/origin.ts';
import { KnownHead } from '../../base/wire/known-head.ts';
import { compileScript } from '../../intake/scenario/compile-script.ts';
import { fillOrigin } from '../../intake/scenario/own-origin.ts';
import { UserScript } from '../../intake/scenario/user-script.ts';
import { Http1Protocol, type Http1Requests } from './http1-protocol.ts';
import { assembleHttp2Requests, Http2Protocol } from './http2-protocol.ts';
import type { Protocol } from './protocol.ts';
import { assembleRequests } from './request-bytes.ts';

/**
 * How the users of a lane speak, one protocol for each. What they have in common is made once: requests in bytes, the
 * compiled script of a scenario that has one, and the heads that responses are known to begin with.
 */
export function protocolsOf(listener: Listener, written: Scenario): () => Protocol {
  const scenario = fillOrigin(written, originOf(listener));
  const script = compileScript(scenario);
  const origin = { hostname: listener.hostname, secure: isEncrypted(listener.transport), now: Date.now };
  const newUser = () => (script === null ? null : new UserScript(script, origin));
  return protocols[transportFacts[listener.transport].httpVersion](listener, scenario, newUser);
}

type Speak = (listener: Listener, scenario: Scenario, newUser: () => UserScript | null) => () => Protocol;

const protocols: Record<HttpVersion, Speak> = {
  '1.1': (listener, scenario, newUser) => {
    const requests: Http1Requests = {
      usual: assembleRequests(scenario, listener, false),
      last: assembleRequests(scenario, listener, true),
      host: hostOf(listener),
    };
    const knownHeads = scenario.steps.map(() => new KnownHead());
    return () => new Http1Protocol(requests, knownHeads, newUser());
  },
  '2': (listener, scenario, newUser) => {
    const requests = assembleHttp2Requests(scenario, listener);
    return () => new Http2Protocol(requests, listener, newUser());
  },
};
