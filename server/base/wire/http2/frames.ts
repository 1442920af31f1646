/** Frames of HTTP/2: their types, flags and head. Source: RFC 9113, sections 4 and 6. */

export const headBytes = 9;
export const dataFrame = 0;
export const headersFrame = 1;
export const resetFrame = 3;
export const settingsFrame = 4;
export const pushPromiseFrame = 5;
export const pingFrame = 6;
export const goAwayFrame = 7;
export const windowUpdateFrame = 8;
export const continuationFrame = 9;

export const endStreamFlag = 1;
export const ackFlag = 1;
export const endHeadersFlag = 4;
export const paddedFlag = 8;
export const priorityFlag = 32;

export const headerTableSizeSetting = 1;
export const enablePushSetting = 2;
export const initialWindowSetting = 4;
export const maxFrameSizeSetting = 5;
export const maxHeaderListSetting = 6;

/** Largest payload that every peer takes, and the largest that we take. */
export const maxFrameBytes = 16_384;
/** Window of a connection and of a stream until the peer says otherwise. */
export const defaultWindow = 65_535;
export const maxWindow = 2 ** 31 - 1;
export const maxStreamId = 2 ** 31 - 1;

/** The server did nothing with the request (RFC 9113, section 8.7). */
export const refusedStreamError = 7;
export const cancelError = 8;

/** Where a frame's stream id stands, from the start of the frame. */
export const streamIdAt = 5;

export function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(headBytes + payload.length);
  bytes.writeUIntBE(payload.length, 0, 3);
  bytes[3] = type;
  bytes[4] = flags;
  bytes.writeUInt32BE(stream, streamIdAt);
  payload.copy(bytes, headBytes);
  return bytes;
}

/** Names of the error codes, by number; RFC 9113, section 7. */
const errorNames = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
];

export function errorName(code: number): string {
  return errorNames[code] ?? `error ${code}`;
}
