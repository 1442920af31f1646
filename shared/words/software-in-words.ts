type Software = { title: string; version: string | null; tlsLibrary: string | null };

/** `nginx 1.22.1, OpenSSL 3.0.19`. */
export function softwareInWords({ title, version, tlsLibrary }: Software): string {
  return `${[title, version].filter(Boolean).join(' ')}, ${tlsLibrary ?? 'TLS library not readable'}`;
}
