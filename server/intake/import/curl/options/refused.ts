/** Options of curl that make a request which a run cannot send. The reason continues a sentence that begins with the option. */
export const refused: readonly (readonly [reason: string, options: string])[] = [
  [
    'signs in with more than one request, or with a signature. Only Basic and Bearer are imported.',
    'anyauth aws-sigv4= digest negotiate ntlm ntlm-wb',
  ],
  [
    'sends the request through a proxy. A run connects to its target directly.',
    'haproxy-clientip= haproxy-protocol preproxy= x|proxy= proxy1.0= socks4= socks4a= socks5= socks5-hostname=',
  ],
  [
    'reads a file, which is not imported. Insert its text instead.',
    'K|config= etag-compare= n|netrc netrc-file= netrc-optional metalink T|upload-file=',
  ],
  [
    'makes the request depend on a local file. Write the header itself with -H.',
    'C|continue-at= z|time-cond=',
  ],
  [
    'keeps cookies in a file, which is not imported. Leave it out, and turn on Keep cookies in the scenario.',
    'c|cookie-jar= j|junk-session-cookies',
  ],
  ['changes how the message is framed. A run frames its requests itself.', 'crlf 0|http1.0 tr-encoding'],
  ['uses variables of curl. Write their values instead.', 'variable='],
  ['prints something and sends no request.', 'dump-ca-embed h|help= M|manual V|version'],
];
