import type { NodemailerError } from 'nodemailer'
import { PermanentFailure } from '../jobs/jobs.js'

/** The mail server rejected this mail for good: a further try would get the same reply. */
class MailRejected extends PermanentFailure {
  override name = 'MailRejected'
}

/** The mail was not sent, and a further try can succeed. */
class MailDeferred extends Error {
  override name = 'MailDeferred'
}

/** Replies that request an authentication (RFC 4954 6) or report a failed one: the operator can correct it. */
const AUTHENTICATION_REPLIES = new Set([530, 534, 535, 538])

/**
 * The commands whose rejection concerns the mail. A rejected connection, authentication or sender is a state of the mail server or an
 * error in the settings: no mail must be lost by it.
 */
const COMMANDS_OF_MAIL = new Set(['RCPT TO', 'DATA'])

/**
 * Returns the error of a failed delivery for the job and the log: permanent after a 5xx reply to RCPT TO or DATA (RFC 5321 4.2.1).
 * The reply can repeat the mail, so its URLs, tokens and email addresses are left out.
 */
export function mailFailure(error: NodemailerError): Error {
  const { code, command, message, permanent, responseCode } = error
  const text = withoutContents(message)
  if (code === 'ETLS')
    return new MailDeferred(
      command === 'STARTTLS' && responseCode
        ? `TLS is required, but the mail server offers no TLS. Use smtps://, or see SMTP_REQUIRE_TLS. ${text}`
        : `The TLS connection to the mail server failed. ${text}`,
    )
  if (code === 'EAUTH')
    return new MailDeferred(`The mail server rejected the user name or password of SMTP_URL. ${text}`)
  const isOfMail = COMMANDS_OF_MAIL.has(command ?? '') && !AUTHENTICATION_REPLIES.has(responseCode ?? 0)
  if (permanent && isOfMail) return new MailRejected(`The mail server rejected the mail at ${command}. ${text}`)
  return new MailDeferred(command ? `Sending failed at ${command}. ${text}` : text)
}

const withoutContents = (text: string): string =>
  text
    .replace(/\b[a-z][a-z\d+.-]*:\/\/\S+/gi, '[URL]')
    .replace(/[^\s<>]+@[^\s<>]+/g, '[email address]')
    .replace(/[\w=-]{32,}/g, '[left out]')
