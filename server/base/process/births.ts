import { readKernelLoad } from './kernel-load.ts';

/** With more, reading all lists of children is cheaper. */
const mostBirths = 64;

/**
 * Which processes and threads were started on this machine, by the numbers that the kernel gives out one after another. Where
 * none was, no tree has a new member, and nobody needs to list it again.
 */
export class Births {
  #lastPid: number | null = null;
  #young: number[] = [];
  #unsure = true;

  /** Since the call before; null where there may be too many, or the kernel does not say. */
  since(): number[] | null {
    const lastPid = readKernelLoad()?.lastPid ?? null;
    const from = this.#lastPid;
    const young = this.#young;
    const wasUnsure = this.#unsure;
    this.#lastPid = lastPid;
    this.#young = [];
    // A number that is smaller has begun anew.
    this.#unsure = lastPid === null || from === null || lastPid < from || lastPid - from > mostBirths;
    if (lastPid === null || from === null || this.#unsure) return null;
    this.#young = Array.from({ length: lastPid - from }, (_, index) => from + 1 + index);
    // A number is given out a moment before its process can be seen, so that each is looked at twice.
    return wasUnsure ? null : [...young, ...this.#young];
  }
}
