import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { recordingEndpoints } from '../../../shared/api/scenario-endpoints.ts';
import { apiPrefix } from '../../../shared/base/addresses.ts';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import type {
  CellDocument,
  ServersCell,
  ServersFacts,
  ServersRequest,
  ServersVisit,
} from '../../../shared/kinds/servers/servers-result.ts';
import { isOver } from '../../../shared/measurement/measurement.ts';
import { recorderInputSchema, recorderLimits, recorderProtocol } from '../../../shared/scenario/recorder.ts';
import { reaches } from '../../../shared/team/role.ts';
import type { Actor } from '../../../shared/team/team.ts';
import type { Frame } from '../../kinds/kind.ts';
import { cellDocumentOf } from '../../kinds/servers/cell-document.ts';
import type { KeptOf, Measurements } from '../../life/measurement/asked-measurements.ts';
import type { RecordingControl, Watching } from '../../life/recording/recording-control.ts';
import type { Team } from '../team/team-keys.ts';
import { actorNow, endUnlessAllowed, owner } from './actor.ts';
import type { AppParts } from './endpoint.ts';
import { isOwnOrigin, ownHosts } from './rate-limit.ts';

/** One cell of a sweep, from its stored visits. Throws run_not_found, run_deleted, not_found. */
export async function readCell(
  measurements: Measurements,
  id: string,
  cellId: string,
): Promise<{ document: CellDocument; final: boolean }> {
  const { kept, cell } = await findCell(measurements, id, cellId);
  const blocks = await kept.blocks(cell.index);
  const known = { facts: kept.facts as ServersFacts, blocks: blocks as ServersVisit[] };
  const document = cellDocumentOf(kept.frame as Frame<ServersRequest>, known, cellId);
  return { document, final: isOver(kept.frame.state) };
}

/** Throws as above, without reading the visits. */
export async function findCell(
  measurements: Measurements,
  id: string,
  cellId: string,
): Promise<{ kept: KeptOf; cell: ServersCell }> {
  const kept = await measurements.kept(id);
  if (kept.kind !== 'servers') {
    throw problem('not_found', `A run of ${kept.kind} has no combinations with pages.`);
  }
  const cell = (kept.facts as ServersFacts).cells.find((each) => each.id === cellId);
  if (cell === undefined) throw problem('not_found', `The sweep has no combination ${cellId}.`);
  return { kept, cell };
}

type RecorderSockets = { close(): void };

/** Codes of a WebSocket's end: 4000 to 4999 are for applications. */
const replaced = 4001;
const misunderstood = 4002;
const notAllowed = 4003;

const aliveMs = 20_000;
const address = new RegExp(`^${apiPrefix}/recordings/([0-9A-Za-z]{22})$`);

/**
 * The WebSocket of a recorder's page. A browser opens one to any server from any page, so its Origin is checked as for
 * unsafe methods; the ticket stands among the protocols, where no log keeps it. A socket outlives the request that opened it,
 * so who holds it is asked again and again. They are known before anything of the recording is said.
 * @param recorderOf who asks; null for one who may not record, now
 */
export function acceptRecorderSockets(
  server: Server,
  { hostname, publicHost }: Pick<AppParts, 'hostname' | 'publicHost'>,
  recordings: Pick<RecordingControl, 'watch'>,
  recorderOf: (request: IncomingMessage) => Promise<Actor | null>,
): RecorderSockets {
  const answersTo = ownHosts(hostname, publicHost);
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: recorderLimits.messageBytes,
    perMessageDeflate: false,
    handleProtocols: () => recorderProtocol,
  });

  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const sid = address.exec(URL.parse(`http://server${request.url}`)?.pathname ?? '')?.[1];
    const [protocol, ticket] = (request.headers['sec-websocket-protocol'] ?? '')
      .split(',')
      .map((each) => each.trim());
    if (sid === undefined) return refuse(socket, '404 Not Found');
    if (!answersTo(request.headers.host ?? '')) return refuse(socket, '421 Misdirected Request');
    if (!isOwnOrigin(request.headers)) return refuse(socket, '403 Forbidden');
    if (protocol !== recorderProtocol || ticket === undefined) return refuse(socket, '401 Unauthorized');
    void recorderOf(request).then(
      (by) => open(by, sid, ticket),
      () => refuse(socket, '503 Service Unavailable'),
    );

    function open(by: Actor | null, sid: string, ticket: string): void {
      const found = by === null ? { accept: dismiss } : watch(recordings, sid, ticket, by);
      if (typeof found === 'string') refuse(socket, found);
      else sockets.handleUpgrade(request as IncomingMessage, socket, head, begin(found.accept));
    }

    const begin = (accept: (opened: WebSocket) => void) => (opened: WebSocket) => {
      accept(opened);
      const isAllowed = async () => (await recorderOf(request)) !== null;
      opened.on(
        'close',
        endUnlessAllowed(isAllowed, () => dismiss(opened)),
      );
    };
  });

  return {
    close() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
    },
  };
}

/** Takes the ticket first: a socket that is not opened afterwards has used it up. */
function watch(
  recordings: Pick<RecordingControl, 'watch'>,
  sid: string,
  ticket: string,
  by: Actor,
): { accept(socket: WebSocket): void } | string {
  const connection = openConnection();
  try {
    const watching = recordings.watch(sid, ticket, connection, by);
    return watching === null
      ? '401 Unauthorized'
      : { accept: (socket) => connection.begin(socket, watching) };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return error.problem.code === 'recording_not_yours' ? '403 Forbidden' : '404 Not Found';
  }
}

/**
 * Messages sent before the socket is open wait for it. Only the newest picture waits, and only until the one before it is
 * drawn: a page that draws slowly is late by one picture, never by many.
 */
function openConnection() {
  let socket: WebSocket | null = null;
  const early: string[] = [];
  let picture: Uint8Array | null = null;
  let drawing = false;

  function showNext(): void {
    if (socket === null || drawing || picture === null) return;
    drawing = true;
    socket.send(picture);
    picture = null;
  }

  return {
    tell(message: unknown): void {
      const text = JSON.stringify(message);
      if (socket === null) early.push(text);
      else socket.send(text);
    },

    show(jpeg: Uint8Array): void {
      picture = jpeg;
      showNext();
    },

    dismiss(): void {
      socket?.close(replaced, 'Another page shows this recording now.');
    },

    begin(opened: WebSocket, watching: Watching): void {
      socket = opened;
      for (const text of early.splice(0)) socket.send(text);
      showNext();
      const stopAsking = closeWhenSilent(opened);
      opened.on('error', () => opened.terminate());
      opened.on('close', () => {
        stopAsking();
        watching.leave();
      });
      opened.on('message', (text, isBinary) => {
        const input = isBinary ? null : parseInput(`${text}`);
        if (input === null) return opened.close(misunderstood, 'The message was not understood.');
        if (input.type === 'drawn') {
          drawing = false;
          showNext();
        } else watching.input(input);
      });
    },
  };
}

function parseInput(text: string) {
  try {
    return recorderInputSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** A page that is gone without a word would keep the recording for ever. */
function closeWhenSilent(socket: WebSocket): () => void {
  let alive = true;
  socket.on('pong', () => {
    alive = true;
  });
  const timer = setInterval(() => {
    if (!alive) return socket.terminate();
    alive = false;
    socket.ping();
  }, aliveMs);
  return () => clearInterval(timer);
}

function dismiss(socket: WebSocket): void {
  socket.close(notAllowed, 'You may no longer record.');
}

/** On a server without sign-in, whoever reaches it. A key or session that is gone belongs to nobody. */
export async function recorderOf(team: Team | null, request: IncomingMessage): Promise<Actor | null> {
  if (team === null) return owner;
  const actor = await actorNow(team, request);
  return actor !== null && reaches(actor.role, recordingEndpoints.createRecording.access) ? actor : null;
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
