import { describe, expect, it } from 'vitest'
import { textOf } from './csv-file'

const file = (bytes: BlobPart) => new File([bytes], 'users.csv')

describe('textOf', () => {
  it('returns UTF-8 without its byte order mark', async () => {
    expect(await textOf(file('\uFEFFemail\r\nåse@example.com'))).toBe('email\r\nåse@example.com')
  })

  it('rejects other encodings, whose letters would be imported wrongly', async () => {
    await expect(textOf(file(new Uint8Array([0x65, 0xe5, 0x2c])))).rejects.toThrow('not in UTF-8')
  })

  it('rejects a file that the service would reject for its size', async () => {
    await expect(textOf(file('x'.repeat(1024 * 1024 + 1)))).rejects.toThrow('larger than 1 MiB')
  })
})
