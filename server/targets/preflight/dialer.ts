import { X509Certificate } from 'node:crypto';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import {
  connect as connectTls,
  createSecureContext,
  DEFAULT_CIPHERS,
  rootCertificates,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import type { NegotiatedTls, TlsProfile } from '../../../shared/base/tls-profile.ts';
import { isEncrypted, transportFacts } from '../../../shared/base/transport.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { opensConnections } from '../../base/addresses/load-limits.ts';
import { endpointOf } from '../../base/addresses/origin.ts';
import { isAddress } from '../../base/addresses/target-policy.ts';
import { ownSocket } from '../../base/process/children.ts';
import { countSources, sourceAddress } from '../../base/process/listeners.ts';
import { codeOf } from '../../base/text/foreign-errors.ts';
import { isHelloRetry, offerOf, readNegotiated, WireTap } from '../../base/wire/negotiated-tls.ts';
import {
  explainChoice,
  explainConnect,
  explainHandshake,
  explainProtocol,
  findSubstitute,
} from './explain-connection.ts';
import { type CheckBudget, CheckProblem, commonNameIn, type Inspection } from './inspection.ts';

export type Handshake = {
  negotiated: NegotiatedTls;
  resumed: boolean;
  /** The server has asked for a client certificate. */
  asksForCertificate: boolean;
  /** The server wanted another key share: one round trip more (HelloRetryRequest). */
  retried: boolean;
  certificate: string;
  /** Received by its end, records included: what the server sent. */
  serverBytes: number;
  /** As it was sent, with its issuers; undefined when it was not. */
  leaf: X509Certificate | undefined;
};

export type DialedConnection = { socket: Socket | TLSSocket; handshake: Handshake | null };

type DialOptions = {
  session?: Buffer;
  onSession?: (session: Buffer) => void;
  /** To offer by ALPN; the one of the listener's transport when left out. */
  protocols?: string[];
};

type DialerOptions = Pick<Inspection, 'timeoutMs' | 'signal' | 'budget'> &
  Partial<Pick<Inspection, 'connectionPolicy'>>;

/** A server that broke off in plain HTTP is not waited for any longer before that is said. */
const disguiseMs = 2_000;

/**
 * Opens connections to one listener the way the load generator will: the pinned address, one secure context,
 * one protocol by ALPN. Whatever goes wrong becomes a CheckProblem that names the cause.
 */
export class Dialer {
  readonly listener: Listener;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly profile: TlsProfile;
  /** Budget for a target on another host. */
  readonly budget: CheckBudget | null;
  /** Addresses of this machine that connections come from, by turns. */
  readonly #sources: number;
  /** How long each TCP connection took to open. */
  readonly connectTimesUs: number[] = [];
  /** Spent on connections and handshakes, and on waiting to be allowed them. */
  dialingMs = 0;
  #context: SecureContext | null = null;
  #latest: TLSSocket | null = null;
  #hasAsked = false;

  constructor(
    listener: Listener,
    profile: TlsProfile,
    { timeoutMs, signal, budget, connectionPolicy = 'keep-alive' }: DialerOptions,
  ) {
    this.listener = listener;
    this.timeoutMs = timeoutMs;
    this.signal = signal;
    this.profile = profile;
    this.budget = budget;
    this.#sources = countSources(listener.address, opensConnections(connectionPolicy));
  }

  async dial(options: DialOptions = {}): Promise<DialedConnection> {
    const fromMs = performance.now();
    try {
      return await this.#dial(options);
    } finally {
      this.dialingMs += performance.now() - fromMs;
    }
  }

  async #dial(options: DialOptions): Promise<DialedConnection> {
    const socket = await this.connect();
    if (!isEncrypted(this.listener.transport)) return { socket, handshake: null };
    try {
      return await this.shakeHands(socket, options);
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  connect(): Promise<Socket> {
    return this.budget === null ? this.#connect() : this.budget.connect(this.signal, () => this.#connect());
  }

  #connect(): Promise<Socket> {
    const { address, port } = this.listener;
    const patience = this.#patience();
    return new Promise((resolve, reject) => {
      const fromMs = performance.now();
      const from = this.#sources === 1 ? {} : { localAddress: sourceAddress(this.connectTimesUs.length) };
      const socket = ownSocket(connectTcp({ host: address, port, noDelay: true, ...from }));
      const giveUp = (code: string, cause?: unknown) => {
        socket.destroy();
        reject(because(cause, explainConnect(code, endpointOf(this.listener), this.timeoutMs)));
      };
      const forgetPatience = whenAborted(patience, () => giveUp('timeout'));
      socket.once('connect', () => {
        this.connectTimesUs.push((performance.now() - fromMs) * 1000);
        forgetPatience();
        if (isAddress(socket.remoteAddress, address)) resolve(socket);
        else giveUp('elsewhere');
      });
      // Stays for the life of the socket: a reset while it idles must not end the process.
      socket.on('error', (error) => giveUp(codeOf(error), error));
    });
  }

  /** Whether a TLS handshake succeeds here, whoever the certificate is for. */
  async speaksTls(): Promise<boolean> {
    const transport = await this.connect();
    const patience = this.#patience(Math.min(this.timeoutMs, disguiseMs));
    return new Promise((resolve) => {
      const socket = connectTls({ socket: transport, rejectUnauthorized: false });
      const settle = (answer: boolean) => {
        socket.destroy();
        resolve(answer);
      };
      whenAborted(patience, () => settle(false));
      socket.once('secureConnect', () => settle(true));
      socket.on('error', () => settle(false));
      socket.once('close', () => settle(false));
    });
  }

  /** Whether it answers HTTP/2 without TLS: with its settings, which every server sends first. Source: RFC 9113, section 3.4. */
  async speaksHttp2(): Promise<boolean> {
    const socket = await this.connect();
    const patience = this.#patience(Math.min(this.timeoutMs, disguiseMs));
    return new Promise((resolve) => {
      const settle = (answer: boolean) => {
        socket.destroy();
        resolve(answer);
      };
      whenAborted(patience, () => settle(false));
      socket.once('data', (bytes) => settle(isSettings(bytes)));
      socket.once('close', () => settle(false));
      socket.write(Buffer.concat([http2Preface, emptySettings]));
    });
  }

  shakeHands(
    transport: Socket,
    { session, onSession, protocols }: DialOptions = {},
  ): Promise<DialedConnection & { handshake: Handshake }> {
    const secureContext = this.#secureContext();
    const { hostname, transport: spoken } = this.listener;
    const tap = new WireTap(transport);
    const patience = this.#patience();
    return new Promise((resolve, reject) => {
      const socket = connectTls({
        socket: tap,
        secureContext,
        host: hostname,
        servername: isIP(hostname) === 0 ? hostname : '',
        ALPNProtocols: protocols ?? [transportFacts[spoken].alpn],
        rejectUnauthorized: false,
        ...(session === undefined ? {} : { session }),
      });
      this.#latest = socket;
      const giveUp = (problem: CheckProblem) => {
        socket.destroy();
        reject(problem);
      };
      const breakOff = (code: string, cause?: unknown) => {
        if (/NO_APPLICATION_PROTOCOL/.test(code)) {
          return giveUp(because(cause, explainProtocol(this.listener)));
        }
        const seen = { head: tap.received, hello: tap.sent, asksForCertificate: this.#notesAsking(socket) };
        const problem = explainHandshake({ code, ...seen }, this.listener, this.profile, this.timeoutMs);
        return giveUp(because(cause, problem));
      };
      const forgetPatience = whenAborted(patience, () => breakOff('timeout'));
      if (onSession !== undefined) socket.on('session', onSession);
      socket.on('error', (error) => breakOff(codeOf(error), error));
      socket.once('close', () => breakOff('closed'));
      socket.once('secureConnect', () => {
        forgetPatience();
        // Node hands the certificate out once only.
        const certificate = socket.getPeerX509Certificate();
        const resumed = socket.isSessionReused();
        const distrusted = this.#distrust(socket, certificate, resumed);
        if (distrusted !== null) {
          giveUp(distrusted);
          return;
        }
        const negotiated = readNegotiated(socket, resumed, certificate);
        const substitute = findSubstitute(socket.getCipher(), negotiated.group, this.profile);
        if (substitute !== null) {
          giveUp(substitute);
          return;
        }
        const handshake: Handshake = {
          negotiated,
          resumed,
          asksForCertificate: this.#notesAsking(socket),
          retried: isHelloRetry(tap.received),
          serverBytes: transport.bytesRead,
          certificate: describeCertificate(certificate, this.profile.verify, this.listener),
          leaf: certificate,
        };
        resolve({ socket, handshake });
      });
    });
  }

  /** Whether a server has asked for a client certificate by now: in a handshake, or late, after a request. */
  get asksForCertificate(): boolean {
    return this.#latest === null ? this.#hasAsked : this.#notesAsking(this.#latest);
  }

  /** Why a server refused a connection after the client's own side of the handshake was over, as in TLS 1.3. */
  explainRefusal(error: unknown): CheckProblem {
    const seen = { code: codeOf(error), head: Buffer.alloc(0), asksForCertificate: this.asksForCertificate };
    return because(error, explainHandshake(seen, this.listener, this.profile, this.timeoutMs));
  }

  /** Signature algorithms are shared with a client only when it is asked to sign. */
  #notesAsking(socket: TLSSocket): boolean {
    this.#hasAsked ||= (socket.getSharedSigalgs() ?? []).length > 0;
    return this.#hasAsked;
  }

  /** A resumed session stands for the certificate of its first connection. */
  #distrust(
    socket: TLSSocket,
    certificate: X509Certificate | undefined,
    resumed: boolean,
  ): CheckProblem | null {
    if (!this.profile.verify || resumed) return null;
    const { trust } = this.listener;
    if (trust === undefined ? socket.authorized : certificate?.fingerprint256 === trust) return null;
    const code = String(socket.authorizationError);
    const message = explainCertificate(code, certificate, this.listener);
    return new CheckProblem('certificate', message, { untrusted: certificate?.fingerprint256 }, code);
  }

  #secureContext(): SecureContext {
    this.#context ??= this.#makeContext();
    return this.#context;
  }

  #makeContext(): SecureContext {
    const { weakKey = false, clientIdentity } = this.listener;
    const ca = this.profile.verify ? this.#trusted() : [];
    try {
      return createSecureContext({
        ca,
        ...offerOf(this.profile, weakKey, DEFAULT_CIPHERS),
        ...(clientIdentity === undefined ? {} : { cert: clientIdentity, key: clientIdentity }),
      });
    } catch (error) {
      throw because(error, explainChoice(codeOf(error), this.profile));
    }
  }

  /** OpenSSL passes over a ca that it cannot read, and the certificate would be blamed. */
  #trusted(): string | string[] {
    const { ca } = this.listener;
    if (ca === null) return [...rootCertificates];
    try {
      new X509Certificate(ca);
      return ca;
    } catch (error) {
      throw new CheckProblem('certificate', 'The given CA is not a readable PEM certificate.', {}, error);
    }
  }

  #patience(ms = this.timeoutMs): AbortSignal {
    return AbortSignal.any([this.signal, AbortSignal.timeout(ms)]);
  }
}

/** Keeps the original words of a foreign error. */
function because(error: unknown, problem: CheckProblem): CheckProblem {
  if (error !== undefined) problem.cause = error;
  return problem;
}

const http2Preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const emptySettings = Buffer.of(0, 0, 0, 4, 0, 0, 0, 0, 0);

/** The head of a SETTINGS frame that is no acknowledgement. Source: RFC 9113, sections 4.1 and 6.5. */
function isSettings(bytes: Buffer): boolean {
  return bytes.length >= 9 && bytes[3] === 4 && bytes[4] === 0 && bytes.readUInt32BE(5) === 0;
}

/** A signal that is aborted already sends no event. Returns what ends the wait for it. */
function whenAborted(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) act();
  signal.addEventListener('abort', act, { once: true });
  return () => signal.removeEventListener('abort', act);
}

/** Why a certificate was not accepted, and what would help. `code` is Node's authorization error. */
function explainCertificate(
  code: string,
  certificate: X509Certificate | undefined,
  listener: Listener,
): string {
  const { trust } = listener;
  if (trust !== undefined) {
    return `The certificate is not the one that you trusted: its SHA-256 is ${certificate?.fingerprint256 ?? 'unknown'}.`;
  }
  switch (code) {
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return listener.ca === null
        ? `The certificate is self-signed. ${offerOfCertificate('Give the certificate itself as the CA', certificate)}`
        : 'The certificate is self-signed, and it is not the CA that you gave.';
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return listener.ca === null
        ? `The certificate is signed by “${commonNameIn(certificate?.issuer)}”, an unknown authority. ${offerOfCertificate('Give the certificate of that authority', certificate)}`
        : `The certificate is signed by “${commonNameIn(certificate?.issuer)}”, which is not the CA that you gave.`;
    case 'CERT_SIGNATURE_FAILURE':
      return 'The certificate’s signature does not match the CA that you gave. Was the CA recreated?';
    case 'CERT_HAS_EXPIRED':
      return `The certificate expired on ${dayOf(certificate?.validTo)}. Renew it.`;
    case 'CERT_NOT_YET_VALID':
      return `The certificate is not valid before ${dayOf(certificate?.validFrom)}. Check the clocks.`;
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `The certificate is for ${certificateNames(certificate)}, not for ${listener.hostname}. Use one of its names in the HTTPS address, or add ${listener.hostname} to the certificate.`;
    case 'CERT_REVOKED':
      return 'The certificate has been revoked. Replace it.';
    case 'INVALID_PURPOSE':
      return 'The certificate is not a server certificate. Add the extended key usage serverAuth.';
    case 'INVALID_CA':
      return 'The certificate’s issuer is not a CA: it lacks CA:TRUE. Have a CA sign the certificate.';
    default:
      return 'The certificate was not accepted (details).';
  }
}

/** `Trusted; for shop.test, until 2027-01-01.` */
function describeCertificate(
  certificate: X509Certificate | undefined,
  verified: boolean,
  { trust }: Listener,
): string {
  const facts = `for ${certificateNames(certificate)}, until ${dayOf(certificate?.validTo)}`;
  if (!verified) return `Not checked, as planned; ${facts}.`;
  return trust === undefined
    ? `Trusted; ${facts}.`
    : `Trusted for this run by its fingerprint; its name and dates (${facts}) are not checked.`;
}

/** What a user can do who knows the server: the command line prints nothing else. */
function offerOfCertificate(remedy: string, certificate: X509Certificate | undefined): string {
  return `${remedy} (--ca), or trust it for this run (--trust ${certificate?.fingerprint256 ?? 'SHA-256'}).`;
}

function certificateNames(certificate: X509Certificate | undefined): string {
  const names = certificate?.subjectAltName?.split(', ').map((name) => name.slice(name.indexOf(':') + 1));
  return names?.join(', ') ?? 'no name at all';
}

function dayOf(date: string | undefined): string {
  return date === undefined ? 'an unknown date' : new Date(date).toISOString().slice(0, 10);
}
