import { AppError } from '../../../platform/app-error.js'
import type { HttpExchange } from '../../../platform/http/http-exchange.js'
import { acceptsHtml, type MessagePage } from '../../../platform/http/message-page.js'
import type { EngineResponse } from '../engine/engine.js'
import { htmlError } from './error-page.js'

/** The browser of a request, and the data that an error page shows. */
export interface Browser {
  act: 'sign-in' | 'sign-out'
  http: HttpExchange
  frontendUrl: string
  requestId: string
}

/** Sends the engine's response to a browser: its redirect, or an error page. */
export function sendToBrowser(browser: Browser, response: EngineResponse, about: URLSearchParams): unknown {
  const { http } = browser
  const { location } = response.headers
  if (location) return http.redirect(location)
  const { error, error_description: description } = JSON.parse(response.body) as Record<string, string | undefined>
  return rejectBrowser(browser, response.status, error ?? 'invalid_request', description, about)
}

/**
 * Attaches the error page to an error of the service and throws it, so that it is logged like every other error. The web server has the page
 * of an unavailable service or an internal error.
 */
export function rejectForBrowser(browser: Browser, error: unknown, about: URLSearchParams): never {
  if (error instanceof AppError && error.status < 500 && wantsHtml(browser.http))
    error.page = pageOf(browser, error.code, error.detail, about)
  throw error
}

const wantsHtml = (http: HttpExchange): boolean => acceptsHtml(http.header('accept'))

function rejectBrowser(
  browser: Browser,
  status: number,
  error: string,
  description: string | undefined,
  about: URLSearchParams,
): unknown {
  const { http } = browser
  http.status(status)
  if (!wantsHtml(http)) {
    http.setHeader('content-type', 'application/json; charset=utf-8')
    return JSON.stringify({ error, ...(description && { error_description: description }) })
  }
  const { html, policy } = pageOf(browser, error, description, about)
  http.setHeader('content-security-policy', policy)
  http.setHeader('content-type', 'text/html; charset=utf-8')
  return html
}

function pageOf(
  { act, frontendUrl, requestId }: Browser,
  error: string,
  description: string | undefined,
  about: URLSearchParams,
): MessagePage {
  const details = new URLSearchParams({ code: error, requestId })
  for (const [from, to] of [
    ['client_id', 'clientId'],
    ['redirect_uri', 'redirectUri'],
  ] as const)
    if (about.has(from)) details.set(to, about.get(from) ?? '')
  return htmlError({ act, error, description, requestId, detailsUrl: `${frontendUrl}/error?${details}` })
}
