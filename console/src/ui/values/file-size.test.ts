import { describe, expect, it } from 'vitest'
import { fileSize } from './file-size'

describe('fileSize', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1_000, '1 kB'],
    [734_400, '734 kB'],
    [8_123_456, '8.1 MB'],
    [16_000_000, '16 MB'],
    [4_200_000_000_000, '4,200 GB'],
  ])('formats %d bytes as %s', (bytes, text) => {
    expect(fileSize(bytes)).toBe(text)
  })
})
