type Signature = readonly [mediaType: string, isOfType: (content: Buffer) => boolean]

const startsWith = (content: Buffer, signature: string, offset = 0): boolean =>
  content.toString('latin1', offset, offset + signature.length) === signature

const SIGNATURES: readonly Signature[] = [
  ['image/png', (content) => startsWith(content, '\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (content) => startsWith(content, '\xff\xd8\xff')],
  ['image/gif', (content) => startsWith(content, 'GIF87a') || startsWith(content, 'GIF89a')],
  ['image/webp', (content) => startsWith(content, 'RIFF') && startsWith(content, 'WEBP', 8)],
  ['image/svg+xml', (content) => /^\ufeff?\s*<(?:svg[\s>]|\?xml.*<svg[\s>])/s.test(content.toString('utf8', 0, 2_048))],
]

/** Returns the media type of an image by its first bytes, independent of its server; undefined if it is not supported as a logo. */
export const mediaTypeOf = (content: Buffer): string | undefined =>
  SIGNATURES.find(([, isOfType]) => isOfType(content))?.[0]
