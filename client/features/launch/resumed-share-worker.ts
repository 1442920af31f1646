import { readResumedShare } from '../../../shared/kinds/comparison/resumed-share.ts';

/** Reads a pasted log away from the page, which stays quick: a log of 5 MB takes a second. */
addEventListener('message', ({ data }: MessageEvent<string>) => postMessage(readResumedShare(data)));
