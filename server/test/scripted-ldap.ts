import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** An entry as the server sends it: nothing of it is checked, so that it may say what no real server lets anybody write. */
export interface ScriptedEntry {
  dn: string | Buffer
  values: Record<string, string | Buffer | (string | Buffer)[]>
}

export interface ScriptedLdap {
  port: number
  /** What it answers from now on. */
  people: ScriptedEntry[]
  groups: ScriptedEntry[]
  close(): Promise<void>
}

const [BIND, SEARCH] = [0x60, 0x63]

/** An element of BER, its length in the shortest form. */
function element(tag: number, ...content: (string | Buffer | number[])[]): Buffer {
  const body = Buffer.concat(content.map((part) => (Buffer.isBuffer(part) ? part : Buffer.from(part as string))))
  const size = Buffer.alloc(5)
  size[0] = 0x84
  size.writeUInt32BE(body.length, 1)
  return Buffer.concat([[tag], body.length < 128 ? [body.length] : size].map((part) => Buffer.from(part)).concat(body))
}

/** The elements that stand one behind the other. */
function elements(bytes: Buffer): { tag: number; content: Buffer; length: number }[] {
  const found = []
  for (let at = 0; at + 1 < bytes.length; ) {
    const first = bytes[at + 1] ?? 0
    const head = first < 0x80 ? 2 : 2 + (first & 0x7f)
    if (at + head > bytes.length) break
    const length = head + (first < 0x80 ? first : bytes.readUIntBE(at + 2, first & 0x7f))
    if (at + length > bytes.length) break
    found.push({ tag: bytes[at] ?? 0, content: bytes.subarray(at + head, at + length), length })
    at += length
  }
  return found
}

const entryOf = ({ dn, values }: ScriptedEntry): Buffer =>
  element(
    0x64,
    element(0x04, dn),
    element(
      0x30,
      ...Object.entries(values).map(([name, value]) =>
        element(0x30, element(0x04, name), element(0x31, ...[value].flat().map((one) => element(0x04, one)))),
      ),
    ),
  )

const resultOf = (tag: number): Buffer => element(tag, element(0x0a, [0]), element(0x04, ''), element(0x04, ''))

/**
 * A server of LDAP (RFC 4511) that lets everybody in and gives out what it is told to, below the whole of it: people where the filter
 * asks for `inetOrgPerson`, groups otherwise; of a single name the entry of that name, or an empty one.
 */
export async function startScriptedLdap(given: Partial<Pick<ScriptedLdap, 'people' | 'groups'>> = {}) {
  const sockets = new Set<Socket>()
  const answer = (socket: Socket, message: Buffer) => {
    const [id, operation] = elements(message)
    if (!id || !operation) return
    const say = (part: Buffer) => socket.write(element(0x30, element(0x02, id.content), part))
    if (operation.tag === BIND) say(resultOf(0x61))
    if (operation.tag !== SEARCH) return
    const [base, scope] = elements(operation.content)
    const isWhole = scope?.content[0] !== 0
    const name = base?.content.toString() ?? ''
    const all = [...server.people, ...server.groups]
    const found = isWhole
      ? operation.content.includes('inetOrgPerson')
        ? server.people
        : server.groups
      : [all.find(({ dn }) => dn.toString() === name) ?? { dn: name, values: { objectClass: 'top' } }]
    for (const entry of found) say(entryOf(entry))
    say(resultOf(0x65))
  }
  const listening = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    let waiting = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      waiting = Buffer.concat([waiting, chunk])
      for (const { content, length } of elements(waiting)) {
        answer(socket, content)
        waiting = waiting.subarray(length)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const server: ScriptedLdap = {
    port: (listening.address() as AddressInfo).port,
    people: [],
    groups: [],
    ...given,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => listening.close(resolve))
    },
  }
  return server
}
