/** Name of the tag in which a page brings along who reads it. A server without sign-in sends none. */
export const identityMeta = 'tls-toll-identity';
