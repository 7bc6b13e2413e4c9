/** The path under which a program has to answer so that people can come back to `redirectUri`. */
export function redirectPath(redirectUri: string): string {
  try {
    return new URL(redirectUri).pathname || '/'
  } catch {
    return '/callback'
  }
}

/** The port that a program has to listen on, where the address names one on this computer. */
export function redirectPort(redirectUri: string): string {
  try {
    return new URL(redirectUri).port || '8080'
  } catch {
    return '8080'
  }
}
