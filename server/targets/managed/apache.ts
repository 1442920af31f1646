import { dirname, join } from 'node:path';
import { isEncrypted, transportFacts } from '../../../shared/base/transport.ts';
import { type ListenerPlan, managedServer } from './managed-server.ts';
import {
  agreedHeader,
  cipherList,
  classicalGroups,
  classicalKeys,
  ecdheSuites,
  ianaGroups,
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

/**
 * `com.sun.net.httpserver` of the JDK with the documents in memory, built from `jdk-server`. Its TLS is JSSE's. Sessions are resumed
 * by tickets. The virtual machine starts with one processor for each worker, and chooses its garbage collector by that.
 */
export const jdk = managedServer({
  name: 'jdk',
  parts: {
    java: { program: ['java'], package: 'default-jre-headless' },
    javac: { program: ['javac'], package: 'default-jdk-headless' },
  },
  versionOf: (paths) => ({ program: paths.java, args: ['-version'] }),
  transports: ['http', 'https'],
  tls: (version) => ({
    name: `JSSE of JDK ${version}`,
    groups: classicalGroups,
    keys: classicalKeys,
    // JDK Providers Documentation, SunJSSE.
    suites: ecdheSuites('AES256-GCM-SHA384', 'AES128-GCM-SHA256', 'CHACHA20-POLY1305'),
  }),
  build: {
    sources: new URL('./jdk-server/', import.meta.url),
    filesOf: () => ({}),
    commandOf: (paths) => ({ program: paths.javac, args: ['-d', paths.built, 'Server.java'] }),
    environment: {},
  },
  filesOf: (plan) => ({ 'server.properties': configureJdk(plan), 'java.args': argumentsOf(plan) }),
  commandOf: ({ directory }, paths) => ({
    program: '/bin/sh',
    args: ['-c', start, paths.built, directory, paths.java],
  }),
  // What was built is in this program's own directory, which nobody else may have to be able to read.
  dropsRoot: true,
  uncountable:
    'The JDK compiles its code while it runs, and Valgrind counts programs that are compiled before.',
});

/** Its arguments: what was built, the listener's directory, Java; and where it was started as root, the user and group to become. */
const start = `cp -r "$0" "$1/classes" && chmod -R a+rX "$1/classes" &&
exec \${3:+setpriv --reuid "$3" --regid "$4" --clear-groups} "$2" "@$1/java.args"`;

function argumentsOf(plan: ListenerPlan): string {
  const { directory, workers, resumption, groups, transport, namesCompiled } = plan;
  const lines = [
    `-XX:ActiveProcessorCount=${workers}`,
    // It makes no file of counters, which outlives a virtual machine that is killed.
    '-XX:-UsePerfData',
    // Without it, nobody finds the callers of what it has compiled.
    ...(namesCompiled ? ['-XX:+PreserveFramePointer'] : []),
    '-Dsun.net.httpserver.nodelay=true',
    // It asks for the name of every client of a TLS connection, which would go out to DNS and wait seconds for an answer.
    '-Djdk.net.hosts.file=/dev/null',
    `-Dsun.net.httpserver.idleInterval=${idleS}`,
    `-Dsun.net.httpserver.maxIdleConnections=${mostConnections}`,
    ...(isEncrypted(transport) ? [`-Djdk.tls.namedGroups=${ianaGroups(groups).join(',')}`] : []),
    ...(resumption ? [] : [`-Djdk.tls.server.disableExtensions=${extensionsOfResumption}`]),
    `-cp "${join(directory, 'classes')}"`,
    'Server',
    `"${join(directory, 'server.properties')}"`,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

const extensionsOfResumption = 'pre_shared_key,psk_key_exchange_modes,session_ticket';

/** A thread waits for its client from the start of the handshake to the end of the answer. */
const threadsOfWorker = 8;

/** What `jdk-server/Server.java` reads. */
function configureJdk(plan: ListenerPlan): string {
  const { address, port, transport, workers, keepAlive, documents } = plan;
  const { identity, resumption, clientAuthority } = plan;
  const threads = workers * threadsOfWorker;
  const settings = {
    ...{ address, port, threads, documents, keepAlive, witnessPath, agreedHeader },
    ...(isEncrypted(transport) ? { identity, resumption } : {}),
    ...(isEncrypted(transport) && clientAuthority !== null ? { clientAuthority } : {}),
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
