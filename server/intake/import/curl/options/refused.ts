/** Options of curl that make a request which a run cannot send. The reason continues a sentence that begins with the option. */
export const refused: readonly (readonly [reason: string, options: string])[] = [
  [
    'signs in with more than one request, or with a signature. Only Basic and Bearer are imported: if the server takes one, use -u alone or --oauth2-bearer.',
    'anyauth aws-sigv4= digest negotiate ntlm ntlm-wb',
  ],
  ['reads a file, which is not imported. Use -X PUT --data-raw with its text instead.', 'T|upload-file='],
  [
    'reads a file, which is not imported. Write what is in it as options instead.',
    'K|config= etag-compare= metalink',
  ],
  ['reads a password from a file. Use -u name:password instead.', 'n|netrc netrc-file= netrc-optional'],
  [
    'makes the request depend on a local file. Write the header itself with -H.',
    'C|continue-at= z|time-cond=',
  ],
  ['uses variables of curl. Write their values instead.', 'variable='],
  ['prints something and sends no request.', 'dump-ca-embed h|help= M|manual V|version'],
];
