import { Agent } from 'node:http'
import { connect } from 'node:net'
import type { TestService } from '../harness/service.js'

/**
 * A `fetch` for libraries of relying parties. No server listens at the published URL in a test, so it sends the requests to the ports of
 * the nodes, alternately. Other URLs fail.
 */
export function fetchPublished(service: TestService) {
  let turn = 0
  return (url: string | URL | Request, init?: object): Promise<Response> => {
    const address = url instanceof Request ? url.url : String(url)
    if (!address.startsWith(`${service.baseUrl}/`)) throw new Error(`${address} does not belong to the service`)
    const node = service.urls[turn++ % service.urls.length]
    return fetch(`${node}${address.slice(service.baseUrl.length)}`, init as RequestInit)
  }
}

/** Agent with the same effect for a library that uses node:http. */
export class PublishedAgent extends Agent {
  readonly #service: TestService
  #turn = 0

  constructor(service: TestService) {
    super()
    this.#service = service
  }

  override createConnection({ host, port }: { host?: string | null; port?: number | string | null }) {
    const { baseUrl, urls } = this.#service
    if (`http://${host}:${port}` !== baseUrl) throw new Error(`${host}:${port} does not belong to the service`)
    return connect(Number(new URL(urls[this.#turn++ % urls.length] as string).port), 'localhost')
  }
}
