/** The path of `redirectUri`, which the program must serve. */
export function redirectPath(redirectUri: string): string {
  try {
    return new URL(redirectUri).pathname || '/'
  } catch {
    return '/callback'
  }
}

/** The port of `redirectUri`, which the program listens on in local development. */
export function redirectPort(redirectUri: string): string {
  try {
    return new URL(redirectUri).port || '8080'
  } catch {
    return '8080'
  }
}
