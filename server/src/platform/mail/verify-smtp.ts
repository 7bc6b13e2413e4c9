import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createTransport, type NodemailerError } from 'nodemailer'
import { mailFailure } from './mail-failure.js'
import { compose, type Message, type SmtpSettings, urlOf } from './transport.js'

/** The cause of a failed verification of the mail server. */
export type SmtpCause = 'login' | 'no_tls' | 'certificate' | 'connection' | 'rejected'

/** `message` is one line without credentials and email addresses. */
export class SmtpFailure extends Error {
  override readonly name = 'SmtpFailure'
  constructor(
    readonly reason: SmtpCause,
    message: string,
  ) {
    super(message)
  }
}

/**
 * Connects to the mail server with TLS and the login of the settings.
 * @param mail is sent in another connection after the login
 * @param signal closes the connections
 * @throws SmtpFailure
 */
export async function verifySmtp(
  settings: Pick<SmtpSettings, 'url' | 'requireTls'>,
  mail: Message | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { hostname, port, protocol } = new URL(settings.url)
  const address = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'smtps:' ? 465 : 587),
  }
  const transport = createTransport({
    url: urlOf(settings),
    // A server without AUTH would otherwise pass the verification of the login.
    forceAuth: new URL(settings.url).password !== '',
    getSocket: (_options, callback) =>
      void openSocket(address, signal).then(
        (connection) => callback(null, { connection }),
        (error) => callback(error, false),
      ),
  })
  try {
    await transport.verify()
    if (mail) await transport.sendMail(compose(mail))
  } catch (error) {
    throw asFailure(error as NodemailerError)
  }
}

async function openSocket(address: { host: string; port: number }, signal: AbortSignal): Promise<Socket> {
  const socket = connect(address)
  socket.on('error', () => {}) // The transport reports it.
  signal.addEventListener('abort', () => socket.destroy(), { once: true })
  await once(socket, 'connect')
  return socket
}

function asFailure(error: NodemailerError): SmtpFailure {
  const { code, command, responseCode } = error
  const message = mailFailure(error).message.replace(/\s+/g, ' ').trim() || `No connection (${code})`
  if (code === 'EAUTH') return new SmtpFailure('login', message)
  if (code === 'ETLS' && command === 'STARTTLS' && responseCode) return new SmtpFailure('no_tls', message)
  if (!responseCode && /certificate/i.test(error.message))
    return new SmtpFailure('certificate', `The certificate of the mail server was rejected: ${error.message}`)
  return new SmtpFailure(responseCode ? 'rejected' : 'connection', message)
}
