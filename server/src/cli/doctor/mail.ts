import { randomUUID } from 'node:crypto'
import { isLoopbackHost } from '../../platform/config/config.js'
import { type SmtpCause, SmtpFailure, verifySmtp } from '../../platform/mail/verify-smtp.js'
import { type Context, type Finding, ok, type Part, problem, skipped, warning } from './check.js'

const SOLUTIONS: Record<SmtpCause, string> = {
  login: 'Correct the user name and password of SMTP_URL, with special characters percent-encoded',
  no_tls: 'Use an smtps:// URL or a server with STARTTLS, or set SMTP_REQUIRE_TLS=false to send without TLS',
  certificate:
    'Use the host name of the certificate in SMTP_URL; for a private CA, set NODE_EXTRA_CA_CERTS to its certificate',
  connection: 'Verify the host, the port and the scheme (smtp or smtps) of SMTP_URL, and that no firewall blocks them',
  rejected: 'Correct the settings according to the reply of the mail server',
}

export const mailPart: Part = {
  area: 'mail',
  name: 'SMTP server',
  needs: ['SMTP_URL', 'SMTP_REQUIRE_TLS', 'BASE_URL', 'PORT', 'MAIL_FROM'],
  async run(context, signal) {
    const { smtpUrl, smtpRequireTls, loopback } = context.config
    if (!smtpUrl) return [withoutServer(loopback), ...testMail(context, 'SMTP_URL is not set')]
    try {
      await verifySmtp({ url: smtpUrl, requireTls: smtpRequireTls }, messageTo(context), signal)
      return [verified(smtpUrl, smtpRequireTls), ...testMail(context)]
    } catch (error) {
      if (!(error instanceof SmtpFailure)) throw error
      const failed = problem(error.message, SOLUTIONS[error.reason])
      return [failed, ...testMail(context, 'the mail server did not accept the mail')]
    }
  },
}

const withoutServer = (loopback: boolean): Finding =>
  loopback
    ? ok('SMTP_URL is not set: each mail is a file in DATA_DIR/outbox')
    : warning(
        'SMTP_URL is not set: users receive no mails, because each mail is only a file in DATA_DIR/outbox',
        'Set SMTP_URL to the URL of a mail server',
      )

function verified(smtpUrl: string, requireTls: boolean): Finding {
  const { hostname, protocol, password } = new URL(smtpUrl)
  const accepted = `${hostname} accepted the connection${password ? ' and the login' : ''}`
  if (requireTls || protocol === 'smtps:' || isLoopbackHost(hostname)) return ok(accepted)
  return warning(
    `${accepted}, but TLS is not required: mails${password ? ' and the password' : ''} can be sent unencrypted`,
    'Set SMTP_REQUIRE_TLS=true if the server offers TLS',
  )
}

/** Returns the check of the test mail, if one was requested. @param why it was not sent */
function testMail({ mailTo }: Context, why?: string) {
  if (mailTo === undefined) return []
  return [{ name: 'test mail', ...(why ? skipped(`Not sent: ${why}`) : ok(`The server accepted a mail to ${mailTo}`)) }]
}

function messageTo({ mailTo, config, clock }: Context) {
  if (mailTo === undefined) return undefined
  const { hostname } = new URL(config.baseUrl)
  const id = randomUUID()
  const text = `This is a test mail of keyward doctor for ${config.baseUrl}.`
  return {
    id,
    kind: 'doctor',
    from: config.mailFrom ?? `Keyward <no-reply@${hostname}>`,
    to: mailTo,
    subject: 'Test mail of Keyward',
    text,
    html: `<p>${text}</p>`,
    messageId: `<${id}@${hostname}>`,
    date: clock.now(),
  }
}
