/** A mail as the outbox folder stores it. */
export interface StoredMessage {
  from: string
  to: string
  subject: string
  text: string
  html: string
}

const bytesOf = (encoded: string): string =>
  encoded.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

const utf8 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8')

/** Decodes the encoded words of a header field (RFC 2047). Adjacent words are joined before they are decoded as UTF-8. */
function decodeWords(value: string): string {
  const words = /(?:=\?utf-8\?[QB]\?[^?\s]*\?=\s*)+/gi
  return value.replace(words, (run) => {
    const trailing = /\s*$/.exec(run)?.[0] ?? ''
    const parts = [...run.matchAll(/=\?utf-8\?([QB])\?([^?\s]*)\?=/gi)].map(([, encoding, text = '']) =>
      encoding?.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString('latin1')
        : bytesOf(text.replaceAll('_', ' ')),
    )
    return utf8(parts.join('')) + trailing
  })
}

/** Splits a message or a part of it into its unfolded header fields and its body. */
function split(raw: string): { header: (name: string) => string; body: string } {
  const end = raw.indexOf('\r\n\r\n')
  const head = (end < 0 ? raw : raw.slice(0, end)).replace(/\r\n[ \t]+/g, ' ')
  const fields = new Map(
    head.split('\r\n').flatMap((line) => {
      const colon = line.indexOf(':')
      return colon < 0 ? [] : [[line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const]
    }),
  )
  return { header: (name) => fields.get(name) ?? '', body: end < 0 ? '' : raw.slice(end + 4) }
}

function contentOf(part: string): string {
  const { header, body } = split(part)
  const encoding = header('content-transfer-encoding').toLowerCase()
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  const content = encoding === 'quoted-printable' ? bytesOf(body.replace(/=\r\n/g, '')) : body
  return utf8(content).replaceAll('\r\n', '\n')
}

/**
 * Parses a message that `folderTransport` wrote: a plain and an HTML part in UTF-8. It parses no other mails.
 * @param raw the file as latin1
 */
export function parseMessage(raw: string): StoredMessage {
  const { header, body } = split(raw)
  const boundary = /boundary="?([^";]+)/i.exec(header('content-type'))?.[1]
  const parts = boundary
    ? body
        .split(`--${boundary}`)
        .slice(1, -1)
        .map((part) => part.replace(/^\r\n/, ''))
    : []
  const content = (type: string) => {
    const part = parts.find((candidate) => split(candidate).header('content-type').toLowerCase().startsWith(type))
    return part === undefined ? '' : contentOf(part).trimEnd()
  }
  return {
    from: decodeWords(header('from')),
    to: decodeWords(header('to')),
    subject: decodeWords(header('subject')),
    text: content('text/plain'),
    html: content('text/html'),
  }
}
