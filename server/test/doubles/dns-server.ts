import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

/** A DNS server for TXT and A records only (RFC 1035). */
export interface DnsServer {
  /** The value of DNS_SERVERS. */
  address: string
  /** TXT records by name. A name that is not listed does not exist. */
  records: Map<string, string[]>
  /** IPv4 addresses by host. */
  hosts: Map<string, string>
  /** Whether it receives requests and never responds. */
  silent: boolean
  /** Names for which it does not respond. */
  silentFor: RegExp | undefined
  /** The queried names. */
  asked: Set<string>
  close(): Promise<void>
}

const HEADER = 12
const NO_SUCH_NAME = 3
const A = 1
const TXT = 16

export async function startDnsServer(): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const dns: DnsServer = {
    address: '',
    records: new Map(),
    hosts: new Map(),
    silent: false,
    silentFor: undefined,
    asked: new Set(),
    async close() {
      socket.close()
      await once(socket, 'close')
    },
  }
  socket.on('message', (query, peer) => {
    if (dns.silent) return
    const labels: string[] = []
    let at = HEADER
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('ascii', at + 1, at + 1 + length))
      at += 1 + length
    }
    const question = query.subarray(HEADER, at + 5)
    const name = labels.join('.').toLowerCase()
    dns.asked.add(name)
    if (dns.silentFor?.test(name)) return
    const host = dns.hosts.get(name)
    const asksAddress = query.readUInt16BE(at + 1) === A
    const texts = dns.records.get(name)
    const answers = host
      ? asksAddress
        ? [record(A, Buffer.from(host.split('.').map(Number)))]
        : []
      : texts?.map(textRecord)
    const header = Buffer.alloc(HEADER)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(0x8180 | (answers ? 0 : NO_SUCH_NAME), 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(answers?.length ?? 0, 6)
    socket.send(Buffer.concat([header, question, ...(answers ?? [])]), peer.port, peer.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  dns.address = `127.0.0.1:${(socket.address() as AddressInfo).port}`
  return dns
}

/** Encodes a string in parts of at most 255 bytes. */
function textRecord(text: string): Buffer {
  const pieces = text.match(/.{1,40}/gs) ?? []
  return record(
    TXT,
    Buffer.concat(pieces.map((piece) => Buffer.concat([Buffer.from([piece.length]), Buffer.from(piece)]))),
  )
}

/** Encodes one record of the queried name. */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.from([0xc0, HEADER, 0, type, 0, 1, 0, 0, 0, 0, 0, 0])
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
