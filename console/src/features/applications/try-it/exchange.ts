/** One request and what came back, to be shown. */
export interface Exchange {
  request: {
    method: string
    url: string
    /** name and value; a value may be one that the page does not have */
    headers: [string, string][]
    /** name and value of a form, or JSON */
    body?: { form: [string, string][] } | { json: unknown }
  }
  /** null for a redirect, which the address bar answered */
  answer: { status: number; body: unknown } | null
  /** the address that the browser came back to */
  cameBackTo?: string
}

/** What may let somebody else go on in the place of the application. */
const secretNames = new Set([
  'access_token',
  'refresh_token',
  'id_token',
  'code',
  'code_verifier',
  'token',
  'client_secret',
])

const mask = '••••••••'

const masked = (name: string, value: unknown, shown: boolean) =>
  !shown && secretNames.has(name.toLowerCase()) && typeof value === 'string' && value ? mask : value

/** `value` as JSON, with its secrets hidden unless they are to be shown. */
export function jsonText(value: unknown, shown: boolean): string {
  if (typeof value === 'string') return value
  return JSON.stringify(value, (name, inner) => masked(name, inner, shown), 2) ?? ''
}

/** An address with its query a line each, so that it can be read. */
export function urlText(url: string, shown: boolean): string {
  const [address = '', query = ''] = url.split('?')
  const lines = [...new URLSearchParams(query)].map(
    ([name, value], place) => `  ${place === 0 ? '?' : '&'}${name}=${masked(name, value, shown)}`,
  )
  return [address, ...lines].join('\n')
}

/** A request as it goes over the wire, more or less. */
export function requestText({ request }: Exchange, shown: boolean): string {
  const { method, url, headers, body } = request
  const head = [
    `${method} ${urlText(url, shown)}`,
    ...headers.map(([name, value]) => `${name}: ${shown ? value : value.replace(/^(Bearer ).+/, `$1${mask}`)}`),
  ]
  if (!body) return head.join('\n')
  const text =
    'form' in body
      ? body.form.map(([name, value]) => `${name}=${masked(name, value, shown)}`).join('\n')
      : jsonText(body.json, shown)
  return `${head.join('\n')}\n\n${text}`
}
