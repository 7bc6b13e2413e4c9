import { createHash } from 'node:crypto'
import type { ErrorTable } from '../app-error.js'
import { escapeHtml } from '../escape-html.js'

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
main{max-width:72rem;margin:0 auto;padding:2rem 1rem}
h1{font-size:1.75rem;margin:0 0 .5rem}
table{border-collapse:collapse;width:100%;margin-top:1.5rem}
th,td{text-align:left;vertical-align:top;padding:.5rem .75rem;border-bottom:1px solid color-mix(in srgb,currentColor 18%,transparent)}
tr:target{background:color-mix(in srgb,#3b5bdb 18%,transparent)}
code{font:.875em ui-monospace,monospace}`

/** Escapes a string and renders its `code` parts. */
const prose = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')

/** Renders the page that the `type` of every problem links to: the meaning of each code and what to do. */
export function errorPage(codes: ErrorTable): { html: string; policy: string } {
  const rows = Object.entries(codes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([code, { status, title, explain }]) =>
        `<tr id="${code}"><th scope="row"><code>${code}</code></th><td>${status}</td><td><strong>${prose(title)}.</strong> ${prose(explain)}</td></tr>`,
    )
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Error codes · Keyward</title><style>${STYLE}</style></head>
<body><main><h1>Error codes</h1><p>Errors are <code>application/problem+json</code> (RFC 9457). The <code>code</code> is stable. A request that fails changes nothing.</p>
<table><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Cause and solution</th></tr></thead><tbody>${rows.join('')}</tbody></table></main></body></html>`
  const hash = createHash('sha256').update(STYLE).digest('base64')
  return {
    html,
    policy: `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  }
}
