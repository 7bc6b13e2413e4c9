type Value = number | string | { [key: string]: Value }

/** The first byte of a field and the size it carries (MaxMind DB 2.0, "Output data section"); less than 285 here. */
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

/** A database in which every IPv4 address has the same record; a tree of one node, which leads to it on both sides. */
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
