import { escapeHtml } from '../../../platform/escape-html.js'
import { type MessagePage, messagePage } from '../../../platform/http/message-page.js'

/** The causes that the page shows to the user, by error code. */
const CAUSES: Record<string, string> & { invalid_request: string } = {
  invalid_client: 'This service does not know the application that sent you here.',
  invalid_redirect_uri: 'The application requested a redirect to an address that is not registered for it.',
  invalid_request: 'The application that sent you here made an invalid request.',
  issuer_not_found: 'The address that you were sent to does not exist.',
  application_not_found: 'This service does not know the application that sent you here.',
  saml_application_stopped: 'An administrator stopped the application that sent you here.',
  interaction_not_found: 'This sign-in request has expired or was already completed.',
  saml_request_not_found: 'This sign-in request has expired or was already completed.',
  saml_session_not_shown:
    'You are signed in, but your browser did not send the session cookie. Allow cookies for this address, or use another browser.',
  saml_idp_initiated_refused: 'Open this application at its own address.',
  team_suspended: 'The team that this application belongs to is suspended.',
  rate_limited: 'Too many sign-ins started from your network. Try again in a minute.',
}

export interface HtmlError {
  /** The requested action. */
  act: 'sign-in' | 'sign-out'
  /** An OAuth error code or a code of this service. */
  error: string
  description: string | undefined
  requestId: string
  /** The console page with the details. */
  detailsUrl: string
}

/** Returns the page for an error that must not be sent to the redirect URI, because the URI is not verified. */
export function htmlError({ act, error, description, requestId, detailsUrl }: HtmlError): MessagePage {
  const cause = CAUSES[error] ?? CAUSES.invalid_request
  return messagePage(
    `This ${act} can't continue`,
    `<p>${cause}</p><p>Go back to the application and try again. If it happens again, contact the application's support.</p>
<p class="small"><code>${escapeHtml(error)}</code>${description ? `: ${escapeHtml(description)}` : ''}<br>Request <code>${escapeHtml(requestId)}</code></p><p><a class="button" href="${escapeHtml(detailsUrl)}">Details for the application's developers</a></p>`,
  )
}
