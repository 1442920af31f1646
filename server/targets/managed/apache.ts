import { dirname, join } from 'node:path';
import { isEncrypted, transportFacts } from '../../../shared/base/transport.ts';
import { type ListenerPlan, managedServer } from './managed-server.ts';
import {
  agreedHeader,
  cipherList,
  idleS,
  mostConnections,
  witnessHeader,
  witnessPath,
} from './tls-settings.ts';

const moduleDirectories = ['/usr/lib/apache2/modules', '/usr/lib64/httpd/modules', '/usr/lib/httpd/modules'];

export const apache = managedServer({
  name: 'apache',
  parts: {
    apache: { program: ['apache2', 'httpd'], package: 'apache2-bin' },
    ssl: { file: moduleDirectories.map((each) => join(each, 'mod_ssl.so')), package: 'apache2-bin' },
  },
  versionOf: (paths) => ({ program: paths.apache, args: ['-v'] }),
  transports: ['http', 'https', 'h2c', 'h2'],
  tls: 'ssl',
  filesOf: (plan, paths) => ({ 'httpd.conf': configureApache(plan, dirname(paths.ssl)) }),
  commandOf: ({ directory }, paths) => ({
    program: paths.apache,
    args: ['-d', directory, '-f', join(directory, 'httpd.conf'), '-DFOREGROUND'],
  }),
});

/** A connection that has not asked for anything yet holds one; as many are opened ahead as ask at a time. */
const threadsPerWorker = 512;

/**
 * Event MPM: a worker is a process with threads, and idle connections need none. Its full name would tell OpenSSL's where it
 * has loaded that, and make the headers of the two sides differ.
 */
function configureApache(plan: ListenerPlan, modules: string): string {
  const { address, port, transport, hostname, workers, keepAlive, directory, documents, errorLog } = plan;
  const encrypted = isEncrypted(transport);
  const http2 = transportFacts[transport].httpVersion === '2';
  const loaded = [
    'mpm_event',
    'authz_core',
    'mime',
    'headers',
    ...(encrypted ? ['ssl', 'socache_shmcb'] : []),
    ...(http2 ? ['http2'] : []),
  ];
  return `${loaded.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`).join('\n')}
ServerName ${hostname}
ServerTokens Prod
Listen ${address}:${port}
PidFile ${directory}/httpd.pid
DefaultRuntimeDir ${directory}
Mutex pthread default
ErrorLog ${errorLog}
LogLevel warn
ServerLimit ${workers}
StartServers ${workers}
ThreadLimit ${threadsPerWorker}
ThreadsPerChild ${threadsPerWorker}
MaxRequestWorkers ${workers * threadsPerWorker}
MinSpareThreads 1
MaxSpareThreads ${(workers + 1) * threadsPerWorker}
MaxConnectionsPerChild 0
AsyncRequestWorkerFactor ${mostConnections / threadsPerWorker}
KeepAlive ${keepAlive ? 'On' : 'Off'}
KeepAliveTimeout ${idleS}
MaxKeepAliveRequests 0
Protocols ${http2 ? (encrypted ? 'h2 ' : 'h2c ') : ''}http/1.1
TypesConfig /dev/null
AddType text/html .html
DocumentRoot ${documents}
<Directory ${documents}>
  AllowOverride None
  Options None
  Require all granted
</Directory>
<Location ${witnessPath}>
  Header always set ${witnessHeader} "%{SSL_SESSION_RESUMED}s"
  Header always set ${agreedHeader} "%{SSL_PROTOCOL}s %{SSL_CIPHER}s"
</Location>
${encrypted ? encryption(plan) : ''}`;
}

function encryption(plan: ListenerPlan): string {
  const { identity, key, groups, resumption, clientAuthority, directory } = plan;
  return `SSLEngine on
SSLCertificateFile ${identity}
SSLProtocol -all +TLSv1.2 +TLSv1.3
SSLCipherSuite ${cipherList(key)}
SSLHonorCipherOrder off
SSLOpenSSLConfCmd Curves ${groups}
SSLSessionTickets ${resumption ? 'on' : 'off'}
${
  resumption
    ? `SSLSessionCache shmcb:${directory}/sessions(4194304)\nSSLSessionCacheTimeout 3600`
    : 'SSLSessionCache none\nSSLOpenSSLConfCmd NumTickets 0'
}
${clientAuthority === null ? '' : `SSLCACertificateFile ${clientAuthority}\nSSLVerifyClient require\n`}`;
}
