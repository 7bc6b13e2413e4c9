import { createHash } from 'node:crypto'
import type { HttpExchange } from './http-exchange.js'

export interface PostForm {
  /** Where the form goes: a registered address, never one that somebody just sent. */
  action: string
  fields: Readonly<Record<string, string | undefined>>
  /** Title, and what stands above the button for a browser that runs no script. */
  heading: string
  /** Whose page it is: the name of the instance. */
  instance: string
}

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0;display:grid;min-height:100vh;place-items:center}
main{max-width:26rem;padding:2rem 1rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem}
p{margin:0 0 .75rem}
button{font:inherit;padding:.5rem 1rem;min-height:2.75rem}`

/** Of the prototype, because a field named `submit` would stand in the way. */
const SCRIPT = 'HTMLFormElement.prototype.submit.call(document.forms[0])'

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * Scripts and styles by their hashes, and nothing else, so that a value that got out of its attribute could still do nothing.
 *
 * There is no `form-action` on purpose: Chromium holds it against every redirect behind the form too, and those who take such a form often
 * redirect to another origin of theirs, or to an app, which nobody here knows of. The form's address needs no such rule: it comes from a
 * registration, and there is no other form.
 */
const POLICY = `default-src 'none'; script-src ${sourceOf(SCRIPT)}; style-src ${sourceOf(STYLE)}; frame-ancestors 'none'; base-uri 'none'`

const escapeHtml = (text: string): string =>
  // Line breaks and tabs too: a parser would make all line breaks one kind.
  text.replace(/[&<>"'\r\n\t]/g, (mark) => `&#${mark.charCodeAt(0)};`)

/**
 * Answers with a page that posts a form to another site at once (SAML's POST binding, OAuth's form_post). By the headers of every answer it
 * is kept by nothing, and the other site is told no address that led there.
 */
export function answerWithForm(http: HttpExchange, { action, fields, heading, instance }: PostForm): string {
  const hidden = Object.entries(fields)
    .filter((field): field is [string, string] => field[1] !== undefined)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
  http.setHeader('content-type', 'text/html; charset=utf-8')
  http.setHeader('content-security-policy', POLICY)
  const title = escapeHtml(heading)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title} · ${escapeHtml(instance)}</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1><form method="post" action="${escapeHtml(action)}">${hidden.join('')}<noscript><p>This browser runs no scripts. One click more is needed.</p><button>Continue</button></noscript></form></main><script>${SCRIPT}</script></body></html>`
}
