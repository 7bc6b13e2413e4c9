import { afterEach, describe, expect, it } from 'vitest'
import { ada, ENTERPRISE_USER, patchOf, rejectionOf } from '../../../test/factories/scim-bodies.js'
import { applyGroupPatch, applyUserPatch, readListQuery, readProjection, readResource } from './index.js'

const NAMES = ['__proto__', 'constructor', 'prototype', '__PROTO__', 'Constructor']
const paths = NAMES.flatMap((name) => [
  name,
  `${name}.polluted`,
  `name.${name}`,
  `emails.${name}`,
  `emails[type eq "work"].${name}`,
  `emails[${name} eq "work"].value`,
  `${ENTERPRISE_USER}:${name}`,
  `${ENTERPRISE_USER}:${name}.polluted`,
])
/** Parses JSON, so that the key is an own property. */
const withKey = (key: string, value: unknown): object => JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`)
const GROUP = readResource('Group', { displayName: 'Poets' })

describe('prototype pollution', () => {
  afterEach(() => {
    expect({}).not.toHaveProperty('polluted')
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it.each(paths)('rejects the path %s', (path) => {
    for (const op of ['add', 'replace', 'remove']) {
      const body = patchOf({ op, path, value: { polluted: true } })
      expect(rejectionOf(() => applyUserPatch(ada(), body))).toMatch(/^400 (?:invalidPath|mutability)$/)
      expect(rejectionOf(() => applyGroupPatch(GROUP, body))).toMatch(/^400 (?:invalidPath|mutability)$/)
    }
  })

  it.each(paths)('rejects the key %s at any depth', (key) => {
    const evil = withKey(key, { polluted: 'yes' })
    for (const body of [
      evil,
      { userName: 'x', ...withKey('name', evil) },
      { userName: 'x', emails: [evil] },
      { userName: 'x', [ENTERPRISE_USER]: evil },
      { userName: 'x', unknown: [[{ deep: evil }]] },
    ]) {
      expect(rejectionOf(() => readResource('User', body))).toBe('400 invalidSyntax')
      expect(rejectionOf(() => applyUserPatch(ada(), patchOf({ op: 'add', value: body })))).toBe('400 invalidSyntax')
      expect(rejectionOf(() => applyUserPatch(ada(), patchOf({ op: 'add', path: 'name', value: body })))).toBe(
        '400 invalidSyntax',
      )
      expect(rejectionOf(() => applyGroupPatch(GROUP, patchOf({ op: 'add', value: body })))).toBe('400 invalidSyntax')
    }
  })

  it.each(NAMES)('resolves no attribute for %s', (name) => {
    expect(rejectionOf(() => readListQuery('User', { filter: `${name} pr` }))).toBe('400 invalidFilter')
    expect(rejectionOf(() => readListQuery('User', { sortBy: name }))).toBe('400 invalidPath')
    expect(Object.keys(readProjection('User', { attributes: name }).of(ada()))).toEqual(['schemas', 'id'])
  })

  it('accepts such names as values', () => {
    const user = readResource('User', { userName: 'constructor', title: '__proto__', displayName: 'prototype' })
    expect(user).toMatchObject({ userName: 'constructor', title: '__proto__', displayName: 'prototype' })
  })
})
