import { readFile } from 'node:fs/promises'
import { randomKey } from '../../platform/crypto/random.js'

/** The HTML of a document: loaded once, filled for each response with a nonce and the boot data. */
export interface Shell {
  /** @param root returns the rendered root element; without it, the browser renders the page */
  render(boot: unknown, root?: (nonce: string) => string): { html: string; nonce: string }
}

// Only `<` can end a data block; U+2028 and U+2029 are escaped for old parsers.
const forDataBlock = (value: unknown): string =>
  JSON.stringify(value).replace(/[<\u2028\u2029]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** @param file the built document; if it does not exist, the page explains how to build it */
export async function loadShell(file: string): Promise<Shell> {
  const template = await readFile(file, 'utf8').catch(() => NOT_BUILT)
  return {
    render(boot, root) {
      const nonce = randomKey(16).toString('base64')
      // Functions, because `$` has a meaning in replacement strings.
      return {
        nonce,
        html: template
          .replaceAll('__CSP_NONCE__', () => nonce)
          .replace(EMPTY_ROOT, (empty) => root?.(nonce) ?? empty)
          .replace('__BOOT__', () => forDataBlock(boot)),
      }
    },
  }
}

const EMPTY_ROOT = '<div id="root"></div>'

const NOT_BUILT = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Keyward</title></head>
<body><h1>The pages are not built</h1><p>Run <code>npm run build</code>, or start with <code>npm start</code>, which builds them.</p></body></html>`

/** Returns the headers of every page. Scripts must be from this origin; styles too, or have the nonce (for the component library). */
export const pageHeaders = (nonce: string, apiOrigin: string | null): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data:${apiOrigin ? ` ${apiOrigin}` : ''}`,
    "font-src 'self'",
    `connect-src 'self'${apiOrigin ? ` ${apiOrigin}` : ''}`,
    "manifest-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'permissions-policy':
    'publickey-credentials-get=(self), publickey-credentials-create=(self), clipboard-write=(self), camera=(), microphone=(), geolocation=()',
})
