import { join } from 'node:path';
import { transportFacts } from '../../../shared/base/transport.ts';
import { type ListenerPlan, managedServer } from './managed-server.ts';
import {
  agreedHeader,
  classicalGroups,
  classicalKeys,
  ecdheSuites,
  hybridGroups,
  ianaGroups,
  idleS,
  isAtLeast,
  witnessHeader,
  witnessPath,
} from './tls-settings.ts';

/**
 * Caddy serving files, with the certificate it is given and nothing of its own: no administration, no authority, no redirects. Its
 * TLS is Go's, with X25519MLKEM768 since Caddy 2.10 (its release notes). Sessions are resumed by tickets.
 */
export const caddy = managedServer({
  name: 'caddy',
  parts: { caddy: { program: ['caddy'], package: 'caddy' } },
  versionOf: (paths) => ({ program: paths.caddy, args: ['version'] }),
  transports: ['http', 'https', 'h2c', 'h2'],
  uncountable: 'Valgrind’s Callgrind fails at the signals of Go’s runtime.',
  tls: (version) => ({
    name: 'crypto/tls of Go',
    groups: isAtLeast(version, 2, 10) ? hybridGroups : classicalGroups,
    keys: classicalKeys,
    // The default suites, according to Caddy's documentation of `ciphers`.
    suites: ecdheSuites('AES256-GCM-SHA384', 'AES128-GCM-SHA256', 'CHACHA20-POLY1305'),
  }),
  filesOf: (plan) => ({ 'caddy.json': `${JSON.stringify(configureCaddy(plan), null, 2)}\n` }),
  commandOf: ({ directory, workers }, paths) => ({
    program: '/usr/bin/env',
    args: [
      ...[`GOMAXPROCS=${workers}`, `HOME=${directory}`, `XDG_DATA_HOME=${directory}`],
      ...[paths.caddy, 'run', '--config', join(directory, 'caddy.json')],
    ],
  }),
});

function configureCaddy(plan: ListenerPlan) {
  const { address, port, transport, directory, documents, errorLog, identity, resumption, keepAlive } = plan;
  const { encrypted, httpVersion } = transportFacts[transport];
  const close = keepAlive ? {} : { Connection: ['close'] };
  const headers = { handler: 'headers', response: { set: { 'Content-Type': ['text/html'], ...close } } };
  const ofTwo = encrypted ? 'h2' : 'h2c';
  return {
    admin: { disabled: true, config: { persist: false } },
    storage: { module: 'file_system', root: directory },
    logging: { logs: { default: { writer: { output: 'file', filename: errorLog }, level: 'WARN' } } },
    apps: {
      http: {
        servers: {
          listener: {
            listen: [`${address}:${port}`],
            protocols: httpVersion === '2' ? ['h1', ofTwo] : ['h1'],
            idle_timeout: `${idleS}s`,
            automatic_https: { disable: true },
            routes: [
              { match: [{ path: [witnessPath] }], handle: [versionWords, witness], terminal: true },
              { handle: [headers, { handler: 'file_server', root: documents }] },
            ],
            // Else it refuses an address as the name of the host, once clients have certificates.
            strict_sni_host: false,
            ...(encrypted ? { tls_connection_policies: [policyOf(plan)] } : {}),
          },
        },
      },
      ...(encrypted
        ? {
            tls: {
              certificates: { load_files: [{ certificate: identity, key: identity, format: 'pem' }] },
              session_tickets: { disabled: !resumption },
            },
          }
        : {}),
    },
  };
}

/** It calls versions and whether a session was resumed by names of its own. */
const versionWords = {
  handler: 'map',
  source: '{http.request.tls.version}',
  destinations: ['{agreed_version}'],
  mappings: ['1.2', '1.3'].map((each) => ({ input: `tls${each}`, outputs: [`TLSv${each}`] })),
};

const witness = {
  handler: 'static_response',
  status_code: 204,
  headers: {
    [witnessHeader]: ['{http.request.tls.resumed}'],
    [agreedHeader]: ['{agreed_version} {http.request.tls.cipher_suite}'],
  },
};

function policyOf({ transport, groups, hostname, clientAuthority }: ListenerPlan) {
  return {
    alpn: [transportFacts[transport].alpn],
    protocol_min: 'tls1.2',
    protocol_max: 'tls1.3',
    default_sni: hostname,
    curves: ianaGroups(groups),
    ...(clientAuthority === null
      ? {}
      : {
          client_authentication: {
            trusted_ca_certs_pem_files: [clientAuthority],
            mode: 'require_and_verify',
          },
        }),
  };
}
