/**
 * Options of curl that decide how it connects, which a run decides once for all its requests. The request is kept, and the
 * sentence names the flag or the field that the option becomes. `{}` stands for the value, where that is no secret.
 */
export const ofRun: readonly (readonly [setting: string, options: string])[] = [
  [
    'is a setting of the run: give the certificate with --client-cert, or under the HTTPS address.',
    'E|cert= cert-type=',
  ],
  [
    'is a setting of the run: give the key with --client-key, or under the HTTPS address.',
    'key= key-type= pass=',
  ],
  ['is a setting of the run: give the authority with --ca, or under the HTTPS address.', 'cacert= capath='],
  ['is a setting of the run: use --insecure, or Certificate under the HTTPS address.', 'k|insecure'],
  ['is a setting of the run: give the fingerprint of the certificate with --trust.', 'pinnedpubkey='],
  ['{} is a setting of the run: use --tls {}, or TLS version.', 'tls-max='],
  ['is a setting of the run: use --tls 1.3, or TLS version.', 'tlsv1.3'],
  ['is a setting of the run: use --cipher {}, or Cipher suite.', 'ciphers= tls13-ciphers='],
  ['is a setting of the run: use --group {}, or Group.', 'curves='],
  [
    'is a setting of the run: use --baseline h2c or --comparison h2, or Protocol of a side.',
    'http2-prior-knowledge http2',
  ],
  [
    'is ignored: a run speaks HTTP/1.1, or HTTP/2 if a side is h2c or h2.',
    'http3 http3-only 0|http1.0 http0.9',
  ],
  [
    'connects to another address than the name has. Add the name and that address to /etc/hosts of this machine, and use the name in --http and --https.',
    'resolve= connect-to=',
  ],
  [
    'connects to a file. A run connects to a port: let the server listen on one too, and give it with --http.',
    'unix-socket= abstract-unix-socket=',
  ],
  [
    'is ignored: a run connects to its target directly, without a proxy.',
    'haproxy-clientip= haproxy-protocol preproxy= x|proxy= proxy1.0= socks4= socks4a= socks5= socks5-hostname=',
  ],
  ['is ignored: a run frames its requests itself.', 'crlf tr-encoding'],
  ['is ignored. The scenario keeps the cookies of responses instead.', 'j|junk-session-cookies'],
];
