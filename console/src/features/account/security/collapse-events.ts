import type { components } from '../../../api/schema.gen'

export type Event = components['schemas']['OwnEvent']
/** Events that differ only in their time, the newest first. */
export type Repeated = [Event, ...Event[]]

const contentOf = ({ id: _, createdAt: __, ...content }: Event) => JSON.stringify(content)

/** Combines events that follow each other and differ only in their time, such as ten sign-ins of a script. */
export function collapse(events: readonly Event[]): Repeated[] {
  const rows: Repeated[] = []
  for (const event of events) {
    const last = rows.at(-1)
    if (last && contentOf(last[0]) === contentOf(event)) last.push(event)
    else rows.push([event])
  }
  return rows
}
