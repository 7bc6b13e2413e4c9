import { describe, expect, it } from 'vitest'
import { compileConditions, conditionErrors } from './conditions.js'
import { type Context, ContextReader, contextErrors } from './context.js'

function holds(conditions: Record<string, unknown>, context: Context): boolean {
  expect(conditionErrors(conditions, '')).toEqual([])
  const reader = new ContextReader(context)
  return compileConditions(conditions, false).every((condition) => condition.holds(reader))
}

const validationErrorsOf = (conditions: Record<string, unknown>) =>
  conditionErrors(conditions, '/conditions').map(({ path }) => path)

describe('the condition ipRange', () => {
  it.each([
    ['10.0.0.0/8', '10.255.255.255'],
    ['10.1.2.3/8', '10.9.9.9'],
    ['192.0.2.1', '192.0.2.1'],
    ['0.0.0.0/0', '255.255.255.255'],
    ['192.0.2.128/25', '192.0.2.128'],
    ['192.0.2.4/31', '192.0.2.5'],
    ['10.0.0.0/8', '::ffff:10.1.2.3'],
    ['10.0.0.0/8', '::FFFF:a01:203'],
    ['::ffff:10.0.0.0/104', '10.1.2.3'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8::/32', '2001:db8:ffff::1'],
    ['2001:db8::/33', '2001:db8:7fff::1'],
    ['2001:db8::1', '2001:0DB8:0:0:0:0:0:1'],
    ['fe80::/10', 'fe80::1%eth0'],
    ['::/0', '::1'],
    ['::ffff:0:0/95', '::fffe:1:2'],
  ])('includes in %s the address %s', (range, ipAddress) => {
    expect(holds({ ipRange: range }, { ipAddress })).toBe(true)
    expect(holds({ ipRange: ['203.0.113.9', range] }, { ipAddress })).toBe(true)
  })

  it.each([
    ['10.0.0.0/8', '11.0.0.0'],
    ['192.0.2.128/25', '192.0.2.127'],
    ['192.0.2.4/31', '192.0.2.6'],
    ['2001:db8::/33', '2001:db8:8000::1'],
    ['2001:db8::/32', '2001:db9::'],
    ['::/0', '10.0.0.1'],
    ['::/0', '::ffff:10.0.0.1'],
    ['0.0.0.0/0', '::1'],
    ['0.0.0.0/0', undefined],
    ['0.0.0.0/0', null],
  ])('excludes from %s the address %s', (range, ipAddress) => {
    expect(holds({ ipRange: range }, { ipAddress })).toBe(false)
  })

  it.each([
    '10.0.0.0/33',
    '2001:db8::/129',
    '10.0.0',
    '10.0.0.256',
    '010.0.0.1',
    '10.0.0.0/',
    '10.0.0.0/08',
    '/8',
    '',
    'host',
    '10.0.0.0/8/8',
    'fe80::1%eth0',
    '0x7f.1',
    7,
    null,
    {},
    [],
    [[]],
    ['10.0.0.1', 'x'],
  ])('rejects %j', (ipRange) => {
    const [path] = validationErrorsOf({ ipRange })
    expect(path).toMatch(/^\/conditions\/ipRange(\/\d)?$/)
  })
})

describe('the condition geoLocations', () => {
  it('matches the country in any case, and its subdivisions', () => {
    expect(holds({ geoLocations: 'DE' }, { geoLocation: 'de' })).toBe(true)
    expect(holds({ geoLocations: ['fr', 'us'] }, { geoLocation: 'US-CA' })).toBe(true)
    expect(holds({ geoLocations: ['DE', 'FR'] }, { geoLocation: 'US' })).toBe(false)
    expect(holds({ geoLocations: 'DE' }, { geoLocation: 'Germany' })).toBe(false)
    expect(holds({ geoLocations: 'DE' }, {})).toBe(false)
  })

  it.each(['UK', 'Germany', 'D', '', 'XX', 7, null, [], ['DE', 'EN']])('rejects %j', (geoLocations) => {
    expect(validationErrorsOf({ geoLocations })).toHaveLength(1)
  })
})

describe('the condition timeWindow', () => {
  const at = (timestamp: string, window: object) => holds({ timeWindow: window }, { timestamp })
  const office = { start: '09:00', end: '17:00' }

  it('includes its start and excludes its end', () => {
    expect(at('2026-03-02T08:59:59.999Z', office)).toBe(false)
    expect(at('2026-03-02T09:00:00Z', office)).toBe(true)
    expect(at('2026-03-02T16:59:59.999Z', office)).toBe(true)
    expect(at('2026-03-02T17:00:00Z', office)).toBe(false)
    expect(at('2026-03-02T23:59:59.999Z', { start: '00:00', end: '24:00' })).toBe(true)
    expect(holds({ timeWindow: office }, {})).toBe(false)
  })

  it('reads a timestamp with its offset, and as UTC without one', () => {
    expect(at('2026-03-02T10:30:00+02:00', office)).toBe(false)
    expect(at('2026-03-02T10:30:00+0100', office)).toBe(true)
    expect(at('2026-03-02T09:30', office)).toBe(true)
  })

  it.each([['MON'], ['mon'], ['Monday'], [1], ['SUN', 1]])('accepts Monday as %j', (...days) => {
    expect(at('2026-03-02T10:00:00Z', { ...office, days })).toBe(true)
    expect(at('2026-03-03T10:00:00Z', { ...office, days })).toBe(false)
  })

  it.each([0, 7, 'SUN', 'sunday'])('accepts Sunday as %j', (day) => {
    expect(at('2026-03-01T10:00:00Z', { ...office, days: [day] })).toBe(true)
    expect(at('2026-03-02T10:00:00Z', { ...office, days: [day] })).toBe(false)
  })

  it('belongs as a whole to the day on which it starts if it spans midnight', () => {
    const night = { start: '22:00', end: '06:00', days: ['FRI'] }
    expect(at('2026-03-06T21:59:00Z', night)).toBe(false)
    expect(at('2026-03-06T22:00:00Z', night)).toBe(true)
    expect(at('2026-03-07T05:59:59Z', night)).toBe(true)
    expect(at('2026-03-07T06:00:00Z', night)).toBe(false)
    // Friday before six belongs to the window of Thursday.
    expect(at('2026-03-06T03:00:00Z', night)).toBe(false)
    expect(at('2026-03-07T22:30:00Z', night)).toBe(false)
  })

  it('follows local time across clock changes', () => {
    const berlin = { ...office, timezone: 'Europe/Berlin' }
    // 29 March 2026: change from UTC+1 to UTC+2.
    expect(at('2026-03-28T08:00:00Z', berlin)).toBe(true)
    expect(at('2026-03-28T07:59:00Z', berlin)).toBe(false)
    expect(at('2026-03-29T07:00:00Z', berlin)).toBe(true)
    expect(at('2026-03-29T06:59:00Z', berlin)).toBe(false)
    expect(at('2026-03-29T15:00:00Z', berlin)).toBe(false)
    // 25 October 2026: change back.
    expect(at('2026-10-25T07:59:00Z', berlin)).toBe(false)
    expect(at('2026-10-25T08:00:00Z', berlin)).toBe(true)
  })

  it('matches no time within the skipped hour, and both times of the repeated one', () => {
    const small = { start: '02:00', end: '03:00', timezone: 'Europe/Berlin' }
    for (const minute of ['00:30', '00:59', '01:00', '01:30']) expect(at(`2026-03-29T${minute}Z`, small)).toBe(false)
    for (const minute of ['00:00', '00:59', '01:00', '01:59']) expect(at(`2026-10-25T${minute}Z`, small)).toBe(true)
    for (const minute of ['23:59', '02:00']) expect(at(`2026-10-25T${minute}Z`, small)).toBe(false)
  })

  it('uses the day of its zone', () => {
    const auckland = { start: '00:00', end: '24:00', days: ['TUE'], timezone: 'pacific/auckland' }
    expect(at('2026-03-02T12:00:00Z', auckland)).toBe(true)
    expect(at('2026-03-02T10:00:00Z', auckland)).toBe(false)
    expect(at('2026-03-02T18:29:00Z', { start: '00:00', end: '00:01', timezone: 'Asia/Kolkata' })).toBe(false)
    expect(at('2026-03-02T18:30:00Z', { start: '00:00', end: '00:01', timezone: 'Asia/Kolkata' })).toBe(true)
  })

  it.each([
    [null, ['']],
    ['09:00-17:00', ['']],
    [[], ['']],
    [{}, ['/start', '/end']],
    [{ start: '9:00', end: '17:00' }, ['/start']],
    [{ start: '24:00', end: '17:00' }, ['/start']],
    [{ start: '09:00', end: '17:60' }, ['/end']],
    [{ start: '09:00', end: '09:00' }, ['/end']],
    [{ ...office, days: [] }, ['/days']],
    [{ ...office, days: ['FUNDAY'] }, ['/days']],
    [{ ...office, days: [8] }, ['/days']],
    [{ ...office, days: [1.5] }, ['/days']],
    [{ ...office, days: 'MON' }, ['/days']],
    [{ ...office, timezone: 'Mars/Olympus' }, ['/timezone']],
    [{ ...office, timezone: '+02:00' }, ['/timezone']],
    [{ ...office, timezone: '' }, ['/timezone']],
    [{ ...office, timezone: null }, ['/timezone']],
  ])('rejects %j', (timeWindow, paths) => {
    expect(validationErrorsOf({ timeWindow })).toEqual(paths.map((path) => `/conditions/timeWindow${path}`))
  })
})

describe('a custom condition', () => {
  it('matches an equal value of the same type', () => {
    expect(holds({ department: 'sales' }, { department: 'sales' })).toBe(true)
    expect(holds({ department: 'sales' }, { department: 'Sales' })).toBe(false)
    expect(holds({ level: 3 }, { level: 3 })).toBe(true)
    expect(holds({ level: 3 }, { level: '3' })).toBe(false)
    expect(holds({ managed: true }, { managed: true })).toBe(true)
    expect(holds({ managed: true }, { managed: 1 })).toBe(false)
    expect(holds({ ticket: null }, { ticket: null })).toBe(true)
    expect(holds({ ticket: null }, {})).toBe(false)
    expect(holds({ userAgent: 'curl/8' }, { userAgent: 'curl/8' })).toBe(true)
  })

  it('matches one of a list, and a list that contains one of it', () => {
    expect(holds({ department: ['sales', 'it'] }, { department: 'it' })).toBe(true)
    expect(holds({ department: ['sales', 'it'] }, { department: 'hr' })).toBe(false)
    expect(holds({ groups: ['admins', 'ops'] }, { groups: ['staff', 'ops'] })).toBe(true)
    expect(holds({ groups: 'admins' }, { groups: ['staff', 'ops'] })).toBe(false)
    expect(holds({ groups: 'admins' }, { groups: [] })).toBe(false)
    expect(holds({ groups: 'admins' }, { groups: { admins: true } })).toBe(false)
  })

  it.each([{}, [], [{}], [['x']], 'x'.repeat(501), Array.from({ length: 101 }, (_, i) => i)])(
    'rejects a value that cannot be compared',
    (value) => {
      expect(validationErrorsOf({ 'a/b~c': value })[0]).toMatch(/^\/conditions\/a~1b~0c/)
    },
  )

  it('reports a list with too many values once, not value by value', () => {
    for (const key of ['ipRange', 'geoLocations', 'own'])
      expect(validationErrorsOf({ [key]: Array.from({ length: 101 }, () => ({})) })).toEqual([`/conditions/${key}`])
  })

  it('accepts at most fifty keys of at most 100 characters', () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]))
    expect(validationErrorsOf(many(50))).toEqual([])
    expect(validationErrorsOf(many(51))).toEqual(['/conditions'])
    expect(validationErrorsOf({ ['k'.repeat(101)]: 1 })).toEqual(['/conditions'])
  })
})

describe('contextErrors', () => {
  it('accepts an empty context and null values', () => {
    expect(contextErrors({})).toEqual([])
    expect(contextErrors({ ipAddress: null, userAgent: null, geoLocation: null, timestamp: null, own: {} })).toEqual([])
  })

  it.each([
    ['ipAddress', 'localhost'],
    ['ipAddress', 7],
    ['userAgent', {}],
    ['geoLocation', ['DE']],
    ['timestamp', 1_700_000_000],
    ['timestamp', 'yesterday'],
    ['timestamp', '2026-02-30T10:00:00Z'],
    ['timestamp', '2026-02-01T25:00:00Z'],
  ])('rejects %s %j', (key, value) => {
    expect(contextErrors({ [key]: value }).map(({ path }) => path)).toEqual([`/${key}`])
  })
})
