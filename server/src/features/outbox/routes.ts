import Type from 'typebox'
import { PageQuery, pageOf } from '../../platform/http/paging.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { INSTANCE_PERMISSION } from '../permissions/index.js'
import { listMails, type OutboxDeps, readMail } from './read-outbox.js'
import { Mail, MailsPage, presentListed, presentMail } from './schema.js'

const shared = {
  method: 'GET',
  permission: INSTANCE_PERMISSION,
  // A mail can contain a link that signs in as another user.
  accountWide: true,
  tag: 'Instance settings',
} as const

export const outboxRoutes = (deps: OutboxDeps): Route[] => [
  defineRoute({
    ...shared,
    path: '/api/v1/mails',
    summary: 'List the mails that were written to files, newest first',
    description:
      'Only on a loopback `BASE_URL` without `SMTP_URL`, after the onboarding. Lists the outbox of the node that receives the request.',
    query: Type.Object(PageQuery),
    responses: { 200: MailsPage },
    errors: ['outbox_not_available'],
    handle: async ({ query }) => {
      const page = pageOf(query)
      const { mails, total } = await listMails(deps, page)
      return { data: mails.map(presentListed), total, ...page }
    },
  }),
  defineRoute({
    ...shared,
    path: '/api/v1/mails/:id',
    summary: 'Return a mail that was written to a file; each request is recorded in the log of the instance',
    params: Type.Object({ id: Type.String() }),
    responses: { 200: Mail },
    errors: ['outbox_not_available', 'mail_not_found'],
    handle: async ({ actor, params }) => presentMail(await readMail(deps, actor, params.id)),
  }),
]
