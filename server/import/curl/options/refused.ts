/** Options of curl that make a request which a run cannot send. The reason continues a sentence that begins with the option. */
export const refused: readonly (readonly [reason: string, options: string])[] = [
  [
    'signs in with more than one request, or with a signature. Only Basic and Bearer are imported.',
    `
     --anyauth
     --aws-sigv4 <provider1[:provider2[:region[:service]]]>
     --digest
     --negotiate
     --ntlm
     --ntlm-wb
`,
  ],
  [
    'sends the request through a proxy. A run connects to its target directly.',
    `
     --haproxy-clientip <ip>
     --haproxy-protocol
     --preproxy [protocol://]host[:port]
 -x, --proxy [protocol://]host[:port]
     --proxy1.0 <host[:port]>
     --socks4 <host[:port]>
     --socks4a <host[:port]>
     --socks5 <host[:port]>
     --socks5-hostname <host[:port]>
`,
  ],
  [
    'reads a file, which is not imported. Insert its text instead.',
    `
 -K, --config <file>
     --etag-compare <file>
 -n, --netrc
     --netrc-file <filename>
     --netrc-optional
     --metalink
 -T, --upload-file <file>
`,
  ],
  [
    'makes the request depend on a local file. Write the header itself with -H.',
    `
 -C, --continue-at <offset>
 -z, --time-cond <time>
`,
  ],
  [
    'keeps cookies in a file, which is not imported. Leave it out, and turn on Keep cookies in the scenario.',
    `
 -c, --cookie-jar <filename>
 -j, --junk-session-cookies
`,
  ],
  [
    'changes how the message is framed. A run frames its requests itself.',
    `
     --crlf
 -0, --http1.0
     --tr-encoding
`,
  ],
  [
    'uses variables of curl. Write their values instead.',
    `
     --variable <[%]name=text/@file>
`,
  ],
  [
    'prints something and sends no request.',
    `
     --dump-ca-embed
 -h, --help <subject>
 -M, --manual
 -V, --version
`,
  ],
];
