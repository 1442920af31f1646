import { readResumedShare } from '../../../shared/kinds/comparison/resumed-share.ts';

/** Reads a pasted log outside the page's thread, because a log of 5 MB takes a second. */
addEventListener('message', ({ data }: MessageEvent<string>) => postMessage(readResumedShare(data)));
