import { describe, expect, it } from 'vitest'
import { queryMessage, SYNC_MESSAGE, WireFrames } from './wire-frames.js'

const startup = Buffer.from([0, 0, 0, 9, 0, 3, 0, 0, 0])
const parse = Buffer.from([0x50, 0, 0, 0, 8, 0, 0x31, 0, 0]) // Parse, with a body that is not looked into
const opened = () => {
  const frames = new WireFrames()
  frames.push(startup)
  frames.next()
  return frames
}

describe('WireFrames', () => {
  it('returns encryption requests before the startup message, which can arrive in pieces', () => {
    const frames = new WireFrames()
    frames.push(Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]))
    expect(frames.next()).toEqual({ kind: 'encryption' })
    frames.push(startup.subarray(0, 5))
    expect(frames.next()).toBeUndefined()
    frames.push(startup.subarray(5))
    expect(frames.next()).toEqual({ kind: 'startup', bytes: new Uint8Array(startup) })
  })

  it('returns an extended query as one unit with its Sync, for any split of the bytes', () => {
    const all = Buffer.concat([parse, parse, SYNC_MESSAGE, queryMessage('SELECT 1')])
    for (let split = 1; split < all.length; split++) {
      const frames = opened()
      const turns: Uint8Array[] = []
      for (const piece of [all.subarray(0, split), all.subarray(split)]) {
        frames.push(piece)
        for (let turn = frames.next(); turn; turn = frames.next()) if (turn.kind === 'messages') turns.push(turn.bytes)
      }
      expect(turns).toEqual([new Uint8Array(Buffer.concat([parse, parse, SYNC_MESSAGE])), queryMessage('SELECT 1')])
    }
  })

  it('rejects impossible lengths', () => {
    const frames = opened()
    frames.push(Buffer.from([0x51, 0xff, 0xff, 0xff, 0xff]))
    expect(frames.next()).toEqual({ kind: 'malformed' })
    const other = new WireFrames()
    other.push(Buffer.from('GET / HTTP/1.1\r\n'))
    expect(other.next()).toEqual({ kind: 'malformed' })
  })

  it('ends at Terminate and drops earlier messages without a Sync', () => {
    const frames = opened()
    frames.push(Buffer.concat([parse, Buffer.from([0x58, 0, 0, 0, 4])]))
    expect(frames.next()).toEqual({ kind: 'terminate' })
  })
})
