/** Protects the configuration of managed servers: the same connections, workers, sessions and TLS, in private places only. */
import { describe, expect, test } from 'vitest';
import { type ServerName, serverNames } from '../../../shared/target/server-options.ts';
import type { Files, ListenerPlan } from './managed-server.ts';
import { managedServers } from './managed-servers.ts';
import { documentOf } from './start-servers.ts';

const plan: ListenerPlan = {
  ...{
    key: 'P-256',
    workers: 2,
    keepAlive: true,
    resumption: true,
    kTls: false,
    tickets: null,
    recordSize: null,
  },
  groups: 'X25519MLKEM768:X25519:P-256:P-384',
  ...{
    transport: 'https',
    http3: false,
    address: '127.0.0.1',
    port: 4001,
    innerPort: 4002,
    idleS: 600,
    hostname: 'shop.test',
  },
  ...{ directory: '/private/comparison', documents: '/private/documents', sizes: [10_000] },
  ...{
    identity: '/private/identity.pem',
    upstream: null,
    clientAuthority: null,
    certificateCompression: 'none',
    namesCompiled: false,
    errorLog: '/private/comparison/error.log',
  },
};

const paths = new Proxy({}, { get: (_, name) => `/usr/lib/${String(name)}` });

function filesOf(name: ServerName, change: Partial<ListenerPlan> = {}): Files {
  return managedServers[name].filesOf({ ...plan, ...change }, paths);
}

function textOf(name: ServerName, change: Partial<ListenerPlan> = {}): string {
  return Object.values(filesOf(name, change)).join('\n');
}

/** Groups of servers that have their own names for them. */
const groupsOf: Partial<Record<ServerName, string>> = {
  caddy: 'x25519mlkem768:x25519:secp256r1:secp384r1',
  jdk: 'x25519mlkem768,x25519,secp256r1,secp384r1',
};

describe.each(serverNames)('%s', (name) => {
  test('listens on loopback, and names no place outside its private directory', () => {
    const text = textOf(name);
    expect(text).toContain('4001');
    const outside = [...text.matchAll(/(?<=[\s":])\/[\w./-]+/g)].map(([path]) => path);
    const allowed = /^\/private\/|^\/usr\/lib\/|^\/dev\/null$|^\/\w+\.html$/;
    expect(outside.filter((path) => !allowed.test(path))).toEqual([]);
    expect(text).not.toMatch(/0\.0\.0\.0|\[::\]|\*:/);
  });

  test('is the same without TLS but for its encryption', () => {
    const plain = textOf(name, { transport: 'http' });
    expect(plain).not.toContain('TLSv1.2 TLSv1.3');
    const unsaid = plain
      .split('\n')
      .filter((line) => !textOf(name).includes(line.trim().replace(/[,;)]+$/, '')));
    expect(unsaid.length).toBeLessThanOrEqual(3);
  });

  const { lacks = [] } = managedServers[name];
  test.runIf(!lacks.includes('clientCertificates'))(
    'demands a certificate of its clients only where it was asked to',
    () => {
      const demanding = textOf(name, { clientAuthority: '/private/clients.pem' });
      expect(demanding).toContain('/private/clients.pem');
      expect(demanding).not.toBe(textOf(name));
      expect(textOf(name)).not.toMatch(/verify|clients\.pem|SSLVerifyClient|_certificate": true/i);
    },
  );

  test.skipIf(['go', 'caddy', 'envoy', 'jdk'].includes(name))(
    'lowers the level of OpenSSL for the key that needs it alone',
    () => {
      expect(textOf(name, { key: 'RSA-1024' })).toContain('@SECLEVEL=0');
      for (const key of ['P-256', 'RSA-2048', 'RSA-4096'] as const) {
        expect(textOf(name, { key })).not.toContain('SECLEVEL');
      }
    },
  );

  test('agrees on keys in the groups that its library was found to have', () => {
    const groups = 'X25519MLKEM768:X25519:P-256:P-384';
    expect(textOf(name).replace(/",\s+"/g, ':')).toContain(groupsOf[name] ?? groups);
    expect(textOf(name, { groups: 'X25519:P-256' })).not.toContain('MLKEM');
  });

  test('speaks each of its transports by a configuration of its own', () => {
    const texts = managedServers[name].transports.map((transport) => textOf(name, { transport }));
    expect(new Set(texts).size).toBe(texts.length);
  });
});

type Setting = Partial<ListenerPlan>;
const settings: Record<ServerName, [change: Setting, lines: string[]][]> = {
  nginx: [
    [{}, ['worker_processes 2;', 'access_log off;', 'keepalive_timeout 600;', 'ssl_session_tickets on;']],
    [{ keepAlive: false }, ['keepalive_timeout 0;']],
    [{ resumption: false }, ['ssl_session_tickets off;', 'ssl_session_cache off;', 'NumTickets 0;']],
    [{ kTls: true }, ['ssl_conf_command Options KTLS;', 'sendfile on;']],
    [{ tickets: 4, recordSize: 4096 }, ['NumTickets 4;', 'ssl_buffer_size 4096;']],
    [{ tickets: 4, resumption: false }, ['NumTickets 0;']],
    [{ transport: 'h2c' }, ['listen 127.0.0.1:4001 http2;']],
  ],
  apache: [
    [
      {},
      ['ServerLimit 2', 'mpm_event_module', 'KeepAlive On', 'MaxKeepAliveRequests 0', 'SSLSessionTickets on'],
    ],
    [{ keepAlive: false }, ['KeepAlive Off']],
    [{ resumption: false }, ['SSLSessionTickets off', 'SSLSessionCache none', 'NumTickets 0']],
    [{ tickets: 0 }, ['SSLSessionTickets on', 'NumTickets 0']],
    [{ transport: 'h2' }, ['Protocols h2 http/1.1', 'mod_http2.so']],
  ],
  lighttpd: [
    [
      {},
      [
        'server.max-worker = 2',
        'server.max-keep-alive-requests = 65535',
        '"Options" => "-ServerPreference,SessionTicket"',
      ],
    ],
    [{ workers: 1 }, ['server.port = 4001']],
    [{ keepAlive: false }, ['server.max-keep-alive-requests = 0']],
    [{ resumption: false }, ['-SessionTicket', '"NumTickets" => "0"']],
  ],
  caddy: [
    [{}, ['"idle_timeout": "600s"', '"disabled": false', '"root": "/private/documents"']],
    [{ keepAlive: false }, ['"Connection"']],
    [{ resumption: false }, ['"session_tickets": {\n        "disabled": true']],
    [{ clientAuthority: '/private/clients.pem' }, ['"mode": "require_and_verify"']],
    [{ transport: 'h2c' }, ['"h2c"']],
  ],
  h2o: [
    [{}, ['num-threads: 2', 'http1-request-timeout: 600', 'mode: all', 'Groups = X25519MLKEM768']],
    [{ resumption: false }, ['mode: off', 'Options = -SessionTicket', 'NumTickets = 0']],
    [{ key: 'RSA-1024' }, ['CipherString = DEFAULT:@SECLEVEL=0']],
    [{ transport: 'h2c' }, ['http2-idle-timeout: 600']],
  ],
  hitch: [
    [{}, ['workers = 2', 'backend = "[127.0.0.1]:4002"', 'listen 127.0.0.1:4002;']],
    [{ keepAlive: false }, ['keepalive_timeout 0;']],
    [{ resumption: false }, ['Options = -SessionTicket', 'NumTickets = 0']],
    [{ transport: 'h2' }, ['alpn-protos = "h2"', 'listen 127.0.0.1:4002 http2;']],
    [{ transport: 'http' }, ['listen 127.0.0.1:4001;']],
  ],
  stunnel: [
    [{}, ['connect = 127.0.0.1:4002', 'TIMEOUTidle = 600', 'listen 127.0.0.1:4002;']],
    [{ keepAlive: false }, ['keepalive_timeout 0;']],
    [{ resumption: false }, ['sessionResume = no', 'options = NO_TICKET', 'config = NumTickets:0']],
    [{ transport: 'http' }, ['listen 127.0.0.1:4001;']],
  ],
  haproxy: [
    [
      {},
      [
        'nbthread 2',
        'option http-keep-alive',
        'tune.ssl.cachesize 20000',
        'server application 127.0.0.1:4002',
        'listen 127.0.0.1:4002;',
      ],
    ],
    [{ keepAlive: false }, ['option httpclose', 'keepalive_timeout 600;']],
    [{ resumption: false }, ['no-tls-tickets', 'tune.ssl.cachesize 0']],
    [{ transport: 'h2c' }, ['bind 127.0.0.1:4001 proto h2']],
  ],
  node: [
    [{}, ['"workers": 2', '"keepAliveMs": 600000', '"resumption": true']],
    [{ keepAlive: false }, ['"keepAliveMs": null']],
    [{ resumption: false }, ['"resumption": false']],
    [{ certificateCompression: 'zstd' }, ['"certificateCompression": [\n      "zstd"\n    ]']],
    [{ transport: 'h2c' }, ['"httpVersion": "2"', '"tls": null']],
  ],
  envoy: [
    [{}, ['"codec_type": "HTTP1"', '"idle_timeout": "600s"', '"max_direct_response_body_size_bytes": 10000']],
    [{ keepAlive: false }, ['"max_requests_per_connection": 1']],
    [
      { resumption: false },
      ['"disable_stateless_session_resumption": true', '"disable_stateful_session_resumption": true'],
    ],
    [{ clientAuthority: '/private/clients.pem' }, ['"require_client_certificate": true']],
    [{ transport: 'h2c' }, ['"codec_type": "HTTP2"']],
  ],
  jdk: [
    [{}, ['threads=16', 'keepAlive=true', 'resumption=true', '-XX:ActiveProcessorCount=2']],
    [{ keepAlive: false }, ['keepAlive=false']],
    [{ resumption: false }, ['resumption=false', 'disableExtensions=pre_shared_key,']],
    [{ clientAuthority: '/private/clients.pem' }, ['clientAuthority=/private/clients.pem']],
    [{ transport: 'http' }, ['port=4001']],
  ],
  go: [
    [{}, ['"workers": 2', '"keepAlive": true', '"idleS": 600', '"resumption": true']],
    [{ keepAlive: false }, ['"keepAlive": false']],
    [{ resumption: false }, ['"resumption": false']],
    [{ transport: 'h2c' }, ['"httpVersion": "2"', '"tls": null']],
  ],
};

describe.each(serverNames)('the settings of %s', (name) => {
  test.each(settings[name])('with %j', (change, lines) => {
    const text = textOf(name, change);
    for (const line of lines) expect(text).toContain(line);
  });
});

test('a document has exactly as many bytes as were asked for', () => {
  for (const bytes of [0, 1, 50, 100, 1000, 10_000, 16_385]) {
    expect(Buffer.byteLength(documentOf(bytes))).toBe(bytes);
  }
  expect(documentOf(1000)).toMatch(/^<!doctype html>[\s\S]*<title>1000 bytes<\/title>[\s\S]*<\/html>\n$/);
});

describe('a server that passes requests on', () => {
  const tls = { hostname: 'shop.test', authority: '/private/ca.pem', identity: '/private/client.pem' };
  const upstream = { address: '127.0.0.1', port: 4009, tls: null };

  test('is one that says which of its parts it needs for that', () => {
    const proxies = serverNames.filter((name) => managedServers[name].asProxy !== undefined);
    expect(proxies).toEqual(['haproxy', 'envoy']);
  });

  test.each(['haproxy', 'envoy'] as const)(
    '%s has no documents and no server of its own behind it',
    (name) => {
      const files = filesOf(name, { upstream });
      expect(Object.keys(files)).toEqual([name === 'haproxy' ? 'haproxy.cfg' : 'envoy.json']);
      const text = textOf(name, { upstream });
      expect(text).toContain('4009');
      expect(text).not.toMatch(/10000\.html|4002/);
      // The proxy's own answers have this header.
      expect(text).toContain('tls-toll-proxy');
      expect(textOf(name)).not.toContain('tls-toll-proxy');
    },
  );

  test.each(['haproxy', 'envoy'] as const)(
    '%s verifies what it passes on to over TLS, and presents itself',
    (name) => {
      const text = textOf(name, { upstream: { ...upstream, tls } });
      for (const word of ['/private/ca.pem', '/private/client.pem', 'shop.test'])
        expect(text).toContain(word);
      const unasked = textOf(name, { upstream: { ...upstream, tls: { ...tls, identity: null } } });
      expect(unasked).not.toContain('/private/client.pem');
      expect(textOf(name, { upstream })).not.toMatch(/verify required|trusted_ca/);
    },
  );
});
