/** Validates the destination after a sign-in, from a URL that anyone can create. @returns the path in this origin, or `home` */
export function safeReturn(returnTo: string | undefined, home = '/'): string {
  // One slash, then neither a second one nor a backslash, which browsers read as one: both would name another host.
  // Browsers drop tabs and line breaks inside URLs, so `/<tab>/evil` is the same trick.
  if (!returnTo || !/^\/(?![/\\])/.test(returnTo) || /[\t\n\r]/.test(returnTo)) return home
  return returnTo
}
