import { createHash } from 'node:crypto'
import type { AppError } from '../app-error.js'
import { escapeHtml } from '../escape-html.js'

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0;display:grid;min-height:100vh;place-items:center}
main{max-width:26rem;padding:2rem 1rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem}
code{font:.875em ui-monospace,monospace;overflow-wrap:anywhere}
a{color:inherit}
p{margin:0 0 .75rem}
.small{font-size:.875rem}`

const HASH = createHash('sha256').update(STYLE).digest('base64')

/** A page that needs nothing else: no database, no files and no script. */
export interface MessagePage {
  html: string
  /** Its content security policy. */
  policy: string
}

/** Returns a page with a message. @param content HTML */
export const messagePage = (heading: string, content: string): MessagePage => ({
  html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(heading)}</title><style>${STYLE}</style></head>
<body><main><h1>${escapeHtml(heading)}</h1>${content}</main></body></html>`,
  policy: `default-src 'none'; style-src 'sha256-${HASH}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
})

/** Whether the client names HTML in its Accept header, as browsers do when they navigate. */
export const acceptsHtml = (accept: string | undefined): boolean => /\btext\/html\b/.test(accept ?? '')

/** Returns the page for an error that no other page explains. It contains nothing of the request. */
export function failurePage({ code, status, title }: AppError, requestId: string): MessagePage {
  const [heading, advice] = messageOf(status, title)
  return messagePage(
    heading,
    `<p>${escapeHtml(advice)}</p><p class="small"><code>${escapeHtml(code)}</code><br>Request <code>${escapeHtml(requestId)}</code></p>`,
  )
}

function messageOf(status: number, title: string): [heading: string, advice: string] {
  if (status === 503 || status === 429) return [title, 'Wait a few seconds, then reload this page.']
  if (status >= 500)
    return ['This page cannot be shown', 'Reload this page. If it happens again, contact support with the request ID.']
  return [title, 'Go back and try again. If it happens again, contact support with the request ID.']
}
