/**
 * Whether a host is this machine: `localhost`, 127.0.0.0/8, or ::1, with or without brackets. A name that is looked up could mean
 * anything, so `localhost` is the only one.
 */
export function isLoopback(host: string): boolean {
  const plain = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return plain === 'localhost' || plain === '::1' || /^127(\.\d{1,3}){3}$/.test(plain);
}
