import type { Application } from '../../../api/contract'
import type { View } from '../../../ui/table/view'
import { kindOf, statusOf } from '../application-kind'

/** The search parameters of the filters. */
export const FILTERS = ['type', 'access', 'status']

export const accessOf = ({ assignmentRequired }: Application) => (assignmentRequired ? 'assigned' : 'everyone')

const values: Record<string, (application: Application) => string> = {
  type: kindOf,
  access: accessOf,
  status: statusOf,
}

const orders: Record<string, (application: Application) => string> = {
  name: ({ name }) => name.toLowerCase(),
  updated: ({ updatedAt }) => updatedAt,
  created: ({ createdAt }) => createdAt,
}

/** Returns the applications of a view, without its pages. The search finds names, descriptions and client IDs. */
export function applicationsOf(all: readonly Application[], { q = '', filters, sort }: View): Application[] {
  const text = q.trim().toLowerCase()
  const found = all.filter(
    (application) =>
      [application.name, application.description, application.clientId].some((one) =>
        one?.toLowerCase().includes(text),
      ) && Object.entries(filters).every(([id, wanted]) => wanted.split(',').includes(values[id]?.(application) ?? '')),
  )
  const keyOf = orders[sort?.replace(/^-/, '') ?? '']
  if (!keyOf) return found
  const sign = sort?.startsWith('-') ? -1 : 1
  return found.sort((one, other) => sign * keyOf(one).localeCompare(keyOf(other)))
}
