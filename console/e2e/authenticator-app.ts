import { createHmac } from 'node:crypto'

const stepSeconds = 30

function base32(text: string) {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...text.replace(/[\s=]/g, '').toUpperCase()]
    .map((character) => alphabet.indexOf(character).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** RFC 6238 with the defaults that all apps have: SHA-1, six digits, 30 seconds. */
function codeOf(key: Buffer, step: number) {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** An authenticator app that holds one key. */
export interface AuthenticatorApp {
  /** the code to type now; another one each time, as the service takes none twice */
  code(): Promise<string>
  /** six digits that are not the code of any moment near */
  wrongCode(): string
}

export function authenticatorApp(secret: string): AuthenticatorApp {
  const key = base32(secret)
  const now = () => Math.floor(Date.now() / 1000 / stepSeconds)
  let last = 0
  return {
    async code() {
      last = Math.max(now(), last + 1)
      // The service takes the code of the next half minute, too, for clocks that are fast.
      while (last > now() + 1) await new Promise((resolve) => setTimeout(resolve, 500))
      return codeOf(key, last)
    },
    wrongCode() {
      const near = [-2, -1, 0, 1, 2, 3].map((away) => codeOf(key, now() + away))
      return ['000000', '111111', '222222', '333333', '444444', '555555', '666666'].find(
        (code) => !near.includes(code),
      ) as string
    },
  }
}
