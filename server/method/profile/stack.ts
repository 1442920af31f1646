/** A place in a program. */
export type Frame = {
  /** Null where the binary keeps no name for it. */
  name: string | null;
  /** Base name of the program or library; `kernel` for the kernel, `jit` for code that was made while running, and `javascript` for that of V8. */
  library: string;
};

/** From the innermost frame outwards. */
export type Stack = readonly Frame[];

/** One sample of a running thread. */
export type Sample = { pid: number; timeNs: bigint; stack: Stack };
