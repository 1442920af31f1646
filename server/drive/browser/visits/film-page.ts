import type { CDPSession } from 'playwright-core';
import {
  type Film,
  mostFilmBytes,
  mostFrameBytes,
  mostFrames,
  mostPages,
} from '../../../../shared/kinds/visits/waterfall.ts';
import { shortened } from './pages-of.ts';
import type { Vitals } from './read-vitals.ts';

/** @param atMs since 1970 @param picture JPEG in Base64 */
type Frame = { atMs: number; picture: string };

/** A quarter of the viewport's width: enough to see what has been drawn. */
const look = { format: 'jpeg', quality: 50, maxWidth: 320, maxHeight: 180, everyNthFrame: 1 } as const;
/** A paint and its picture may be told two frames apart. */
const slackMs = 34;
/** A journey that never rests must not fill the memory. */
const mostHeld = 500;

/** Takes a picture whenever something on the page has changed. @returns the pictures so far, which grow */
export async function filmPage(session: CDPSession): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  session.on('Page.screencastFrame', ({ data, metadata: { timestamp }, sessionId }) => {
    void session.send('Page.screencastFrameAck', { sessionId }).catch(() => {});
    if (timestamp !== undefined && frames.length < mostHeld) {
      frames.push({ atMs: timestamp * 1000, picture: data });
    }
  });
  await session.send('Page.startScreencast', look);
  return frames;
}

/** The pictures of each document from the start of its navigation, those that look alike once. */
export function filmOf(documents: readonly Vitals[], frames: readonly Frame[]): Film {
  const inOrder = documents.toSorted((a, b) => a.timeOrigin - b.timeOrigin);
  let room = mostFilmBytes;
  return inOrder.slice(0, mostPages).map(({ timeOrigin, path, fcpMs }, index) => {
    const until = inOrder[index + 1]?.timeOrigin ?? Number.POSITIVE_INFINITY;
    // Until its first paint, what stands there is the page before it.
    const from = timeOrigin + Math.max(0, (fcpMs ?? 0) - slackMs);
    const own = frames.filter(({ atMs }) => atMs >= from && atMs < until);
    const small = own.filter(({ picture }) => bytesOf(picture) <= mostFrameBytes);
    const changed = small.filter(({ picture }, at) => picture !== small[at - 1]?.picture);
    return {
      path: shortened(path),
      frames: spreadOut(changed).flatMap(({ atMs, picture }) => {
        room -= bytesOf(picture);
        return room < 0 ? [] : [{ atUs: Math.round((atMs - timeOrigin) * 1000), picture }];
      }),
    };
  });
}

function bytesOf(picture: string): number {
  return (picture.length * 3) / 4;
}

/** The first, the last, and as many between as there is room for. */
function spreadOut(frames: readonly Frame[]): Frame[] {
  if (frames.length <= mostFrames) return [...frames];
  const step = (frames.length - 1) / (mostFrames - 1);
  return Array.from({ length: mostFrames }, (_, index) => frames[Math.round(index * step)]).filter(
    (frame) => frame !== undefined,
  );
}
