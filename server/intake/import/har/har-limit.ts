/** The most that is read of a HAR. The server says it without loading what reads one. */
export const harLimitBytes = 64 * 1024 * 1024;
