import { Agent, type IncomingMessage, request as sendRequest } from 'node:http'
import { expect } from 'vitest'

export interface ApiRequest {
  token?: string | undefined
  body?: unknown
  /** The raw body, instead of `body`. */
  raw?: string
  headers?: Record<string, string>
  /** Requests cookie mode, as the console does. */
  console?: boolean
  cookies?: Record<string, string>
  /** The node that receives the request. */
  node?: number
}

export interface ApiResponse {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests compare responses field by field, which checks their shape
  body: any
  text: string
  /** Cookies that the response sets: value and attributes. */
  cookies: Record<string, { value: string; attributes: string }>
}

const agent = new Agent({ keepAlive: true })
/** The headers that `fetch` adds. */
const DEFAULT_HEADERS = {
  accept: '*/*',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
  'accept-encoding': 'gzip, deflate',
}

/** Works like `fetch` without redirects in a third of the processor time, because a run sends tens of thousands of requests. */
async function send(
  method: string,
  address: string,
  content: string | undefined,
  given: Record<string, string>,
): Promise<Pick<ApiResponse, 'status' | 'headers' | 'text'>> {
  const { hostname, port, pathname, search } = new URL(address)
  const body = content === undefined ? undefined : Buffer.from(content)
  const length = body?.length ?? (/^(POST|PUT|PATCH)$/.test(method) ? 0 : undefined)
  // Header names are case-insensitive; the last value wins.
  const headers: Record<string, string> = { ...DEFAULT_HEADERS }
  for (const [name, value] of Object.entries(given)) headers[name.toLowerCase()] = value
  if (length !== undefined) headers['content-length'] = String(length)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = sendRequest({ agent, method, hostname, port, path: `${pathname}${search}`, headers }, resolve)
    request.on('error', reject).end(body)
  })
  if (response.headers['content-encoding']) throw new Error(`${method} ${address} returned a compressed response`)
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  const sent = new Headers()
  for (let n = 0; n < response.rawHeaders.length; n += 2)
    sent.append(response.rawHeaders[n] as string, response.rawHeaders[n + 1] as string)
  return { status: response.statusCode as number, headers: sent, text: Buffer.concat(chunks).toString() }
}

type Responses = Record<string, { description?: string }>
type OpenApi = { paths?: Record<string, Record<string, { responses?: Responses }>> }

interface Declaration {
  path: string
  pattern: RegExp
  responses: Responses
}

/** Declarations of the routes, by method. They are read once, because every service of a process has the same routes. */
let declarations: Map<string, Declaration[]> | undefined

function declarationsOf(openapi: OpenApi): Map<string, Declaration[]> {
  const byMethod = new Map<string, Declaration[]>()
  // Concrete paths before templated ones, as OpenAPI requires: `{` sorts after letters.
  const paths = Object.entries(openapi.paths ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [path, item] of paths)
    for (const [method, { responses = {} }] of Object.entries(item)) {
      const pattern = new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
      const name = method.toUpperCase()
      byMethod.set(name, [...(byMethod.get(name) ?? []), { path, pattern, responses }])
    }
  return byMethod
}

/**
 * Sends requests over HTTP, as clients do. Every response is checked against the OpenAPI document: an undeclared status or error code
 * fails the test.
 */
export function createApi(urls: string[], openapi: () => unknown) {
  let turn = 0
  return async (method: string, path: string, request: ApiRequest = {}): Promise<ApiResponse> => {
    const { token, body, raw, headers = {}, cookies } = request
    const url = urls[request.node ?? turn++ % urls.length] as string
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await send(method, `${url}${path}`, content, {
      ...(content !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...(request.console && { 'x-keyward-console': '1', origin: 'http://localhost:3000' }),
      ...(cookies && {
        cookie: Object.entries(cookies)
          .map(([name, value]) => `${name}=${value}`)
          .join('; '),
      }),
      ...headers,
    })
    const { text } = response
    const json = /[/+]json\b/.test(response.headers.get('content-type') ?? '') && text !== ''
    const answer: ApiResponse = {
      ...response,
      body: json ? JSON.parse(text) : undefined,
      cookies: cookiesOf(response.headers),
    }
    declarations ??= declarationsOf(openapi() as OpenApi)
    expectDeclared(declarations.get(method) ?? [], method, path.split('?')[0] ?? path, answer)
    return answer
  }
}

function expectDeclared(
  declared: Declaration[],
  method: string,
  path: string,
  { status, body, text }: ApiResponse,
): void {
  // A call of `expect` with a message is expensive, so only failures reach it.
  if (status === 500) expect.fail(`${method} ${path} answered 500 ${JSON.stringify(body)}`)
  const route = declared.find(({ pattern }) => pattern.test(path))
  if (!route) {
    // Only paths without a route may be missing from the document.
    if (status < 400 && /^\/(api|scim)\//.test(path)) expect.fail(`${method} ${path} is not in the OpenAPI document`)
    return
  }
  const response = route.responses[status]
  if (!response)
    expect.fail(`${method} ${route.path} returned ${status} ${JSON.stringify(body)}, which it does not declare`)
  // SCIM does not define a code for every error.
  if (status < 400 || (isScimProblem(body) && body.scimType === undefined)) return
  // HTML error pages contain the code as well.
  const code = body?.code ?? body?.error ?? body?.scimType ?? /<code>(\w+)<\/code>/.exec(text)?.[1]
  if (!response?.description?.includes(`\`${code}\``))
    expect.fail(`${method} ${route.path} declares no code ${code} for ${status}`)
}

const isScimProblem = (body: ApiResponse['body']): boolean =>
  Array.isArray(body?.schemas) && body.schemas[0] === 'urn:ietf:params:scim:api:messages:2.0:Error'

function cookiesOf(headers: Headers): ApiResponse['cookies'] {
  return Object.fromEntries(
    headers.getSetCookie().map((line) => {
      const [pair = '', ...attributes] = line.split('; ')
      const [name = '', value = ''] = pair.split('=')
      return [name, { value: decodeURIComponent(value), attributes: attributes.join('; ') }]
    }),
  )
}
