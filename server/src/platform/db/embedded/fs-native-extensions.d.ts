/** The package has no types; these are the two functions that are used here, according to its README. */
declare module 'fs-native-extensions' {
  /** Requests an exclusive lock on the whole file; returns false if it is already locked. The descriptor must be writable. */
  export function tryLock(fd: number): boolean
  export function unlock(fd: number): void
}
