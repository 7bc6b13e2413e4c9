import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import m from '../../messages/en/role-table.json'
import { permissionAreas } from './permission-areas'

// Read as text: the console does not import the server.
const source = readFileSync(new URL('../../../../server/src/features/permissions/roles.ts', import.meta.url), 'utf8')
const list = /PERMISSIONS = \[([^\]]+)\]/.exec(source)?.[1] ?? ''
const permissions = [...list.matchAll(/'([\w:-]+)'/g)].map(([, name = '']) => name)

describe('permissionAreas', () => {
  it('groups every permission of the service into a known area', () => {
    expect(permissions).toContain('users:read')
    const areas = permissionAreas(permissions)
    expect(areas.flatMap((area) => area.permissions).sort()).toEqual([...permissions].sort())
    expect(areas.map(({ area }) => area)).not.toContain('other')
  })

  it('lists permissions of unknown resources last', () => {
    expect(permissionAreas(['robots:read', 'org:read'])).toEqual([
      { area: 'team', permissions: ['org:read'] },
      { area: 'other', permissions: ['robots:read'] },
    ])
  })
})

describe('the descriptions of permissions', () => {
  it('exist for every permission of the service', () => {
    const described = (name: string) => m.permission({ permission: name.replace(/[:-]/g, '_') })
    expect(permissions.filter((name) => described(name) === '')).toEqual([])
  })
})
