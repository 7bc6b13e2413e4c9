import type { HttpExchange } from '../../../platform/http/http-exchange.js'
import type { EngineResponse } from './engine.js'

/** Sends a response of the engine unchanged. */
export function sendEngineResponse(http: HttpExchange, { status, headers, body }: EngineResponse): string {
  http.status(status)
  for (const [name, value] of Object.entries(headers)) http.setHeader(name, value)
  return body
}
