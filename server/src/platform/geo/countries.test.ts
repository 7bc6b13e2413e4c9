import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PUBLIC_ADDRESSES } from '../../../test/factories/public-addresses.js'
import { mmdbOf } from '../../../test/factories/write-mmdb.js'
import { startService } from '../../../test/harness/service.js'
import { type Countries, openCountries } from './countries.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyward-geo-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function fileOf(bytes: Buffer | string): Promise<string> {
  const path = join(folder, 'some.mmdb')
  await writeFile(path, bytes)
  return path
}

describe('the bundled country database', () => {
  let countries: Countries
  beforeAll(async () => {
    countries = await openCountries(undefined)
  })

  it.each(Object.entries(PUBLIC_ADDRESSES).flatMap(([country, addresses]) => addresses.map((ip) => [ip, country])))(
    'knows where %s is',
    (ip, country) => {
      expect(countries.countryOf(ip)).toBe(country)
    },
  )

  it('looks up IPv4-mapped IPv6 addresses as IPv4', () => {
    expect(countries.countryOf(`::ffff:${PUBLIC_ADDRESSES.NL[0]}`)).toBe('NL')
    expect(countries.countryOf('::ffff:10.0.0.1')).toBeUndefined()
  })

  it.each([
    ['private', ['10.0.0.1', '172.16.0.1', '192.168.1.1', 'fd00::1']],
    ['of this machine or link', ['127.0.0.1', '::1', '169.254.1.1', 'fe80::1', '0.0.0.0', '::']],
    ['shared behind carriers', ['100.64.0.1']],
    ['for documentation', ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1']],
    ['none', ['', 'nowhere', '1.2.3', '8.8.8.8, 1.1.1.1']],
  ])('returns no country for addresses that are %s', (_, addresses) => {
    for (const ip of addresses) expect(countries.countryOf(ip), ip).toBeUndefined()
    expect(countries.countryOf(null)).toBeUndefined()
  })

  it('contains its build date', () => {
    expect(countries.builtAt.getUTCFullYear()).toBeGreaterThanOrEqual(2026)
  })
})

describe('a database of another vendor', () => {
  const countryBy = async (record: Parameters<typeof mmdbOf>[0], ip = '18.9.22.69') =>
    (await openCountries(await fileOf(mmdbOf(record)))).countryOf(ip)

  it.each<[vendor: string, record: Parameters<typeof mmdbOf>[0]]>([
    [
      'by where the address is, before where it is registered',
      { country: { iso_code: 'PT' }, registered_country: { iso_code: 'US' } },
    ],
    ['by where it is registered, where nothing else is known', { registered_country: { iso_code: 'PT' } }],
    ['by a code of its own field', { country_code: 'pt' }],
    ['by a code beside other things', { country: 'PT', continent: 'EU' }],
  ])('supports %s', async (_, record) => {
    expect(await countryBy(record)).toBe('PT')
  })

  it('returns no country if the value is not a country code', async () => {
    expect(await countryBy({ autonomous_system_number: 3 })).toBeUndefined()
    for (const code of ['Portugal', 'EU', 'AN', 'ZZ', ''])
      expect(await countryBy({ country_code: code })).toBeUndefined()
  })

  it('returns no country for IPv6 addresses if it only contains IPv4', async () => {
    expect(await countryBy({ country_code: 'PT' }, PUBLIC_ADDRESSES.NL[1])).toBeUndefined()
  })
})

describe('an invalid GEOIP_DB fails with the name of the setting', () => {
  it.each([
    ['a file that is not there', async () => join(folder, 'none.mmdb'), 'cannot be read (ENOENT)'],
    ['a folder', async () => folder, 'cannot be read (EISDIR)'],
    ['another file', () => fileOf('not a database'), 'is no MMDB database'],
    ['an empty file', () => fileOf(''), 'is no MMDB database'],
    [
      'a database that was cut in front',
      async () => fileOf((await shipped()).subarray(-100_000)),
      'is no MMDB database',
    ],
    [
      'a database that was cut at the end',
      async () => fileOf((await shipped()).subarray(0, 100_000)),
      'is no MMDB database',
    ],
  ])('fails with the name of the setting: %s', async (_, path, why) => {
    const file = await path()
    await expect(openCountries(file)).rejects.toThrow(`GEOIP_DB=${file} ${why}`)
  })

  it('stops the start of the service', async () => {
    const GEOIP_DB = join(folder, 'none.mmdb')
    await expect(startService({ env: { GEOIP_DB }, nodes: 1 })).rejects.toThrow(`GEOIP_DB=${GEOIP_DB} cannot be read`)
  })

  const shipped = () =>
    readFile(
      createRequire(import.meta.url).resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'),
    )
})

it('exports the build date of the GEOIP_DB database as a metric', async () => {
  const service = await startService({ env: { GEOIP_DB: await fileOf(mmdbOf({})) } })
  const { text } = await service.api('GET', '/metrics')
  await service.close()
  expect(text).toContain('keyward_geoip_database_timestamp_seconds 1767225600')
})
