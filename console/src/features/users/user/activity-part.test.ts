import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import events from '../../../messages/en/user-activity.json'
import { eventIcon } from '../../../ui/values/event-icon'

// Read as text: the console does not import the server.
const source = readFileSync(new URL('../../../../../server/src/features/audit/actions.ts', import.meta.url), 'utf8')
const actions = [...source.matchAll(/^ {2}'([a-z_]+\.[a-z_]+)':/gm)].map(([, action = '']) => action)

describe('the activity of a user', () => {
  it('knows the actions of the audit log', () => {
    expect(actions).toContain('user.login')
    expect(actions.length).toBeGreaterThan(100)
  })

  it('has an icon for every action of the audit log', () => {
    expect(actions.filter((action) => eventIcon(action) === 'info')).toEqual([])
  })

  it('has an icon for an action of a later version', () => {
    expect(eventIcon('later.action')).toBe('info')
  })

  it('has a readable name for every action of the audit log', () => {
    expect(actions.filter((action) => events.name({ action: action.replaceAll('.', '_') }) === '')).toEqual([])
  })
})
