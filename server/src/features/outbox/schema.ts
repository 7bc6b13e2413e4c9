import Type from 'typebox'
import { pageSchema, timestamp } from '../../platform/http/schema-parts.js'
import type { OutboxMail } from '../../platform/mail/outbox-folder.js'

const LISTED = {
  id: Type.String(),
  kind: Type.String(),
  to: Type.String(),
  subject: Type.String(),
  createdAt: timestamp(),
}

export const MailsPage = pageSchema(Type.Object(LISTED, { $id: 'ListedMail' }))

export const Mail = Type.Object(
  {
    ...LISTED,
    from: Type.String(),
    text: Type.String(),
    html: Type.String({ description: 'Show it without scripts, in a sandbox' }),
    links: Type.Array(Type.String(), { description: 'The URLs in `text`' }),
  },
  { $id: 'Mail' },
)

export const presentListed = ({ id, kind, to, subject, createdAt }: OutboxMail) => ({
  id,
  kind,
  to,
  subject,
  createdAt: createdAt.toISOString(),
})

export const presentMail = (mail: OutboxMail) => ({
  ...presentListed(mail),
  from: mail.from,
  text: mail.text,
  html: mail.html,
  links: [...new Set(mail.text.match(/https?:\/\/[^\s<>"]+/g) ?? [])],
})
