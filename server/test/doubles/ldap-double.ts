import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** An entry as it is sent, without validation, so it may contain what no real server accepts. */
export interface DoubleEntry {
  dn: string | Buffer
  attributes: Record<string, (string | Buffer)[]>
}

interface DoubleSearch {
  base: string
  isBase: boolean
  attributes: string[]
  /** The bytes of the filter, enough to distinguish filters by the words in them. */
  filter: string
  /** The requested page (RFC 2696); undefined without paging. */
  page: { size: number; cookie: string } | undefined
}

interface DoubleAnswer {
  entries: DoubleEntry[]
  /** The result code; default 0. */
  code?: number
  /** The cookie for the next page; empty after the last one. Without it the double does not support paging. */
  cookie?: string
}

/** The response to a bind that is not a success. */
export interface DoubleRejection {
  code: number
  diagnostic: string
}

export interface LdapDouble {
  port: number
  /** The number of binds. */
  binds: number
  /** Whether a DN and its password are accepted; may be replaced. The default accepts all. */
  accepts: (name: string, password: string) => boolean | DoubleRejection | Promise<boolean | DoubleRejection>
  /** Responds to searches; may be replaced. */
  answer: (search: DoubleSearch) => DoubleAnswer | Promise<DoubleAnswer>
  close(): Promise<void>
}

/**
 * Starts an LDAP server that accepts every bind by default and returns what a test specifies, including entries that no real server
 * returns.
 */
export async function startLdapDouble(answer: LdapDouble['answer']): Promise<LdapDouble> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let bytes = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', async (chunk) => {
      bytes = Buffer.concat([bytes, chunk])
      for (let whole = first(bytes); whole && whole.end <= bytes.length; whole = first(bytes)) {
        const message = bytes.subarray(whole.start, whole.end)
        bytes = bytes.subarray(whole.end)
        for (const reply of await repliesTo(double, message)) socket.write(reply)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const double: LdapDouble = {
    port: (server.address() as AddressInfo).port,
    binds: 0,
    accepts: () => true,
    answer,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return double
}

/** RFC 4511 appendix A.2. */
const INVALID_CREDENTIALS = 49

async function repliesTo(double: LdapDouble, message: Buffer): Promise<Buffer[]> {
  const [id, operation, controls] = elements(message)
  if (!id || !operation) return []
  const reply = (tag: number, content: Buffer[], ...controls: Buffer[]) =>
    element(0x30, element(0x02, id.content), element(tag, ...content), ...controls)
  const result = (tag: number, code: number, diagnostic = '', ...controls: Buffer[]) =>
    reply(tag, [element(0x0a, Buffer.from([code])), element(4), element(4, Buffer.from(diagnostic))], ...controls)
  if (operation.tag === 0x60) {
    double.binds++
    const [, name, password] = elements(operation.content)
    const isAccepted = await double.accepts(String(name?.content), String(password?.content))
    if (typeof isAccepted === 'object') return [result(0x61, isAccepted.code, isAccepted.diagnostic)]
    return [result(0x61, isAccepted ? 0 : INVALID_CREDENTIALS)]
  }
  if (operation.tag !== 0x63) return []
  const [base, scope, , , , , filter, attributes] = elements(operation.content)
  const {
    entries,
    code = 0,
    cookie,
  } = await double.answer({
    base: String(base?.content),
    isBase: scope?.content[0] === 0,
    attributes: elements(attributes?.content ?? Buffer.alloc(0)).map(({ content }) => String(content)),
    filter: String(filter?.content),
    page: pageOf(controls),
  })
  const written = entries.map((entry) =>
    reply(0x64, [
      element(0x04, Buffer.from(entry.dn)),
      element(
        0x30,
        ...Object.entries(entry.attributes).map(([name, values]) =>
          element(
            0x30,
            element(0x04, Buffer.from(name)),
            element(0x31, ...values.map((value) => element(0x04, Buffer.from(value)))),
          ),
        ),
      ),
    ]),
  )
  return [...written, result(0x65, code, '', ...(cookie === undefined ? [] : [pageControl(cookie)]))]
}

const PAGED_RESULTS = '1.2.840.113556.1.4.319'

function pageOf(controls: { content: Buffer } | undefined): DoubleSearch['page'] {
  const [control] = controls ? elements(controls.content) : []
  const value = control && elements(control.content).findLast(({ tag }) => tag === 0x04)
  const [page] = value ? elements(value.content) : []
  const [size, cookie] = page ? elements(page.content) : []
  return size && { size: size.content.readUIntBE(0, size.content.length), cookie: String(cookie?.content) }
}

const pageControl = (cookie: string): Buffer => {
  const page = element(0x30, element(0x02, Buffer.from([0])), element(0x04, Buffer.from(cookie)))
  return element(0xa0, element(0x30, element(0x04, Buffer.from(PAGED_RESULTS)), element(0x04, page)))
}

/** Encodes BER (X.690) with definite lengths, as RFC 4511 section 5.1 requires. */
function element(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const length = Buffer.alloc(6)
  length[0] = tag
  length[1] = 0x84
  length.writeUInt32BE(content.length, 2)
  return Buffer.concat([length, content])
}

interface Place {
  start: number
  end: number
}

/** Returns the range of the content of the first element; undefined while its header is incomplete. */
function first(bytes: Buffer): Place | undefined {
  const short = bytes[1]
  if (short === undefined) return undefined
  if (short < 0x80) return { start: 2, end: 2 + short }
  const start = 2 + (short & 0x7f)
  return bytes.length < start ? undefined : { start, end: start + bytes.readUIntBE(2, start - 2) }
}

function elements(bytes: Buffer): { tag: number; content: Buffer }[] {
  const found: { tag: number; content: Buffer }[] = []
  let rest = bytes
  for (let place = first(rest); place; place = first(rest)) {
    found.push({ tag: rest[0] ?? 0, content: rest.subarray(place.start, place.end) })
    rest = rest.subarray(place.end)
  }
  return found
}
