import {
  ackFlag,
  defaultWindow,
  enablePushSetting,
  frame,
  headerTableSizeSetting,
  initialWindowSetting,
  maxHeaderListSetting,
  maxWindow,
  pingFrame,
  resetFrame,
  settingsFrame,
  windowUpdateFrame,
} from './frames.ts';
import { headerListLimit } from './response-head.ts';

/** What goes first on a connection: no dynamic table, no pushes, and windows that no response fills. */
export const greeting = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  settings([
    [headerTableSizeSetting, 0],
    [enablePushSetting, 0],
    [initialWindowSetting, maxWindow],
    [maxHeaderListSetting, headerListLimit],
  ]),
  windowUpdate(0, maxWindow - defaultWindow),
]);

export const settingsAck = frame(settingsFrame, ackFlag, 0, Buffer.alloc(0));

export function settings(values: readonly (readonly [name: number, value: number])[]): Buffer {
  const payload = Buffer.alloc(values.length * 6);
  for (const [index, [name, value]] of values.entries()) {
    payload.writeUInt16BE(name, index * 6);
    payload.writeUInt32BE(value, index * 6 + 2);
  }
  return frame(settingsFrame, 0, 0, payload);
}

export function windowUpdate(stream: number, by: number): Buffer {
  return frame(windowUpdateFrame, 0, stream, uint32(by));
}

export function reset(stream: number, code: number): Buffer {
  return frame(resetFrame, 0, stream, uint32(code));
}

export function pingAck(payload: Buffer): Buffer {
  return frame(pingFrame, ackFlag, 0, payload);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
