/** Nobody answered, or something that is not this server did. */
export class UnreachableError extends Error {
  constructor(options?: ErrorOptions) {
    super('The server does not answer.', options);
    this.name = 'UnreachableError';
  }
}
