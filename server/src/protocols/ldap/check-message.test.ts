import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkMessage } from './check-message.js'

const tlv = (tag: number, ...parts: (Buffer | string)[]): Buffer => {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const length = content.length < 0x80 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}
const id = tlv(0x02, Buffer.from([5]))
const value = (text: string) => tlv(0x04, text)
const attribute = tlv(0x30, value('cn'), tlv(0x31, value('Ann'), value('Lee')))
const ENTRY = tlv(0x30, id, tlv(0x64, value('cn=ann'), tlv(0x30, attribute, attribute)))
const done = (...more: Buffer[]) => tlv(0x30, id, tlv(0x65, tlv(0x0a, Buffer.from([0])), value(''), value('')), ...more)
const page = (cookie: string) =>
  tlv(
    0xa0,
    tlv(0x30, value('1.2.840.113556.1.4.319'), tlv(0x04, tlv(0x30, tlv(0x02, Buffer.from([0])), value(cookie)))),
  )

describe('checkMessage', () => {
  it('accepts valid messages', () => {
    expect(checkMessage(ENTRY)).toEqual({ id: 5, operation: 0x64, cookie: undefined, diagnostic: undefined })
    expect(checkMessage(done())).toEqual({ id: 5, operation: 0x65, cookie: undefined, diagnostic: Buffer.alloc(0) })
    expect(checkMessage(done(page('next')))?.cookie?.toString()).toBe('next')
    expect(checkMessage(done(page('')))?.cookie).toHaveLength(0)
    expect(checkMessage(tlv(0x30, id, tlv(0x73, value('ldap://other/'))))?.operation).toBe(0x73)
  })

  // Each of these makes the library that parses it loop indefinitely or exhaust its memory.
  it.each([
    [
      'a value longer than its set',
      tlv(
        0x30,
        id,
        tlv(0x64, value('cn=a'), tlv(0x30, tlv(0x30, value('cn'), Buffer.from([0x31, 0x04, 0x04, 0x7f, 0x41, 0x41])))),
      ),
    ],
    [
      'an attribute that is not a sequence',
      tlv(0x30, id, tlv(0x64, value('cn=a'), tlv(0x30, tlv(0x04, value(''), Buffer.from([0x31, 0x7f, 0x04, 0x7f]))))),
    ],
    ['a reference longer than its list', tlv(0x30, id, tlv(0x73, Buffer.from([0x04, 0x7f, 0x41])))],
    ['a control longer than its list', done(tlv(0xa0, Buffer.from([0x30, 0x7f])))],
    ['an empty control', done(tlv(0xa0, Buffer.from([0x30, 0x00])))],
    [
      'a set of values of another type',
      tlv(0x30, id, tlv(0x64, value('cn=a'), tlv(0x30, tlv(0x30, value('cn'), tlv(0x31, id))))),
    ],
    ['a message ID of five bytes', tlv(0x30, tlv(0x02, Buffer.alloc(5)), tlv(0x65))],
    ['a request', tlv(0x30, id, tlv(0x63))],
    ['an indefinite length', Buffer.from([0x30, 0x80, 0x02, 0x01, 0x05, 0x00, 0x00])],
    ['an empty sequence', Buffer.from([0x30, 0x00])],
    ['trailing bytes', Buffer.concat([ENTRY, Buffer.from([0])])],
  ])('rejects %s', (_, bytes) => {
    expect(checkMessage(bytes)).toBeUndefined()
  })

  it('rejects every truncation of a message', () => {
    for (let length = 0; length < ENTRY.length; length++)
      expect(checkMessage(ENTRY.subarray(0, length))).toBeUndefined()
  })

  it('terminates for arbitrary bytes', () => {
    const runs = { numRuns: Number(process.env.KEYWARD_FUZZ_RUNS ?? 2_000) }
    fc.assert(
      fc.property(fc.nat(ENTRY.length - 1), fc.nat(255), fc.uint8Array({ maxLength: 60 }), (at, byte, random) => {
        const changed = Buffer.from(ENTRY)
        changed[at] = byte
        checkMessage(changed)
        checkMessage(Buffer.from(random))
      }),
      runs,
    )
  })
})
