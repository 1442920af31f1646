import { at, type Scene } from './field-scenes.ts';
import type { Place } from './open-place.ts';

/** Set-ups whose difference has another cause than TLS. The sentence that names the cause must appear. */
export const causeScenes: readonly Scene[] = [
  {
    name: 'slots-nginx',
    needs: ['nginx'],
    says: /HTTP and HTTPS serve \d+ of 300 connections at a time\./,
    setUp: async (place) => ({
      ...(await startNginx(place, { connections: 64 })),
      request: { users: 100 },
      truth: 'one worker with 64 connections, its listeners among them',
    }),
  },
  {
    name: 'slots-apache',
    needs: ['apache2'],
    says: /HTTP and HTTPS serve 4 of 24 connections at a time\. Use --users 1 or /,
    async setUp(place) {
      const [http, https] = [await place.freePort(), await place.freePort()];
      const file = place.write('httpd.conf', prefork(place, http, https));
      await place.start('apache2', ['-d', place.directory, '-f', file, '-DFOREGROUND'], https);
      return {
        ...at(http, https),
        truth: '4 children, each with one connection',
      };
    },
  },
  {
    name: 'nagle',
    needs: [],
    says: /take 38 to 48 ms, .*HTTPS waits, and its CPU is less busy .* Set TCP_NODELAY/,
    async setUp(place) {
      const [http, https] = [await place.freePort(), await place.freePort()];
      await place.startOwn('halves', [http, https, place.pem], https);
      return {
        ...at(http, https),
        truth: 'a delayed acknowledgement of 40 ms per response over TLS',
      };
    },
  },
  {
    name: 'idle-close',
    needs: ['nginx'],
    says: /HTTPS closed [\d,]+ connections that were idle .* Set the server’s keep-alive timeout/,
    async setUp(place) {
      const page = { method: 'GET', path: '/' } as const;
      const steps = [
        { name: 'Page', ...page },
        { name: 'Next', ...page, thinkTimeMs: 1500 },
      ];
      return {
        ...(await startNginx(place, { ofHttps: 'keepalive_timeout 1s;' })),
        request: { scenario: { name: 'Visit', steps }, thinkTimeScale: 1 },
        truth: 'a new connection per pause, on one side',
      };
    },
  },
  {
    name: 'tickets-not-shared',
    needs: ['nginx', 'haproxy'],
    says: /HTTPS resumed \d+ % of its connections, not 100 %: the server declined sessions/,
    async setUp(place) {
      const fleet = [await startNginx(place), await startNginx(place)];
      const port = await place.freePort();
      const servers = fleet.map(({ https }, nth) => `  server s${nth} ${https.replace('https://', '')}`);
      const text = `defaults\n  mode tcp\n  timeout connect 5s\n  timeout client 60s\n  timeout server 60s\nlisten fleet\n  bind 127.0.0.1:${port}\n  balance roundrobin\n${servers.join('\n')}\n`;
      await place.start('haproxy', ['-db', '-f', place.write('haproxy.cfg', text)], port);
      return {
        ...{ http: fleet[0]?.http ?? '', https: `https://127.0.0.1:${port}` },
        request: { connectionPolicy: 'connection-per-request', tls: { resumption: 'tickets' } },
        truth: 'half of the connections or fewer reach the server that gave the ticket',
      };
    },
  },
];

async function startNginx(place: Place, { connections = 4096, ofHttps = '' } = {}) {
  const [http, https] = [await place.freePort(), await place.freePort()];
  const server = (listen: string, directives: string) =>
    `server { listen 127.0.0.1:${listen}; ${directives} location / { return 200 "${'x'.repeat(1024)}"; } }`;
  const text = `worker_processes 1;
daemon off;
pid ${place.directory}/nginx-${http}.pid;
error_log ${place.directory}/nginx-${http}.log;
events { worker_connections ${connections}; }
http {
  access_log off;
  keepalive_requests 1000000000;
  ssl_certificate ${place.pem};
  ssl_certificate_key ${place.pem};
  ${server(`${http}`, '')}
  ${server(`${https} ssl`, ofHttps)}
}`;
  await place.start('nginx', ['-c', place.write(`nginx-${http}.conf`, text)], http);
  return at(http, https);
}

/** A child per connection, and four of them. */
function prefork(place: Place, http: number, https: number): string {
  const modules = ['mpm_prefork', 'authz_core', 'ssl', 'dir', 'mime'];
  place.write('index.html', 'x'.repeat(1024));
  return `${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
ServerName localhost
Listen 127.0.0.1:${http}
Listen 127.0.0.1:${https}
PidFile ${place.directory}/httpd.pid
DefaultRuntimeDir ${place.directory}
Mutex pthread default
ErrorLog ${place.directory}/apache.log
StartServers 4
MaxRequestWorkers 4
KeepAliveTimeout 600
MaxKeepAliveRequests 0
TypesConfig /dev/null
DocumentRoot ${place.directory}
<Directory ${place.directory}>
  Require all granted
</Directory>
<VirtualHost 127.0.0.1:${https}>
  SSLEngine on
  SSLCertificateFile ${place.pem}
  SSLCertificateKeyFile ${place.pem}
</VirtualHost>
`;
}
