/** The package ships no types; these are the two functions used here, as its README states them. */
declare module 'fs-native-extensions' {
  /** Asks for an exclusive lock on the whole file; false when somebody else holds it. The descriptor must be writable. */
  export function tryLock(fd: number): boolean
  export function unlock(fd: number): void
}
