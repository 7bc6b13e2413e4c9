type Signature = readonly [mediaType: string, isOfType: (content: Buffer) => boolean]

const startsWith = (content: Buffer, text: string, offset = 0): boolean =>
  content.toString('latin1', offset, offset + text.length) === text

const SIGNATURES: readonly Signature[] = [
  ['image/png', (content) => startsWith(content, '\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (content) => startsWith(content, '\xff\xd8\xff')],
  ['image/gif', (content) => startsWith(content, 'GIF87a') || startsWith(content, 'GIF89a')],
  ['image/webp', (content) => startsWith(content, 'RIFF') && startsWith(content, 'WEBP', 8)],
  ['image/svg+xml', (content) => /^\ufeff?\s*<(?:svg[\s>]|\?xml.*<svg[\s>])/s.test(content.toString('utf8', 0, 2_048))],
]

/** The media type of a picture by its first bytes, whatever its server called it; undefined if it is none that browsers show as a logo. */
export const mediaTypeOf = (content: Buffer): string | undefined =>
  SIGNATURES.find(([, isOfType]) => isOfType(content))?.[0]
