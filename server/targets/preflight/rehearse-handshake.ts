import { duplexPair } from 'node:stream';
import {
  connect,
  createSecureContext,
  DEFAULT_CIPHERS,
  type SecureContext,
  type SecureContextOptions,
  TLSSocket,
} from 'node:tls';
import type { TlsProfile } from '../../../shared/base/tls-profile.ts';
import { offerOf } from '../../base/addresses/offered-tls.ts';
import { readNegotiated } from '../../base/wire/read-negotiated.ts';
import { type CheckProblem, codeOf } from './check-problem.ts';
import { explainChoice, explainTerms, findSubstitute } from './explain-choice.ts';

/**
 * Whether a client that asks for this comes to terms with a server that is configured like that: a handshake between two ends in memory.
 * Resolves with why it does not, in the words of a check; null where it does, and for what has nothing to do with what is asked.
 * @param server its key and certificate, suites, and groups
 * @param title of the server, as a sentence begins
 */
export async function rehearseHandshake(
  profile: TlsProfile,
  server: SecureContextOptions,
  title: string,
): Promise<CheckProblem | null> {
  let secureContext: SecureContext;
  try {
    secureContext = createSecureContext(offerOf(profile, false, DEFAULT_CIPHERS));
  } catch (error) {
    return explainChoice(codeOf(error), profile);
  }
  const [near, far] = duplexPair();
  const serverContext = createSecureContext({ minVersion: 'TLSv1.2', maxVersion: 'TLSv1.3', ...server });
  const listening = new TLSSocket(far, { isServer: true, secureContext: serverContext });
  listening.on('error', () => {});
  const client = connect({ socket: near, secureContext, rejectUnauthorized: false });
  try {
    const code = await new Promise<string | null>((resolve) => {
      client.once('secureConnect', () => resolve(null));
      client.once('error', (error) => resolve(codeOf(error)));
      client.once('close', () => resolve('closed'));
    });
    if (code !== null) return explainTerms(code, title, profile);
    const { group } = readNegotiated(client, false, undefined);
    return findSubstitute(client.getCipher(), group, profile);
  } finally {
    client.destroy();
    listening.destroy();
  }
}
