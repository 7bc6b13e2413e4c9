import type { HttpExchange } from '../../../platform/http/http-exchange.js'
import type { EngineResponse } from './engine.js'

/** An answer of the engine as it is. */
export function sendEngineResponse(http: HttpExchange, { status, headers, body }: EngineResponse): string {
  http.status(status)
  for (const [name, value] of Object.entries(headers)) http.setHeader(name, value)
  return body
}
