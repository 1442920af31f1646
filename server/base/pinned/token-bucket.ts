/** Lets through `perS` a second, and that many at once after a second of silence. */
export class TokenBucket {
  readonly #perS: number;
  #left: number;
  #atMs: number;

  constructor(perS: number, nowMs: number) {
    this.#perS = perS;
    this.#left = perS;
    this.#atMs = nowMs;
  }

  take(nowMs: number): boolean {
    this.#left = Math.min(this.#perS, this.#left + ((nowMs - this.#atMs) / 1000) * this.#perS);
    this.#atMs = nowMs;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
