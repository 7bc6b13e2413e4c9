import { createHmac } from 'node:crypto'

const stepSeconds = 30
/** Time for which a code remains valid after it is returned. */
const typingSeconds = 15

function base32(text: string) {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...text.replace(/[\s=]/g, '').toUpperCase()]
    .map((character) => alphabet.indexOf(character).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** RFC 6238 with the usual defaults: SHA-1, six digits, 30 seconds. */
function codeOf(key: Buffer, step: number) {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** An authenticator app that holds one key. */
export interface AuthenticatorApp {
  /**
   * Returns a code to type now; a new one each time, because the service accepts each code once.
   * @param within seconds until it is submitted; a program submits immediately and leaves one more code
   */
  code(within?: number): Promise<string>
  /** six digits that are not a code of any near timestamp */
  wrongCode(): string
}

export function authenticatorApp(secret: string): AuthenticatorApp {
  const key = base32(secret)
  const stepIn = (seconds: number) => Math.floor((Date.now() / 1000 + seconds) / stepSeconds)
  const now = () => stepIn(0)
  let last = 0
  return {
    async code(within = typingSeconds) {
      // The service also accepts the codes of the adjacent time steps: after three codes, wait.
      last = Math.max(stepIn(within) - 1, last + 1)
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
