/** The CBOR types that an authenticator uses. */
export type Cbor = number | string | Buffer | readonly Cbor[] | ReadonlyMap<number | string, Cbor>

/** Encodes the initial byte of an item and its argument (RFC 8949 3), which must be less than 65,536. */
function head(major: number, argument: number): Buffer {
  const type = major << 5
  if (argument < 24) return Buffer.from([type | argument])
  if (argument < 256) return Buffer.from([type | 24, argument])
  return Buffer.from([type | 25, argument >> 8, argument & 0xff])
}

/** Encodes integers, strings, bytes, arrays and maps as CBOR (RFC 8949). The keys of a map keep their order. */
export function encodeCbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(encodeCbor)])
  const entries = [...(value as ReadonlyMap<number | string, Cbor>)].flatMap(([key, item]) => [
    encodeCbor(key),
    encodeCbor(item),
  ])
  return Buffer.concat([head(5, entries.length / 2), ...entries])
}
