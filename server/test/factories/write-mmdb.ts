type Value = number | string | { [key: string]: Value }

/** Encodes the type and size of a field (MaxMind DB 2.0, "Output data section"). The size must be less than 285. */
function control(type: number, size: number): Buffer {
  const [own, more] = size < 29 ? [size, []] : [29, [size - 29]]
  return type > 7 ? Buffer.from([own, type - 7, ...more]) : Buffer.from([(type << 5) | own, ...more])
}

function encode(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([control(2, Buffer.byteLength(value)), Buffer.from(value)])
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([control(6, 4), bytes])
  }
  const fields = Object.entries(value).flatMap(([key, item]) => [encode(key), encode(item)])
  return Buffer.concat([control(7, Object.keys(value).length), ...fields])
}

/** Builds a database with the same record for every IPv4 address: the search tree has one node, both sides of which point to it. */
export function mmdbOf(record: { [key: string]: Value }): Buffer {
  const toRecord = [0, 0, 1 + 16]
  const metadata = {
    node_count: 1,
    record_size: 24,
    ip_version: 4,
    database_type: 'Test',
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_767_225_600,
  }
  return Buffer.concat([
    Buffer.from([...toRecord, ...toRecord]),
    Buffer.alloc(16),
    encode(record),
    Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'),
    encode(metadata),
  ])
}
