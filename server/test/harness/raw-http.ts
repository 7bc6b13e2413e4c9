import { connect, type Socket } from 'node:net'

export interface RawResponse {
  status: number
  /** Header names are in lower case. */
  headers: Record<string, string>
  text: string
}

/** A connection for raw HTTP bytes, which `fetch` would correct or reject. */
export function openConnection(url: string): { socket: Socket; answer: Promise<RawResponse> } {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const answer = new Promise<RawResponse>((resolve, reject) => {
    let received = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(parse(received)))
  })
  return { socket, answer }
}

/** Sends one request with exactly these headers and `Connection: close`. */
export async function sendRaw(url: string, requestLine: string, headers: Record<string, string>, body = '') {
  const { socket, answer } = openConnection(url)
  const lines = [`${requestLine} HTTP/1.1`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  socket.write(
    `${[...lines, 'Connection: close', `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`,
  )
  return answer
}

function parse(received: string): RawResponse {
  const end = received.indexOf('\r\n\r\n')
  const [first = '', ...lines] = received.slice(0, end).split('\r\n')
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 2),
  ])
  return { status: Number(first.split(' ')[1]), headers: Object.fromEntries(headers), text: received.slice(end + 4) }
}
