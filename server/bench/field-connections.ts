import { at, type Scene, type Standing } from './field-scenes.ts';
import type { Place } from './open-place.ts';

/** Set-ups whose servers end connections, or begin another handshake on them, as nobody planned. */
export const connectionScenes: readonly Scene[] = [
  nginxScene(
    'close-both',
    { http: 'keepalive_timeout 0;', https: 'keepalive_timeout 0;' },
    'a handshake per request',
  ),
  nginxScene('close-https', { http: '', https: 'keepalive_timeout 0;' }, 'refuse: the sides differ'),
  nginxScene('two-https', { http: '', https: 'keepalive_requests 2;' }, 'refuse: the sides differ'),
  nginxScene(
    'two-both',
    { http: 'keepalive_requests 2;', https: 'keepalive_requests 2;' },
    'half a handshake per request',
  ),
  nginxScene(
    'hundred-https',
    { http: '', https: 'keepalive_requests 100;' },
    'refuse where a hundredth of a handshake is worth more than a third of the half-width; else say it',
  ),
  nodeScene('list', 'close, TE', 'on both sides: a handshake per request'),
  nodeScene('list-https', 'keep-alive', 'refuse: the sides differ'),
  {
    name: 'goodbye',
    needs: [],
    async setUp(place) {
      const { http, https } = await startCloser(place, 'goodbye');
      const sides = { baseline: { transport: 'h2c' }, comparison: { transport: 'h2' } } as const;
      return { ...at(http, https), request: { sides }, truth: 'a handshake per request' };
    },
  },
  {
    name: 'renegotiation',
    needs: ['apache2'],
    async setUp(place) {
      const truth = 'one renegotiation per connection, and each request once';
      return { ...(await startRenegotiating(place)), truth };
    },
  },
];

/** One worker, with directives of its own for each side. */
function nginxScene(name: string, of: { http: string; https: string }, truth: string): Scene {
  return {
    name,
    needs: ['nginx'],
    async setUp(place) {
      const [http, https] = [await place.freePort(), await place.freePort()];
      const kept = 'keepalive_requests 1000000000;';
      const server = (listen: string, directives: string) =>
        `server { listen ${listen}; ${directives.includes('keepalive_requests') ? '' : kept} ${directives} location / { return 200 "${'x'.repeat(1024)}"; } }`;
      const text = `worker_processes 1;
daemon off;
pid ${place.directory}/nginx.pid;
error_log ${place.directory}/nginx.log;
events { worker_connections 4096; }
http {
  access_log off;
  keepalive_timeout 600;
  ssl_certificate ${place.pem};
  ssl_certificate_key ${place.pem};
  ${server(`127.0.0.1:${http}`, of.http)}
  ${server(`127.0.0.1:${https} ssl`, of.https)}
}`;
      const pid = await place.start('nginx', ['-c', place.write('nginx.conf', text)], http);
      // wrk resumes the session of its connection before.
      const request = { tls: { resumption: 'tickets' } } as const;
      return {
        ...at(http, https),
        truth,
        ...(of.http === of.https ? { request, programs: { nginx: [pid] } } : {}),
      };
    },
  };
}

/** @param overHttp what the HTTP side says of its connections; the HTTPS side closes each */
function nodeScene(name: string, overHttp: string, truth: string): Scene {
  return {
    name,
    needs: [],
    async setUp(place) {
      const { http, https } = await startCloser(place, overHttp);
      return { ...at(http, https), truth };
    },
  };
}

async function startCloser(place: Place, how: string): Promise<{ http: number; https: number }> {
  const [http, https] = [await place.freePort(), await place.freePort()];
  await place.startOwn('closer', [http, https, place.pem, how], https);
  return { http, https };
}

/** An Apache that writes a line of `access.log` for each request. @returns its addresses */
export async function startRenegotiating(place: Place): Promise<Pick<Standing, 'http' | 'https'>> {
  const [http, https] = [await place.freePort(), await place.freePort()];
  const path = place.write('httpd.conf', apache(place, http, https));
  await place.start('apache2', ['-d', place.directory, '-f', path, '-DFOREGROUND'], https);
  return at(http, https);
}

/** Asks for a certificate where the request is known, which in TLS 1.2 takes another handshake. */
function apache(place: Place, http: number, https: number): string {
  const modules = ['mpm_event', 'authz_core', 'ssl', 'dir', 'mime'];
  place.write('index.html', 'x'.repeat(1024));
  return `${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
ServerName localhost
Listen 127.0.0.1:${http}
Listen 127.0.0.1:${https}
PidFile ${place.directory}/httpd.pid
DefaultRuntimeDir ${place.directory}
Mutex pthread default
ErrorLog ${place.directory}/apache.log
CustomLog ${place.directory}/access.log "%s %k"
ServerLimit 1
StartServers 1
ThreadsPerChild 64
MaxRequestWorkers 64
KeepAlive On
MaxKeepAliveRequests 0
KeepAliveTimeout 600
TypesConfig /dev/null
DocumentRoot ${place.directory}
DirectoryIndex index.html
<Directory ${place.directory}>
  Require all granted
</Directory>
<VirtualHost 127.0.0.1:${https}>
  SSLEngine on
  SSLProtocol TLSv1.2
  SSLCertificateFile ${place.pem}
  SSLCertificateKeyFile ${place.pem}
  <Location />
    SSLVerifyClient optional_no_ca
  </Location>
</VirtualHost>
`;
}
