import type { Application } from '../../../api/contract'
import type { VendorLogoName } from '../../../ui/values/vendor-logo'
import type { ClientSettings } from '../overview/env-file'
import { aspnet } from './aspnet'
import { curl } from './curl'
import { go } from './go'
import { java } from './java'
import { nextjs } from './nextjs'
import { node } from './node'
import { python } from './python'
import { react } from './react'
import { redirectPath } from './redirect-path'

interface StackInfo {
  /** A product name, which is not translated. */
  name: string
  logo: VendorLogoName
  file: string
  comment: '//' | '#'
  write: (settings: ClientSettings) => string
  /** Whether it has code for these settings; absent if it has code for all. */
  fits?: (settings: ClientSettings) => boolean
  /** The redirect URL of the library, which the code cannot change. */
  redirect?: string
}

const signsIn = ({ redirectUri }: ClientSettings) => redirectUri !== null

const infos = {
  nextjs: {
    name: 'Next.js',
    logo: 'nextjs',
    file: 'auth.ts',
    comment: '//',
    write: nextjs,
    fits: (settings) => signsIn(settings) && settings.clientSecret !== null,
    redirect: 'http://localhost:3000/api/auth/callback/keyward',
  },
  react: {
    name: 'React',
    logo: 'react',
    file: 'main.tsx',
    comment: '//',
    write: react,
    fits: (settings) => signsIn(settings) && settings.clientSecret === null,
  },
  node: { name: 'Express', logo: 'express', file: 'app.mjs', comment: '//', write: node },
  python: { name: 'Python', logo: 'python', file: 'app.py', comment: '#', write: python },
  go: { name: 'Go', logo: 'go', file: 'main.go', comment: '//', write: go },
  java: {
    name: 'Spring Boot',
    logo: 'spring',
    file: 'application.yml',
    comment: '#',
    write: java,
    redirect: 'http://localhost:8080/login/oauth2/code/keyward',
  },
  aspnet: { name: 'ASP.NET Core', logo: 'dotnet', file: 'Program.cs', comment: '//', write: aspnet, fits: signsIn },
  curl: { name: 'curl', logo: 'curl', file: 'sign-in.sh', comment: '#', write: curl },
} as const satisfies Record<string, StackInfo>

export type Stack = keyof typeof infos

export const stackInfo = (stack: Stack): StackInfo => infos[stack]

/** Returns the stacks that have code for these settings. */
export const stacksFor = (settings: ClientSettings): Stack[] =>
  (Object.keys(infos) as Stack[]).filter((stack) => stackInfo(stack).fits?.(settings) ?? true)

/** Returns a complete program for `stack`. It reads its settings from the environment. */
export const snippet = (stack: Stack, settings: ClientSettings): string => stackInfo(stack).write(settings)

/** Returns the redirect URL of the program, and whether the application has it; undefined if users don't sign in. */
export function redirectOf(stack: Stack, { redirectUri }: ClientSettings, { redirectUris }: Application) {
  const { redirect = redirectUri } = stackInfo(stack)
  if (redirectUri === null || redirect === null) return undefined
  const registered = redirectUris.find((uri) => uri === redirect || redirectPath(uri) === redirectPath(redirect))
  return { uri: registered ?? redirect, isRegistered: registered !== undefined }
}
