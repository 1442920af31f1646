import { join } from 'node:path';
import { isEncrypted, transportFacts } from '../../../shared/base/transport.ts';
import { type ListenerPlan, managedServer } from './managed-server.ts';
import { cipherList, idleS, mostConnections } from './tls-settings.ts';

const moduleDirectories = ['/usr/lib/lighttpd', '/usr/lib64/lighttpd'];

export const lighttpd = managedServer({
  name: 'lighttpd',
  parts: {
    lighttpd: { program: ['lighttpd'], package: 'lighttpd' },
    openssl: {
      file: moduleDirectories.map((each) => join(each, 'mod_openssl.so')),
      package: 'lighttpd-mod-openssl',
    },
  },
  versionOf: (paths) => ({ program: paths.lighttpd, args: ['-v'] }),
  transports: ['http', 'https', 'h2c', 'h2'],
  tls: 'openssl',
  filesOf: (plan) => ({ 'lighttpd.conf': configureLighttpd(plan) }),
  commandOf: ({ directory }, paths) => ({
    program: paths.lighttpd,
    args: ['-D', '-f', join(directory, 'lighttpd.conf')],
  }),
});

/**
 * Its count of requests on a connection has 16 bits, so each is closed after 65,535. Sessions are resumed by tickets: it
 * has no cache for them.
 */
function configureLighttpd(plan: ListenerPlan): string {
  const { address, port, transport, workers, keepAlive, directory, documents, errorLog } = plan;
  const http2 = transportFacts[transport].httpVersion === '2' ? 'enable' : 'disable';
  return `server.compat-module-load = "disable"
server.modules = ( "mod_staticfile"${isEncrypted(transport) ? ', "mod_openssl"' : ''} )
server.document-root = "${documents}"
server.bind = "${address}"
server.port = ${port}
server.errorlog = "${errorLog}"
server.upload-dirs = ( "${directory}" )
${workers > 1 ? `server.max-worker = ${workers}\n` : ''}server.max-fds = ${2 * mostConnections}
server.max-connections = ${mostConnections}
server.max-keep-alive-requests = ${keepAlive ? 65535 : 0}
server.max-keep-alive-idle = ${idleS}
server.max-read-idle = ${idleS}
server.feature-flags = ( "server.h2proto" => "${http2}", "server.h2c" => "${http2}" )
mimetype.assign = ( ".html" => "text/html" )
${isEncrypted(transport) ? encryption(plan) : ''}`;
}

function encryption({ identity, key, groups, resumption, clientAuthority }: ListenerPlan): string {
  const commands = {
    MinProtocol: 'TLSv1.2',
    CipherString: cipherList(key),
    Curves: groups,
    Options: `-ServerPreference,${resumption ? '' : '-'}SessionTicket`,
    ...(resumption ? {} : { NumTickets: '0' }),
  };
  const list = Object.entries(commands).map(([name, value]) => `  "${name}" => "${value}"`);
  return `ssl.engine = "enable"
ssl.pemfile = "${identity}"
ssl.openssl.ssl-conf-cmd = (
${list.join(',\n')}
)
${clientAuthority === null ? '' : demandingCertificates(clientAuthority)}`;
}

function demandingCertificates(authority: string): string {
  return `ssl.verifyclient.activate = "enable"
ssl.verifyclient.enforce = "enable"
ssl.verifyclient.ca-file = "${authority}"
`;
}
