import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ada, ENTERPRISE_USER, frozen, patchOf } from '../../../test/factories/scim-bodies.js'
import { LONG } from '../../../test/harness/some-of.js'
import {
  applyGroupPatch,
  applyUserPatch,
  type Filter,
  leafOf,
  matches,
  parseFilter,
  type ResourceKind,
  readListQuery,
  readProjection,
  readResource,
  readSearchRequest,
  ScimError,
  type ScimObject,
} from './index.js'

const RUNS = LONG ? 100_000 : 2_000
/** The time for each property in milliseconds; long runs take minutes on a busy machine. */
const TIMEOUT = 1_800_000

/** Writes a filter tree as a client might. */
function printed(filter: Filter): string {
  switch (filter.op) {
    case 'and':
    case 'or':
      return filter.filters
        .map((one) => (one.op === 'and' || one.op === 'or' ? `(${printed(one)})` : printed(one)))
        .join(` ${filter.op} `)
    case 'not':
      return `not (${printed(filter.filter)})`
    case 'pr':
      return `${filter.target.path} pr`
    case '[]':
      return `${filter.target.path}[${printed(filter.filter).replaceAll(`${filter.target.path}.`, '')}]`
    default:
      return `${filter.target.path} ${filter.op} ${JSON.stringify(filter.value)}`
  }
}

const word = fc.constantFrom('', 'a', 'A', 'work', 'x@example.com', '%_\\', '"', ' or ', 'ß', '🦊', 'ada@example.com')
const literal = word.map((text) => JSON.stringify(text))
const comparator = fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le', 'EQ')
const textCondition = fc
  .tuple(
    fc.constantFrom('userName', 'name.familyName', 'externalId', 'emails', 'emails.type', `${ENTERPRISE_USER}:manager`),
    comparator,
    literal,
  )
  .map((parts) => parts.join(' '))
const condition = fc.oneof(
  textCondition,
  fc.constantFrom(
    'active eq true',
    'active ne "False"',
    'title pr',
    'emails pr',
    'title eq null',
    'name ne null',
    'meta.lastModified ge "2026-11-01T10:00:00Z"',
    'meta.lastModified lt "2026-11-01T12:00:00+01:00"',
  ),
)
/** Generates valid filters with up to five levels. */
const { filter: rightFilter } = fc.letrec<{ filter: string }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    condition,
    fc
      .tuple(fc.constantFrom('type', 'value'), comparator, literal)
      .map((parts) => `emails[${parts.join(' ')} and not (primary eq true)]`),
    fc
      .tuple(tie('filter'), fc.constantFrom('and', 'or', 'AND'), tie('filter'))
      .map(([a, op, b]) => `(${a}) ${op} ${b}`),
    tie('filter').map((one) => `not (${one})`),
  ),
}))

const piece = fc.constantFrom(
  ...'()[].:"\\'.split(''),
  ' ',
  ' and ',
  ' or ',
  'not ',
  ' eq ',
  ' pr',
  ' co ',
  'true',
  'null',
  '7',
  '-1.5',
  '"a"',
  'userName',
  'emails',
  'type',
  'value',
  'members',
  'active',
  '$ref',
  'meta.created',
  '__proto__',
  'constructor',
  ENTERPRISE_USER,
  ':manager',
  '\0',
  '\ud800',
)
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(piece, { maxLength: 30 }).map((parts) => parts.join('')),
)
const somePath = fc.oneof(
  anyText,
  fc.constantFrom(
    'userName',
    'active',
    'name',
    'name.givenName',
    'emails',
    'emails.value',
    'emails[type eq "work"]',
    'emails[type eq "work"].value',
    'emails[type eq "x" and primary eq true].value',
    'emails[not (type pr)].primary',
    'addresses[type eq "home"].locality',
    'id',
    'groups',
    'members',
    'members[value eq "a"]',
    'members[value eq "a" or value eq "b"]',
    'displayName',
    'externalId',
    'roles[primary eq "True"].value',
    ENTERPRISE_USER,
    `${ENTERPRISE_USER}:department`,
    `${ENTERPRISE_USER}:manager`,
    `${ENTERPRISE_USER}:manager.value`,
  ),
)
const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 'False', '', 'a', 'b', 7, [], {}),
    anyText,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(
        fc.constantFrom(
          'value',
          'type',
          'primary',
          'display',
          'givenName',
          'schemas',
          'VALUE',
          '$ref',
          'department',
          'manager',
        ),
        somePath,
      ),
      tie('value'),
      { maxKeys: 4 },
    ),
  ),
}))
const operation = fc.oneof(
  fc.record(
    {
      op: fc.constantFrom('add', 'replace', 'remove', 'Replace', 'Add', 'REMOVE', 'move'),
      path: fc.oneof(somePath, anyValue),
      value: anyValue,
    },
    { requiredKeys: ['op'] },
  ),
  anyValue,
)
/** Generates operations that are valid for a user, a group or both, so that not all are rejected. */
const rightOperation = fc.oneof(
  fc.record({
    op: fc.constantFrom('add', 'Replace'),
    path: fc.constantFrom('displayName', 'externalId', 'name.givenName', 'emails[type eq "work"].value'),
    value: fc.constantFrom('a', 'b', '', ' '),
  }),
  fc.record({
    op: fc.constantFrom('add', 'replace', 'remove'),
    path: fc.constantFrom('emails', 'members', 'roles'),
    value: fc.array(fc.record({ value: fc.constantFrom('a', 'A', 'b') }), { maxLength: 3 }),
  }),
  fc.record({
    op: fc.constant('replace'),
    value: fc.dictionary(somePath, fc.constantFrom('a', true, null), { maxKeys: 2 }),
  }),
)
const anyPatch = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .array(fc.oneof(rightOperation, operation), { minLength: 1, maxLength: 5 })
      .map((all) => patchOf(...all)),
  },
  { weight: 1, arbitrary: anyValue },
)
const kinds = fc.constantFrom<ResourceKind>('User', 'Group')

/** Returns the result; undefined for a SCIM error. Any other error is a defect. */
function accepted<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch (error) {
    if (error instanceof ScimError && error.status === 400 && error.scimType && error.detail.length > 0)
      return undefined
    throw error
  }
}

/** Whether anything in it is an empty value. */
const holdsNothing = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).length === 0 || Object.values(value).some(holdsNothing)
    : typeof value === 'string'
      ? value === ''
      : typeof value !== 'boolean'

/** Asserts the invariants of every resource. */
function expectSound(kind: ResourceKind, resource: ScimObject) {
  // Reading it again returns the same: its names are canonical, its values are valid, and none is empty.
  const { id, meta, ...rest } = resource
  expect(readResource(kind, rest)).toEqual(rest)
  expect(holdsNothing(resource)).toBe(false)
  expect(readProjection(kind).of(resource)).toEqual(resource)
}

describe('parseFilter and matches', () => {
  it('parses a serialized filter to the same tree, which matches the same resources', { timeout: TIMEOUT }, () => {
    fc.assert(
      fc.property(rightFilter, (source) => {
        fc.pre(source.length < 2_000)
        const filter = parseFilter('User', source)
        const again = parseFilter('User', printed(filter))
        expect(again).toEqual(filter)
        expect(matches(again, ada())).toBe(matches(filter, ada()))
        expect(matches(parseFilter('User', `not (${source})`), ada())).toBe(!matches(filter, ada()))
      }),
      { numRuns: RUNS },
    )
  })

  it('compares strings by operator, without case unless caseExact', () => {
    fc.assert(
      fc.property(fc.constantFrom('title', 'externalId'), comparator, word, word, (path, operator, left, right) => {
        const fold = (text: string) => (path === 'title' ? text.toLowerCase() : text)
        const [a, b] = [fold(left), fold(right)]
        const order = Buffer.compare(Buffer.from(a), Buffer.from(b))
        const meant: Record<string, boolean> = {
          eq: a === b,
          ne: a !== b,
          co: a.includes(b),
          sw: a.startsWith(b),
          ew: a.endsWith(b),
          gt: order > 0,
          ge: order >= 0,
          lt: order < 0,
          le: order <= 0,
        }
        const filter = parseFilter('User', `${path} ${operator} ${JSON.stringify(right)}`)
        expect(matches(filter, { [path]: left })).toBe(meant[operator.toLowerCase()])
      }),
      { numRuns: RUNS },
    )
  })
})

describe('the SCIM protocol with arbitrary input', () => {
  it('parses a filter with schema attributes or rejects it with invalidFilter', () => {
    const paths = (filter: Filter): string[] =>
      'filters' in filter
        ? filter.filters.flatMap(paths)
        : filter.op === 'not'
          ? paths(filter.filter)
          : [leafOf(filter.target).name, ...(filter.op === '[]' ? paths(filter.filter) : [])]
    fc.assert(
      fc.property(kinds, anyText, (kind, source) => {
        try {
          const filter = parseFilter(kind, source)
          expect(paths(filter).every((name) => /^[a-z$]\w*$/i.test(name))).toBe(true)
          matches(filter, ada())
        } catch (error) {
          if (!(error instanceof ScimError)) throw error
          expect(error.scimType).toBe('invalidFilter')
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('applies a user PATCH with a valid result or rejects it, without modifying arguments', () => {
    const user = frozen(ada())
    let done = 0
    fc.assert(
      fc.property(anyPatch, (body) => {
        const changed = accepted(() => applyUserPatch(user, frozen(body)))
        if (!changed) return
        done += 1
        expectSound('User', changed)
        expect({ id: changed.id, meta: changed.meta }).toEqual({ id: user.id, meta: user.meta })
      }),
      { numRuns: RUNS },
    )
    expect(done).toBeGreaterThan(RUNS / 50)
  })

  it('applies a group PATCH or rejects it, without modifying arguments', () => {
    const group = frozen(readResource('Group', { displayName: 'Poets', externalId: 'g-1' }))
    let done = 0
    fc.assert(
      fc.property(anyPatch, (body) => {
        const after = accepted(() => applyGroupPatch(group, frozen(body)))
        if (!after) return
        done += 1
        expectSound('Group', after.group)
        expect(after.group).not.toHaveProperty('members')
        if (after.members && 'add' in after.members) {
          const { add, remove } = after.members
          expect(remove.filter((id) => add.includes(id))).toEqual([])
        }
      }),
      { numRuns: RUNS },
    )
    expect(done).toBeGreaterThan(RUNS / 50)
  })

  it('reads a valid resource or rejects it, without modifying arguments', () => {
    const body = fc.oneof(
      anyValue,
      fc
        .tuple(fc.dictionary(somePath, anyValue, { maxKeys: 6 }), word)
        .map(([more, name]) => ({ ...more, userName: `u${name}`, displayName: `d${name}` })),
    )
    fc.assert(
      fc.property(kinds, body, (kind, sent) => {
        const resource = accepted(() => readResource(kind, frozen(sent)))
        if (resource) expectSound(kind, resource)
      }),
      { numRuns: RUNS },
    )
  })

  it('reads a list query or search body, or rejects it', () => {
    const names = fc.constantFrom(
      'filter',
      'startIndex',
      'count',
      'sortBy',
      'sortOrder',
      'attributes',
      'excludedAttributes',
    )
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest']
    const numbers = fc.constantFrom<unknown>('7', '-1', 3, 1e300, '1e5')
    fc.assert(
      fc.property(kinds, fc.dictionary(names, fc.oneof(anyText, anyValue, numbers), { maxKeys: 3 }), (kind, said) => {
        for (const read of [() => readListQuery(kind, said), () => readSearchRequest(kind, { ...said, schemas })]) {
          const query = accepted(read)
          if (!query) continue
          expect(query.count).toBeGreaterThanOrEqual(0)
          expect(query.count).toBeLessThanOrEqual(200)
          expect(query.startIndex).toBeGreaterThanOrEqual(1)
          expect(query.projection.of(ada())).toMatchObject({ id: 'u-ada' })
        }
      }),
      { numRuns: RUNS },
    )
  })
})

describe('applyGroupPatch with random member changes', () => {
  const ids = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 4 })
  const change = fc.tuple(fc.constantFrom('add', 'replace', 'remove', 'filter', 'all'), ids)
  it('results in the same members as the successive operations', () => {
    fc.assert(
      fc.property(ids, fc.array(change, { minLength: 1, maxLength: 8 }), (before, changes) => {
        const meant = new Set(before)
        const operations = changes.map(([what, list]) => {
          const value = list.map((id) => ({ value: id }))
          if (what === 'all' || what === 'replace') meant.clear()
          for (const id of what === 'all' ? [] : list)
            what === 'add' || what === 'replace' ? meant.add(id) : meant.delete(id)
          if (what === 'all') return { op: 'remove', path: 'members' }
          if (what !== 'filter') return { op: what, path: 'members', value }
          if (list.length === 0) return { op: 'replace', path: 'displayName', value: 'x' }
          return { op: 'Remove', path: `members[${list.map((id) => `value eq "${id}"`).join(' or ')}]` }
        })
        const { members } = applyGroupPatch(readResource('Group', { displayName: 'x' }), patchOf(...operations))
        const after = new Set(members && 'replace' in members ? members.replace : before)
        if (members && 'add' in members) {
          for (const id of members.remove) after.delete(id)
          for (const id of members.add) after.add(id)
        }
        expect([...after].sort()).toEqual([...meant].sort())
      }),
      { numRuns: RUNS },
    )
  })
})
