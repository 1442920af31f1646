/** Protects policies that open connections: far more of them than one address has ports, while closed ones hold theirs. */
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeNetworkHost, mayMakeHosts } from '../../testing/network-host.ts';

const program = fileURLToPath(new URL('../../testing/open-many-process.ts', import.meta.url));
const ports = 2000;
/** All of them are closed within the minute that each holds its port. */
const wanted = 3 * ports;

test.skipIf(!mayMakeHosts).each([
  ['as planned', 'client-closes', 1016],
  // And the address of those before it was known.
  ['because the server closes them', 'server-closes', 1017],
])('connections that are opened %s do not run out of ports', async (_why, who, addresses) => {
  const host = await makeNetworkHost();
  try {
    // Usual kernels give such a port to another connection on loopback.
    host.run('sh', '-c', 'echo 0 > /proc/sys/net/ipv4/tcp_tw_reuse');
    host.run('sh', '-c', `echo 32768 ${32767 + ports} > /proc/sys/net/ipv4/ip_local_port_range`);
    const child = host.start(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', program, `${wanted}`, who],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const { opened, timeWait, sources, errors } = JSON.parse(await text(child.stdout as never));
    expect(errors).toEqual([]);
    expect(opened).toBeGreaterThanOrEqual(wanted);
    expect(sources).toBe(addresses);
    expect(timeWait).toBeGreaterThan(ports);
  } finally {
    await host.close();
  }
});
