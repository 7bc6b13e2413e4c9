import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface DeliveredMail {
  from: string
  to: string[]
  /** The received message without soft line breaks. */
  raw: string
  messageId: string
}

/** Starts a mail server on `port` (0: a free one) that stores the received mails. */
export async function startMailServer(port = 0) {
  const mails: DeliveredMail[] = []
  const state = { delayMs: 0, connections: 0 }
  const server = new SMTPServer({
    // Clients keep their connections open.
    closeTimeout: 1,
    onConnect(_session, done) {
      state.connections++
      done()
    },
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      let raw = ''
      stream.on('data', (chunk) => (raw += chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const messageId = /^Message-ID: (.*)$/im.exec(raw)?.[1]?.trim() ?? ''
        const from = mailFrom ? mailFrom.address : ''
        mails.push({ from, to: rcptTo.map(({ address }) => address), raw: raw.replace(/=\r\n/g, ''), messageId })
        setTimeout(done, state.delayMs)
      })
    },
  })
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    mails,
    /** The delay before each mail is accepted, in milliseconds, and the number of connections so far. */
    state,
    port: (server.server.address() as { port: number }).port,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}

/** Starts a server that accepts connections and never sends a byte. */
export async function startHangingServer(port = 0) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    sockets,
    port: (server.address() as { port: number }).port,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
