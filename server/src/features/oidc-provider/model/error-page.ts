import { createHash } from 'node:crypto'

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0;display:grid;min-height:100vh;place-items:center}
main{max-width:26rem;padding:2rem 1rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem}
code{font:.875em ui-monospace,monospace;overflow-wrap:anywhere}
a{color:inherit}
p{margin:0 0 .75rem}
.small{font-size:.875rem}`

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (mark) => ESCAPES[mark] ?? mark)

/** What went wrong, in words for the person in front of the browser. */
const CAUSES: Record<string, string> & { invalid_request: string } = {
  invalid_client: 'The application that sent you here is not known to this service.',
  invalid_redirect_uri: 'The application wants you to be sent to an address that is not registered for it.',
  invalid_request: 'The request of the application that sent you here is not valid.',
  issuer_not_found: 'The address that you were sent to does not exist.',
  application_not_found: 'The application that sent you here is not known to this service.',
  saml_application_stopped: 'The application that sent you here has been stopped by those who run it.',
  saml_request_not_found: 'This sign-in took too long, or it has been answered already.',
  saml_session_not_shown:
    'You are signed in, but your browser did not bring the cookie that says so. Allow cookies for this address, or take another browser.',
  saml_idp_initiated_refused: 'This application must be opened by its own address.',
  team_suspended: 'The team that this application belongs to is suspended.',
  rate_limited: 'Very many sign-ins begin from your network just now. Wait for a moment.',
}

export interface HtmlError {
  /** What the browser was sent to do. */
  act: 'sign-in' | 'sign-out'
  /** OAuth error, or a code of ours. */
  error: string
  description: string | undefined
  requestId: string
  /** Where the page of ours says more. */
  detailsUrl: string
}

/** A page for a request that cannot be sent back to the application: nobody is redirected to an address that may be a trap. */
export function htmlError({ act, error, description, requestId, detailsUrl }: HtmlError): {
  html: string
  policy: string
} {
  const heading = `This ${act} cannot go on`
  const cause = CAUSES[error] ?? CAUSES.invalid_request
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${heading}</title><style>${STYLE}</style></head>
<body><main><h1>${heading}</h1><p>${cause}</p><p>Go back to the application and try again. If it happens again, tell the people who run it.</p>
<p class="small"><code>${escapeHtml(error)}</code>${description ? `: ${escapeHtml(description)}` : ''}<br>Request <code>${escapeHtml(requestId)}</code></p><p class="small"><a href="${escapeHtml(detailsUrl)}">Details for whoever runs the application</a></p></main></body></html>`
  const hash = createHash('sha256').update(STYLE).digest('base64')
  return {
    html,
    policy: `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  }
}
