import { type RefObject, useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { addressOf } from '../../../shared/api/call-endpoint.ts';
import { recordingEndpoints } from '../../../shared/api/recording-endpoints.ts';
import {
  type RecorderInput,
  recorderMessageSchema,
  recorderProtocol,
} from '../../../shared/scenario/recorder.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { UnreachableError } from '../../api/unreachable-error.ts';
import { follow, nothingYet, type RecorderView } from './recorder-view.ts';

export type Recorder = {
  view: RecorderView;
  /** The recording cannot be reached at all. */
  error: Error | null;
  canvas: RefObject<HTMLCanvasElement | null>;
  send(input: RecorderInput): void;
};

const retryMs = 1_000;
/** The server says so when another page takes the recording over. */
const replaced = 4001;

/** Follows a recording over its WebSocket, and draws its pictures. A lost connection is taken up again. */
export function useRecorder(sid: string): Recorder {
  const [view, tell] = useReducer(follow, nothingYet);
  const [error, setError] = useState<Error | null>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const open = useRef<WebSocket | null>(null);

  useEffect(() => {
    const gone = new AbortController();
    let timer = 0;
    let over = false;

    async function connect(): Promise<void> {
      try {
        const { ticket } = await callEndpoint(recordingEndpoints.recordingTicket, {
          params: { sid },
          signal: gone.signal,
        });
        if (gone.signal.aborted) return;
        const socket = new WebSocket(socketAddress(sid), [recorderProtocol, ticket]);
        open.current = socket;
        socket.onopen = () => tell({ type: 'link', link: 'open' });
        socket.onmessage = ({ data }) => {
          if (data instanceof Blob) return void draw(data, canvas.current).then(() => reply(socket));
          const message = recorderMessageSchema.parse(JSON.parse(data));
          over ||= message.type === 'ended';
          tell({ type: 'message', message, now: Date.now() });
        };
        socket.onclose = ({ code }) => {
          if (gone.signal.aborted || over) return;
          if (code === replaced) tell({ type: 'link', link: 'taken' });
          else again();
        };
      } catch (thrown) {
        if (gone.signal.aborted) return;
        if (thrown instanceof UnreachableError) again();
        else setError(thrown as Error);
      }
    }

    function again(): void {
      tell({ type: 'link', link: 'lost' });
      timer = window.setTimeout(connect, retryMs);
    }

    void connect();
    return () => {
      gone.abort();
      clearTimeout(timer);
      open.current?.close();
    };
  }, [sid]);

  const send = useCallback((input: RecorderInput) => {
    if (open.current?.readyState === WebSocket.OPEN) open.current.send(JSON.stringify(input));
  }, []);
  return { view, error, canvas, send };
}

function socketAddress(sid: string): string {
  const address = new URL(
    addressOf(recordingEndpoints.finishRecording, { params: { sid } }).replace(/\/finish$/, ''),
    location.href,
  );
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  return address.href;
}

async function draw(jpeg: Blob, canvas: HTMLCanvasElement | null): Promise<void> {
  const picture = await createImageBitmap(jpeg).catch(() => null);
  if (picture !== null && canvas !== null) {
    if (canvas.width !== picture.width) canvas.width = picture.width;
    if (canvas.height !== picture.height) canvas.height = picture.height;
    canvas.getContext('2d', { alpha: false })?.drawImage(picture, 0, 0);
  }
  picture?.close();
}

/** Whether it could be drawn or not, the next one may come. */
function reply(socket: WebSocket): void {
  const drawn: RecorderInput = { type: 'drawn' };
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(drawn));
}
