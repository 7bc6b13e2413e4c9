/** Decodes one half of the Basic credentials, which are form-encoded (RFC 6749 2.3.1). Returns undefined if it is malformed. */
function formDecoded(text: string): string | undefined {
  try {
    const value = decodeURIComponent(text.replaceAll('+', '%20'))
    return value.includes('\0') || !value.isWellFormed() ? undefined : value
  } catch {
    return undefined
  }
}

/** Returns the client ID and secret of a Basic header; undefined for any other header. */
export function basicCredentials(authorization: string | undefined): { clientId: string; secret: string } | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization ?? '')?.[1]
  if (!encoded) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const end = text.indexOf(':')
  if (end < 0) return undefined
  const [clientId, secret] = [formDecoded(text.slice(0, end)), formDecoded(text.slice(end + 1))]
  return clientId === undefined || secret === undefined ? undefined : { clientId, secret }
}
