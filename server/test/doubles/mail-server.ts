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

/** The command that a mail server rejects, with its reply. */
export interface RejectedCommand {
  at: 'connection' | 'AUTH' | 'MAIL FROM' | 'RCPT TO' | 'DATA'
  code: number
  text: string
}

export interface MailServerOptions {
  /** Whether the server offers STARTTLS, with a self-signed certificate. */
  hasTls?: boolean
  /** Whether the server offers AUTH, also without TLS, and accepts every password. */
  hasAuth?: boolean
}

/** Starts a mail server on `port` (0: a free one) that stores the received mails. */
export async function startMailServer(port = 0, offers: MailServerOptions = {}) {
  const { hasTls = false, hasAuth = false } = offers
  const mails: DeliveredMail[] = []
  const logins: { password: string; secure: boolean }[] = []
  const state = { delayMs: 0, connections: 0, rejects: undefined as RejectedCommand | undefined }
  const rejectionAt = (at: RejectedCommand['at']) =>
    state.rejects?.at === at
      ? Object.assign(new Error(state.rejects.text), { responseCode: state.rejects.code })
      : undefined
  const server = new SMTPServer({
    // Clients keep their connections open.
    closeTimeout: 1,
    onConnect(_session, done) {
      state.connections++
      done(rejectionAt('connection'))
    },
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: [...(hasTls ? [] : ['STARTTLS']), ...(hasAuth ? [] : ['AUTH'])],
    onAuth({ password }, { secure }, done) {
      logins.push({ password: password ?? '', secure })
      const error = rejectionAt('AUTH')
      if (error) done(error)
      else done(null, { user: 'user' })
    },
    onMailFrom: (_address, _session, done) => done(rejectionAt('MAIL FROM')),
    onRcptTo: (_address, _session, done) => done(rejectionAt('RCPT TO')),
    onData(stream, session, done) {
      let raw = ''
      stream.on('data', (chunk) => (raw += chunk))
      stream.on('end', () => {
        const error = rejectionAt('DATA')
        if (error) return done(error)
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
    /** The passwords that clients sent, and whether over TLS. */
    logins,
    offers,
    /** The delay before each mail is accepted, in milliseconds, the number of connections so far, and the command to reject. */
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
