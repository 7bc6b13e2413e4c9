import type { VendorLogoName } from '../../../ui/values/vendor-logo'
import type { ClientSettings } from '../overview/env-file'
import { curl } from './curl'
import { go } from './go'
import { java } from './java'
import { node } from './node'
import { python } from './python'

export type Stack = 'curl' | 'node' | 'python' | 'go' | 'java'

/** Product names, which are not translated. */
export const stacks = [
  { value: 'curl', name: 'curl and openssl', logo: 'curl' },
  { value: 'node', name: 'Node.js (openid-client)', logo: 'node' },
  { value: 'python', name: 'Python (Authlib)', logo: 'python' },
  { value: 'go', name: 'Go (go-oidc)', logo: 'go' },
  { value: 'java', name: 'Java (Spring Boot)', logo: 'spring' },
] as const satisfies { value: Stack; name: string; logo: VendorLogoName }[]

const writers: Record<Stack, (settings: ClientSettings) => string> = { curl, node, python, go, java }

/** Returns a complete program for `stack`. It reads its settings from the environment. */
export function snippet(stack: Stack, settings: ClientSettings): string {
  return writers[stack](settings)
}
