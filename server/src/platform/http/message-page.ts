import { createHash } from 'node:crypto'
import type { AppError } from '../app-error.js'
import { escapeHtml } from '../escape-html.js'

/** The card of the sign-in pages of the console, without its font, logo and brand color, which would require other files. */
const STYLE = `:root{color-scheme:light dark;--page:#fafafb;--card:#fff;--line:#e5e6eb;--title:#15171c;--text:#41454f;--muted:#626873;--shadow:0 8px 24px rgb(21 23 28/.06);font:14px/1.5 -apple-system,"Segoe UI",Roboto,"Liberation Sans",Arial,sans-serif}
@media (prefers-color-scheme:dark){:root{--page:#0f1012;--card:#18191d;--line:#26282e;--title:#eeeff3;--text:#bfc3cd;--muted:#9499a6;--shadow:none}}
*{box-sizing:border-box}
body{margin:0;display:grid;min-height:100vh;padding:24px 16px;place-items:center;background:var(--page);color:var(--text)}
main{width:100%;max-width:440px;padding:32px;border:1px solid var(--line);border-radius:12px;background:var(--card);box-shadow:var(--shadow);overflow-wrap:anywhere}
h1{margin:0 0 12px;color:var(--title);font-size:20px;font-weight:600;line-height:28px;letter-spacing:-.01em}
p{margin:0 0 12px}
p:last-child{margin:0}
code{font:.923em ui-monospace,Menlo,Consolas,"Liberation Mono",monospace}
.small{color:var(--muted);font-size:13px}
a.button{display:block;margin-top:20px;padding:10px 12px;border-radius:6px;background:#4059dd;color:#fff;font-weight:500;line-height:20px;text-align:center;text-decoration:none}
a.button:hover{background:#3549b8}
a.button:focus-visible{outline:2px solid #7b8ff0;outline-offset:2px}`

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
