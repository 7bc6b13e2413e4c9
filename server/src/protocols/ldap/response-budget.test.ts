import { lookup } from 'node:dns'
import { once } from 'node:events'
import { type AddressInfo, createServer, type LookupFunction, type Server, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { LdapFailure, openLdap } from './index.js'
import { MessageSocket } from './message-socket.js'
import { nodeBudget, ResponseBudget } from './response-budget.js'

const MIB = 1_048_576
/** A request with ID 2, the first ID that the library uses. */
const REQUEST = Buffer.from('30050201024200', 'hex')
const BOUND = Buffer.from('300c02010261070a010004000400', 'hex')
/** A SearchResultEntry of the first request, with one value of 1 MiB. */
const ENTRY = element(0x30, Buffer.from('020102', 'hex'), element(0x64, text('o=x'), element(0x30, attribute())))

function attribute(): Buffer {
  return element(0x30, text('cn'), element(0x31, text('x'.repeat(MIB))))
}

function text(value: string): Buffer {
  return element(0x04, Buffer.from(value))
}

function element(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const header = Buffer.from([tag, 0x84, 0, 0, 0, 0])
  header.writeUInt32BE(content.length, 2)
  return Buffer.concat([header, content])
}

const servers: Server[] = []
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) server.close()
})

/** Starts a server that sends the bytes `times` times in response to every request. */
async function connectTo(bytes: Buffer, times = 1) {
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.once('data', () => {
      let sent = 0
      // Sends the next piece after the previous one is flushed, so the server's own buffers are not measured.
      const send = () => {
        if (sent++ < times && !socket.destroyed) socket.write(bytes, send)
      }
      send()
    })
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const anywhere = { lookup: lookup as LookupFunction, mayReach: () => true }
  const limits = { connectMs: 10_000, operationMs: 10_000 }
  return () => openLdap({ host: '127.0.0.1', port, security: 'none' }, anywhere, limits)
}

const kindOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof LdapFailure ? error.kind : String(error)),
  )

describe('the memory of large responses', () => {
  it('limits the total of all directories without delaying small responses', { timeout: 60_000 }, async () => {
    const small = await connectTo(BOUND)
    const large = await connectTo(ENTRY, 60)
    const clients = await Promise.all(Array.from({ length: 20 }, large))
    let reading = clients.length
    const read = clients.map((client) =>
      kindOf(client.read('o=x', ['cn'])).then((kind) => {
        reading--
        client.close()
        return kind
      }),
    )
    // Measures where the bytes are counted: polling between requests would miss the peaks.
    let most = 0
    const hold = nodeBudget.hold.bind(nodeBudget)
    nodeBudget.hold = (...args) => {
      const admitted = hold(...args)
      most = Math.max(most, nodeBudget.bytes)
      return admitted
    }
    let bound = 0
    while (reading > 10) {
      const client = await small()
      expect(await kindOf(client.bind('cn=a', 'x'))).toBe('none')
      client.close()
      bound++
    }
    expect(bound).toBeGreaterThan(0)
    expect(most).toBeGreaterThan(100 * MIB)
    expect(most).toBeLessThan(130 * MIB)
    nodeBudget.hold = hold
    for (const client of clients) client.close()
    // Connections that waited behind responses without an end have timed out.
    for (const kind of await Promise.all(read)) expect(['cut', 'timeout']).toContain(kind)
    expect(nodeBudget.bytes).toBe(0)
  })

  const reader = (budget: ResponseBudget) => {
    const inner = new Duplex({ highWaterMark: 64 * MIB, read: () => {}, write: (_piece, _encoding, done) => done() })
    const socket = new MessageSocket(inner, budget)
    socket.on('error', () => {})
    socket.write(REQUEST)
    let bytes = 0
    socket.on('data', (piece: Buffer) => {
      bytes += piece.length
    })
    return { socket, entries: () => bytes / ENTRY.length, send: () => inner.push(ENTRY) }
  }
  const settled = async () => {
    for (let turn = 0; turn < 50; turn++) await setImmediate()
  }

  it('pauses a response at the limit and resumes it when another one ends', async () => {
    const budget = new ResponseBudget(4 * MIB)
    const [first, second] = [reader(budget), reader(budget)]
    for (let count = 0; count < 4; count++) first.send()
    await settled()
    for (let count = 0; count < 6; count++) second.send()
    await settled()
    expect([first.entries(), second.socket.destroyed]).toEqual([4, false])
    expect(second.entries()).toBeLessThan(6)
    first.socket.destroy()
    await settled()
    expect(second.entries()).toBeGreaterThan(4)
    second.socket.destroy()
    expect(budget.bytes).toBe(0)
  })

  it('rejects the largest of the mutually blocked responses and completes the others', async () => {
    const budget = new ResponseBudget(4 * MIB)
    const [first, second] = [reader(budget), reader(budget)]
    for (let count = 0; count < 3; count++) first.send()
    await settled()
    for (let count = 0; count < 4; count++) second.send()
    await settled()
    first.send()
    await settled()
    expect(first.socket.destroyed).not.toBe(second.socket.destroyed)
    const [rejected, left] = first.socket.destroyed ? [first, second] : [second, first]
    expect(rejected.socket.failure).toMatchObject({ kind: 'cut', message: expect.stringContaining('the largest') })
    expect(left.entries()).toBe(4)
    left.socket.destroy()
    expect(budget.bytes).toBe(0)
  })
})
