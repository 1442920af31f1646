/** Protects the recorder from people who have lost their role, or their session, since they opened it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { recorderProtocol } from '../../../shared/scenario/recorder.ts';
import { openDatabaseInTest } from '../../testing/database-in-test.ts';
import { addUser } from '../../testing/team-in-test.ts';
import { openTeam, openUsers } from '../team/open-team.ts';
import { acceptRecorderSockets, recorderOf } from './recorder-socket.ts';

test('a socket ends when its holder becomes a reader, or signs out', async () => {
  const { database, place, close } = await openDatabaseInTest();
  const users = openUsers(database);
  await addUser(users, { email: 'admin@example.com', role: 'admin' });
  const options = {
    directory: place.directory,
    secure: false,
    linksOpen: true,
    url: null,
    provider: null,
    localKey: 'local',
  };
  const team = await openTeam(database, options);

  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const recordings = { watch: () => ({ input() {}, leave() {} }) };
  const reached = { hostname: '127.0.0.1', publicHost: null };
  const sockets = acceptRecorderSockets(server, reached, recordings, (request) => recorderOf(team, request));

  async function open(email: string) {
    const { id, password } = await addUser(users, { email, role: 'operator' });
    const { cookies } = await team.signIn({ email, password });
    const cookie = cookies.map((each) => each.split(';')[0]).join('; ');
    const address = `ws://127.0.0.1:${port}/api/v1/recordings/${'A'.repeat(22)}`;
    const socket = new WebSocket(address, [recorderProtocol, 'ticket'], {
      origin: `http://127.0.0.1:${port}`,
      headers: { cookie },
    });
    await once(socket, 'open');
    return { id, cookie, closed: once(socket, 'close').then(([code]) => code) };
  }

  const demoted = await open('ben@example.com');
  const gone = await open('cara@example.com');
  await users.changeRole(demoted.id, 'reader');
  await team.signOut({ cookie: gone.cookie });
  expect(await Promise.all([demoted.closed, gone.closed])).toEqual([4003, 4003]);

  const nobody = new WebSocket(
    `ws://127.0.0.1:${port}/api/v1/recordings/${'A'.repeat(22)}`,
    [recorderProtocol, 'ticket'],
    { origin: `http://127.0.0.1:${port}` },
  );
  expect((await once(nobody, 'close'))[0]).toBe(4003);
  sockets.close();
  server.close();
  await close();
});
