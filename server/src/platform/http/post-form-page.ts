import { createHash } from 'node:crypto'
import { escapeHtml } from '../escape-html.js'
import type { HttpExchange } from './http-exchange.js'

export interface PostForm {
  /** The target of the form: a registered URL, never one from the request. */
  action: string
  fields: Readonly<Record<string, string | undefined>>
  /** Title, and heading above the button for browsers without scripts. */
  heading: string
  /** The name of the instance. */
  instance: string
}

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0;display:grid;min-height:100vh;place-items:center}
main{max-width:26rem;padding:2rem 1rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem}
p{margin:0 0 .75rem}
button{font:inherit;padding:.5rem 1rem;min-height:2.75rem}`

/** Uses the method of the prototype, because a field named `submit` would shadow it. */
const SCRIPT = 'HTMLFormElement.prototype.submit.call(document.forms[0])'

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * Allows only the script and the style of this page, by hash, so that an injected value cannot execute.
 *
 * `form-action` is omitted on purpose: Chromium applies it to every redirect after the form too, and recipients often redirect to
 * another origin or to an app that is unknown here. The action needs no such rule: it is a registered URL of the only form.
 */
const POLICY = `default-src 'none'; script-src ${sourceOf(SCRIPT)}; style-src ${sourceOf(STYLE)}; frame-ancestors 'none'; base-uri 'none'`

/**
 * Responds with a page that immediately posts a form to another site (SAML POST binding, OAuth form_post). The security headers
 * prevent caching, and send no referrer to the other site.
 */
export function sendFormPage(http: HttpExchange, { action, fields, heading, instance }: PostForm): string {
  const hidden = Object.entries(fields)
    .filter((field): field is [string, string] => field[1] !== undefined)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
  http.setHeader('content-type', 'text/html; charset=utf-8')
  http.setHeader('content-security-policy', POLICY)
  const title = escapeHtml(heading)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title} · ${escapeHtml(instance)}</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1><form method="post" action="${escapeHtml(action)}">${hidden.join('')}<noscript><p>Scripts are disabled in this browser. Click Continue.</p><button>Continue</button></noscript></form></main><script>${SCRIPT}</script></body></html>`
}
