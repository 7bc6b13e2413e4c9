import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Reader, type Response } from 'maxmind'
import { ConfigError } from '../config/config.js'
import { isCountryCode } from './country-codes.js'

/** Which countries addresses belong to, by a database of the form MMDB (MaxMind DB 2.0), which lies in memory. */
export interface Countries {
  /**
   * ISO 3166-1 alpha-2, in upper case. Undefined for what the database does not know, and for every address that is no public one,
   * whatever the database says: databases put private networks anywhere.
   */
  countryOf(ip: string | null): string | undefined
  /** When the database was made: countries of addresses change by a few in a hundred a year. */
  builtAt: Date
}

const require = createRequire(import.meta.url)
/** 8 MB; CC0. */
const shippedDatabase = (): string =>
  require.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb')

/**
 * @param path of an MMDB file that knows countries; undefined = the one shipped
 * @throws ConfigError where it cannot be read or is none
 */
export async function openCountries(path: string | undefined): Promise<Countries> {
  const wrong = (why: string) => new ConfigError([`GEOIP_DB${path === undefined ? '' : `=${path}`} ${why}`])
  const reader = await (path === undefined ? shippedReader() : readDatabase(path)).catch(
    (error: NodeJS.ErrnoException) => {
      throw wrong(`cannot be read (${error.code})`)
    },
  )
  if (!reader) throw wrong('is no MMDB database')
  return {
    builtAt: reader.metadata.buildEpoch,
    countryOf(ip) {
      const address = publicAddress(ip)
      return address && countryIn(recordOf(reader, address))
    },
  }
}

let shipped: ReturnType<typeof readDatabase> | undefined

/** The database that is shipped never changes: apps of one process share it. */
function shippedReader(): ReturnType<typeof readDatabase> {
  shipped ??= readDatabase(shippedDatabase())
  return shipped
}

const readDatabase = async (file: string): Promise<Reader<Response> | undefined> => readerOf(await readFile(file))

function readerOf(bytes: Buffer): Reader<Response> | undefined {
  try {
    const reader = new Reader<Response>(bytes)
    // The first look-up meets what is wrong with a file that was cut.
    reader.get('0.0.0.0')
    return reader
  } catch {
    return undefined
  }
}

/** As it is looked up: IPv4 mapped into IPv6 as IPv4. */
function publicAddress(ip: string | null): string | undefined {
  // `ipaddr.js` alone also reads what the C library did, such as 1.2.3.
  if (!ip || !isIP(ip)) return undefined
  const address = ipaddr.process(ip)
  return address.range() === 'unicast' ? address.toString() : undefined
}

/** A sign-in does not fail because of a database that is damaged somewhere. */
function recordOf(reader: Reader<Response>, address: string): unknown {
  if (isIP(address) === 6 && reader.metadata.ipVersion === 4) return undefined
  try {
    return reader.get(address)
  } catch {
    return undefined
  }
}

/**
 * Where an address is: MaxMind and those who follow it, then ip-location-db, IPinfo, and at last where its network is registered. Only
 * what is a country now: databases also say EU, AP or AN.
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
