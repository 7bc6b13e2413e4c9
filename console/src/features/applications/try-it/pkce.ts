/** Base64url without padding (RFC 4648, section 5). */
export function toBase64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

/** Decodes base64url; throws on other strings. */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]*$/.test(text)) throw new Error('not base64url')
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
}

/** Returns 256 random bits as 43 characters: a code verifier (RFC 7636, section 4.1), a state or a nonce. */
export function randomText(): string {
  return toBase64url(crypto.getRandomValues(new Uint8Array(32)))
}

/** Returns the code challenge of a verifier by the method S256 (RFC 7636, section 4.2). */
export async function challengeOf(verifier: string): Promise<string> {
  return toBase64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}
