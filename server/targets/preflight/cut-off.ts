/** A connection that ended before its response did. */
export class CutOff extends Error {
  readonly isReset: boolean;
  /** Of the response, head and all. */
  readonly receivedBytes: number;

  constructor({ isReset, receivedBytes }: Pick<CutOff, 'isReset' | 'receivedBytes'>) {
    super('the connection ended before the response did');
    this.name = 'CutOff';
    this.isReset = isReset;
    this.receivedBytes = receivedBytes;
  }
}
