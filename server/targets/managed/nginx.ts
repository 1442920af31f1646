import { join } from 'node:path';
import { isEncrypted, transportFacts } from '../../../shared/base/transport.ts';
import { type Command, type ListenerPlan, managedServer, type Paths } from './managed-server.ts';
import {
  agreedHeader,
  cipherList,
  idleS,
  mostConnections,
  witnessHeader,
  witnessPath,
} from './tls-settings.ts';

export const nginx = managedServer({
  name: 'nginx',
  parts: { nginx: { program: ['nginx'], package: 'nginx-light' } },
  versionOf: (paths) => ({ program: paths.nginx, args: ['-v'] }),
  transports: ['http', 'https', 'h2c', 'h2'],
  tls: 'nginx',
  kTls: true,
  filesOf: (plan) => ({ 'nginx.conf': configureNginx(plan) }),
  commandOf: startNginx,
});

export function startNginx({ directory, errorLog }: ListenerPlan, { nginx }: Paths<'nginx'>): Command {
  return { program: nginx, args: ['-p', directory, '-c', join(directory, 'nginx.conf'), '-e', errorLog] };
}

/** The connections and files of the main context are those that Debian's nginx.conf has. */
export function configureNginx(plan: ListenerPlan): string {
  const { address, port, transport, workers, keepAlive, directory, documents, errorLog } = plan;
  const version = transportFacts[transport].httpVersion === '2' ? ' http2' : '';
  return `daemon off;
worker_processes ${workers};
pid ${directory}/nginx.pid;
error_log ${errorLog} warn;
events {
  worker_connections ${2 * mostConnections};
}
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  types {
    text/html html;
  }
  keepalive_timeout ${keepAlive ? idleS : 0};
  keepalive_requests 1000000000;
${temporaryPaths.map((name) => `  ${name}_temp_path ${directory}/${name};`).join('\n')}
  server {
    listen ${address}:${port}${isEncrypted(transport) ? ' ssl' : ''}${version};
    root ${documents};
    location = ${witnessPath} {
      add_header ${witnessHeader} $ssl_session_reused;
      add_header ${agreedHeader} "$ssl_protocol $ssl_cipher${groupOf(plan)}";
      return 204;
    }
${isEncrypted(transport) ? encryption(plan) : ''}  }
}
`;
}

/** A variable since 1.21.5, which is older than the first OpenSSL with such a group; an older nginx would not start with it. */
function groupOf({ groups }: ListenerPlan): string {
  return groups.includes('MLKEM') ? ' $ssl_curve' : '';
}

const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

function encryption({ identity, key, groups, resumption, clientAuthority, kTls }: ListenerPlan): string {
  const lines = [
    `ssl_certificate ${identity}`,
    `ssl_certificate_key ${identity}`,
    'ssl_protocols TLSv1.2 TLSv1.3',
    `ssl_ciphers ${cipherList(key)}`,
    'ssl_prefer_server_ciphers off',
    `ssl_ecdh_curve ${groups}`,
    `ssl_session_tickets ${resumption ? 'on' : 'off'}`,
    ...(clientAuthority === null
      ? []
      : [`ssl_client_certificate ${clientAuthority}`, 'ssl_verify_client on']),
    ...(kTls ? ['ssl_conf_command Options KTLS'] : []),
    // Without one, OpenSSL would go on sending tickets of TLS 1.3 that nobody can use.
    ...(resumption
      ? ['ssl_session_cache shared:sessions:4m', 'ssl_session_timeout 1h']
      : ['ssl_session_cache off', 'ssl_conf_command NumTickets 0']),
  ];
  return lines.map((line) => `    ${line};\n`).join('');
}
