/** One request and its response. */
export interface Exchange {
  request: {
    method: string
    url: string
    /** name and value; a placeholder for values that the page does not have */
    headers: [string, string][]
    /** name and value of a form, or JSON */
    body?: { form: [string, string][] } | { json: unknown }
  }
  /** null for a redirect of the browser */
  answer: { status: number; body: unknown } | null
  /** the callback URL, with its query */
  cameBackTo?: string
}

/** Parameters that an attacker could use instead of the application. */
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

/** Formats `value` as JSON, with its secrets masked unless `shown`. */
export function jsonText(value: unknown, shown: boolean): string {
  if (typeof value === 'string') return value
  return JSON.stringify(value, (name, inner) => masked(name, inner, shown), 2) ?? ''
}

/** Formats a URL with one query parameter per line. */
export function urlText(url: string, shown: boolean): string {
  const [address = '', query = ''] = url.split('?')
  const lines = [...new URLSearchParams(query)].map(
    ([name, value], place) => `  ${place === 0 ? '?' : '&'}${name}=${masked(name, value, shown)}`,
  )
  return [address, ...lines].join('\n')
}

/** Formats a request. */
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
