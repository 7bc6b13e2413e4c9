import { isIP } from 'node:net'

/** An IP address as 32-bit words: one for IPv4, four for IPv6. IPv4-mapped IPv6 addresses (RFC 4291 2.5.5.2) are IPv4. */
export type Address = readonly number[]

/** Returns undefined for a malformed address. A zone (`%eth0`) is ignored: it is not part of the address. */
export function parseAddress(text: string): Address | undefined {
  const plain = text.split('%', 1)[0] ?? ''
  const family = isIP(plain)
  if (family === 4) return [wordOfV4(plain)]
  if (family === 6) return unmapped(wordsOfV6(plain))
  return undefined
}

const wordOfV4 = (text: string): number => text.split('.').reduce((word, byte) => (word << 8) | Number(byte), 0) >>> 0

/** @param text an IPv6 address according to `isIP` */
function wordsOfV6(text: string): number[] {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text)
  const v4 = dotted ? wordOfV4(dotted[2] ?? '') : 0
  const plain = dotted ? `${dotted[1]}${(v4 >>> 16).toString(16)}:${(v4 & 0xffff).toString(16)}` : text
  const [head = '', tail] = plain.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const before = groups(head)
  const after = groups(tail ?? '')
  const all = [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after]
  return [0, 2, 4, 6].map((at) => (((all[at] ?? 0) << 16) | (all[at + 1] ?? 0)) >>> 0)
}

const isMapped = ([a, b, c]: number[]): boolean => a === 0 && b === 0 && c === 0xffff
const unmapped = (words: number[]): number[] => (isMapped(words) ? words.slice(3) : words)

/** The addresses with the same prefix as `base`. */
export interface AddressRange {
  base: Address
  masks: readonly number[]
}

const PREFIX = /^(0|[1-9]\d{0,2})$/

/** Parses an address or a CIDR block (RFC 4632), ignoring bits after the prefix. Returns undefined for any other string. */
export function parseRange(text: string): AddressRange | undefined {
  const [address = '', length, ...rest] = text.split('/')
  if (rest.length > 0 || address.includes('%')) return undefined
  const words = parseAddress(address)
  if (!words) return undefined
  // The first 96 bits of a mapped block are those of the mapping; with a shorter prefix it is an IPv6 block.
  const mapped = words.length === 1 && address.includes(':')
  const bits = mapped ? 128 : words.length * 32
  if (length === undefined) return rangeOf(words, words.length * 32)
  const prefix = Number(length)
  if (!PREFIX.test(length) || prefix > bits) return undefined
  if (!mapped) return rangeOf(words, prefix)
  return prefix >= 96 ? rangeOf(words, prefix - 96) : rangeOf([0, 0, 0xffff, words[0] ?? 0], prefix)
}

function rangeOf(words: readonly number[], prefix: number): AddressRange {
  const masks = (words.length === 1 ? MASKS_V4 : MASKS_V6)[prefix] ?? []
  return { base: words.map((word, index) => (word & (masks[index] ?? 0)) >>> 0), masks }
}

/** Masks by prefix length. Shared, because a team may have a million ranges. */
const MASKS_V4 = Array.from({ length: 33 }, (_, prefix) => masksOf(1, prefix))
const MASKS_V6 = Array.from({ length: 129 }, (_, prefix) => masksOf(4, prefix))

function masksOf(words: number, prefix: number): number[] {
  return Array.from({ length: words }, (_, index) => {
    const own = Math.min(Math.max(prefix - 32 * index, 0), 32)
    return own === 0 ? 0 : (0xffffffff << (32 - own)) >>> 0
  })
}

/** An IPv6 block contains no IPv4 address, not even `::/0`. */
export function inRange(address: Address, { base, masks }: AddressRange): boolean {
  if (address.length !== base.length) return false
  for (let index = 0; index < base.length; index++)
    if (((address[index] ?? 0) & (masks[index] ?? 0)) >>> 0 !== base[index]) return false
  return true
}
