const LONGEST = 2_000

/** Returns a path of Keyward's pages to continue to after a sign-in; undefined for every value that could lead elsewhere. */
export function readReturnPath(text: string, frontendUrl: string): string | undefined {
  if (text.length > LONGEST || !isPath(text) || /[\p{C}\\]/u.test(text)) return undefined
  const base = new URL(frontendUrl)
  if (!URL.canParse(text, base.href)) return undefined
  const { origin, pathname, search, hash } = new URL(text, base)
  // Check again: `/.//host` is normalized to `//host`.
  return origin === base.origin && isPath(pathname) ? `${pathname}${search}${hash}` : undefined
}

const isPath = (text: string): boolean => /^\/(?![/\\])/.test(text)
