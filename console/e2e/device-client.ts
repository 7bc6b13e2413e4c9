import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from './relying-party'

/** A program on a device without a keyboard (RFC 8628): shows a code and polls until the user has answered. */
export interface DeviceClient {
  userCode: string
  verificationUri: string
  /** includes the code, for a QR code */
  verificationUriComplete: string
  /** polls once. @returns the tokens or the error */
  ask(): Promise<Record<string, string>>
  /** polls at the permitted interval until the request is answered */
  untilAnswered(): Promise<Record<string, string>>
}

export async function startDevice(client: Client, scope = 'openid email'): Promise<DeviceClient> {
  const post = async (path: string, body: Record<string, string>) => {
    const answer = await fetch(`${client.issuer}${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')}`,
        'User-Agent': 'Television/1.0',
      },
      body: new URLSearchParams(body),
    })
    return (await answer.json()) as Record<string, string>
  }
  const begun = await post('/device/auth', { scope })
  if (!begun.user_code) throw new Error(`No device authorization: ${JSON.stringify(begun)}`)
  const ask = () =>
    post('/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: begun.device_code ?? '',
    })
  return {
    userCode: begun.user_code,
    verificationUri: begun.verification_uri ?? '',
    verificationUriComplete: begun.verification_uri_complete ?? '',
    ask,
    async untilAnswered() {
      for (let seconds = Number(begun.interval ?? 5); ; ) {
        const answer = await ask()
        // A client that polls too often must wait longer (RFC 8628, 3.5).
        if (answer.error === 'slow_down') seconds += 5
        else if (answer.error !== 'authorization_pending') return answer
        await pause(seconds * 1000)
      }
    },
  }
}
