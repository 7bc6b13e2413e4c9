const LONGEST = 2_000

/** A path of our own pages to go on to after a sign-in; undefined for everything that could lead elsewhere. */
export function readReturnPath(text: string, frontendUrl: string): string | undefined {
  if (text.length > LONGEST || !isPath(text) || /[\p{C}\\]/u.test(text)) return undefined
  const base = new URL(frontendUrl)
  if (!URL.canParse(text, base.href)) return undefined
  const { origin, pathname, search, hash } = new URL(text, base)
  // Once more: `/.//host` has become `//host`.
  return origin === base.origin && isPath(pathname) ? `${pathname}${search}${hash}` : undefined
}

const isPath = (text: string): boolean => /^\/(?![/\\])/.test(text)
