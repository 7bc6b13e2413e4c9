/**
 * Where to go after signing in, from an address that anybody may have written. Only a path of this origin will do.
 * @returns the path, or `home` for everything else
 */
export function safeReturn(returnTo: string | undefined, home = '/'): string {
  // One slash, then neither a second one nor a backslash, which browsers read as one: both would name another host.
  // Browsers drop tabs and line breaks inside URLs, so `/<tab>/evil` is the same trick.
  if (!returnTo || !/^\/(?![/\\])/.test(returnTo) || /[\t\n\r]/.test(returnTo)) return home
  return returnTo
}
