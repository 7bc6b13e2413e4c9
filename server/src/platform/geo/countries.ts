import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Reader, type Response } from 'maxmind'
import { ConfigError } from '../config/config.js'
import { isCountryCode } from './country-codes.js'

/** Looks up the countries of IP addresses in an MMDB database (MaxMind DB 2.0), which is loaded into memory. */
export interface Countries {
  /**
   * Returns the ISO 3166-1 alpha-2 code in upper case; undefined if the database has none, and for addresses that are not public,
   * for which databases contain arbitrary countries.
   */
  countryOf(ip: string | null): string | undefined
  /** Build date of the database. A few percent of addresses change their country each year. */
  builtAt: Date
}

const require = createRequire(import.meta.url)
/** 8 MB; CC0. */
const bundledDatabase = (): string =>
  require.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb')

/**
 * @param path an MMDB file with countries; default: the bundled one
 * @throws ConfigError if the file cannot be read or is no MMDB database
 */
export async function openCountries(path: string | undefined): Promise<Countries> {
  const invalid = (why: string) => new ConfigError([`GEOIP_DB${path === undefined ? '' : `=${path}`} ${why}`])
  const reader = await (path === undefined ? bundledReader() : readDatabase(path)).catch(
    (error: NodeJS.ErrnoException) => {
      throw invalid(`cannot be read (${error.code})`)
    },
  )
  if (!reader) throw invalid('is no MMDB database')
  return {
    builtAt: reader.metadata.buildEpoch,
    countryOf(ip) {
      const address = publicAddress(ip)
      return address && countryIn(recordOf(reader, address))
    },
  }
}

let bundled: ReturnType<typeof readDatabase> | undefined

/** The bundled database never changes, so the apps of a process share it. */
function bundledReader(): ReturnType<typeof readDatabase> {
  bundled ??= readDatabase(bundledDatabase())
  return bundled
}

const readDatabase = async (file: string): Promise<Reader<Response> | undefined> => readerOf(await readFile(file))

function readerOf(bytes: Buffer): Reader<Response> | undefined {
  try {
    const reader = new Reader<Response>(bytes)
    // The first lookup fails if the file is truncated.
    reader.get('0.0.0.0')
    return reader
  } catch {
    return undefined
  }
}

/** Returns a public address in the form of the database: IPv4-mapped IPv6 as IPv4. */
function publicAddress(ip: string | null): string | undefined {
  // `ipaddr.js` also accepts legacy notations, such as 1.2.3.
  if (!ip || !isIP(ip)) return undefined
  const address = ipaddr.process(ip)
  return address.range() === 'unicast' ? address.toString() : undefined
}

/** Returns the record of an address. A damaged database must not fail a sign-in. */
function recordOf(reader: Reader<Response>, address: string): unknown {
  if (isIP(address) === 6 && reader.metadata.ipVersion === 4) return undefined
  try {
    return reader.get(address)
  } catch {
    return undefined
  }
}

/**
 * Returns the country of a record in the formats of MaxMind, ip-location-db and IPinfo, else the country where the network is
 * registered. Ignores values that are no current country, such as EU, AP or AN.
 */
function countryIn(record: unknown): string | undefined {
  const country = field(record, 'country')
  const candidates = [
    field(country, 'iso_code'),
    field(record, 'country_code'),
    country,
    field(field(record, 'registered_country'), 'iso_code'),
  ]
  return candidates.find(isCountryCode)?.toUpperCase()
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
