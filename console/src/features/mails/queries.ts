import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { answerOf, member } from '../../api/client'
import type { components } from '../../api/schema.gen'
import type { View } from '../../ui/table/view'

export type ListedMail = components['schemas']['ListedMail']

export const mailsQuery = ({ page, limit }: Pick<View, 'page' | 'limit'>) =>
  queryOptions({
    queryKey: ['mails', 'list', { page, limit }],
    queryFn: () => answerOf(member.GET('/api/v1/mails', { params: { query: { page, limit } } })),
    placeholderData: keepPreviousData,
  })

/** Each request is recorded in the log of the instance, and a mail does not change: it is requested once. */
export const mailQuery = (id: string) =>
  queryOptions({
    queryKey: ['mails', 'mail', id],
    queryFn: () => answerOf(member.GET('/api/v1/mails/{id}', { params: { path: { id } } })),
    staleTime: Number.POSITIVE_INFINITY,
  })
