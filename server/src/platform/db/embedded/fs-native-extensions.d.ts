/** The package has no types; these are the two functions that are used here, according to its README. */
declare module 'fs-native-extensions' {
  /**
   * Requests a lock on the whole file; returns false if it is already locked. The descriptor must be writable, or readable for a shared
   * lock, which only an exclusive one rejects.
   */
  export function tryLock(fd: number, options?: { shared: boolean }): boolean
  export function unlock(fd: number): void
}
